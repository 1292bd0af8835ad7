# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Proxies (RFC 3820) over keys that a gateway made. Needs the package cryptography (``jobgate[delegation]``)."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from .credentials import Certificate
from .errors import CredentialError

if TYPE_CHECKING:
    from cryptography import x509

_PROXY_INFORMATION = "1.3.6.1.5.5.7.1.14"
# of the same rights (RFC 3820, 3.8.2), and Globus' limited one (its arc: 3536.1.1.1.9), which starts no jobs elsewhere
_INHERIT_ALL = bytes.fromhex("06082b06010505071501")
_LIMITED = bytes.fromhex("060b2b060104019b5001010109")
_KEY = re.compile(rb"-----BEGIN ([A-Z ]*PRIVATE KEY)-----.*?-----END \1-----", re.DOTALL)
#: Clocks differ.
_BEFORE = timedelta(minutes=5)


def signed(request: str, credential: Certificate, lifetime: timedelta | None = None) -> str:
    """A certificate request as a proxy of the credential, with the chain behind it, all in PEM.

    The proxy ends with the first certificate of the chain, or after ``lifetime`` where that is sooner, and is limited
    where the credential is a limited proxy.

    :param request: a certificate request in PEM; its subject means nothing
    :raises CredentialError: the credential cannot be read, is over, or is a proxy of the old form
    :raises ImportError: the package cryptography is not there
    """
    try:
        from cryptography import x509
        from cryptography.exceptions import UnsupportedAlgorithm
    except ImportError as e:
        raise ImportError("Delegating needs cryptography: pip install 'jobgate[delegation]'") from e
    try:
        chain = x509.load_pem_x509_certificates(credential.cert.read_bytes())
        key = _key(credential)
        asked = x509.load_pem_x509_csr(request.encode())
        if not asked.is_signature_valid:
            raise CredentialError("The gateway's certificate request is not signed by its own key.")
        made = _proxy(chain, key, asked, lifetime)
        return "".join(one.public_bytes(_pem()).decode() for one in [made, *chain])
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as e:
        raise CredentialError(f"The certificate {credential.cert} cannot sign a proxy: {e}") from e


def _pem() -> Any:
    from cryptography.hazmat.primitives.serialization import Encoding

    return Encoding.PEM


def _key(credential: Certificate) -> Any:
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    found = _KEY.search((credential.key or credential.cert).read_bytes())
    if found is None:
        raise ValueError(f"there is no private key in {credential.key or credential.cert}")
    password: bytes | None = None
    if b"ENCRYPTED" in found[0] and credential.password is not None:
        told = credential.password()
        password = told.encode() if isinstance(told, str) else told
    return load_pem_private_key(found[0], password)


def _proxy(
    chain: list[x509.Certificate], key: Any, asked: x509.CertificateSigningRequest, lifetime: timedelta | None
) -> x509.Certificate:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ed448, ed25519

    signer = chain[0]
    policy = _policy(signer)
    now = datetime.now(timezone.utc)
    end = min(one.not_valid_after_utc for one in chain)
    if end <= now:
        raise CredentialError(f"The credential ended at {end}. Make a new proxy, e.g. with voms-proxy-init.")
    if lifetime is not None:
        end = min(end, now + lifetime)
    serial = x509.random_serial_number()
    name = x509.RelativeDistinguishedName([x509.NameAttribute(x509.NameOID.COMMON_NAME, str(serial))])
    usage = x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=True,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    information = x509.UnrecognizedExtension(x509.ObjectIdentifier(_PROXY_INFORMATION), _sequence(_sequence(policy)))
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([*signer.subject.rdns, name]))
        .issuer_name(signer.subject)
        .public_key(asked.public_key())
        .serial_number(serial)
        .not_valid_before(max(signer.not_valid_before_utc, now - _BEFORE))
        .not_valid_after(end)
        .add_extension(usage, critical=True)
        .add_extension(information, critical=True)
    )
    own_digest = isinstance(key, ed25519.Ed25519PrivateKey | ed448.Ed448PrivateKey)
    return builder.sign(key, None if own_digest else hashes.SHA256())


def _policy(signer: x509.Certificate) -> bytes:
    """What a proxy signed by this certificate may do: no more than this one."""
    from cryptography import x509

    try:
        extension = signer.extensions.get_extension_for_oid(x509.ObjectIdentifier(_PROXY_INFORMATION))
    except x509.ExtensionNotFound:
        last = list(signer.subject)[-1] if list(signer.subject) else None
        if last is not None and last.value in ("proxy", "limited proxy"):
            raise CredentialError(
                "A proxy of the old form cannot be delegated. Make one with voms-proxy-init -rfc."
            ) from None
        return _INHERIT_ALL
    value = extension.value
    return _LIMITED if isinstance(value, x509.UnrecognizedExtension) and _LIMITED in value.value else _INHERIT_ALL


def _sequence(content: bytes) -> bytes:
    """A DER sequence of less than 128 bytes."""
    return bytes([0x30, len(content)]) + content
