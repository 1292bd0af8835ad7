# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""The caller's credential, and the authorities that the caller trusts.

Where nothing is given, credentials are looked for where grid tools keep them: ``X509_USER_PROXY``,
``/tmp/x509up_uUID``, ``X509_USER_CERT`` with ``X509_USER_KEY``, ``~/.globus/usercert.pem`` with ``userkey.pem``; and
tokens as WLCG bearer token discovery says (``BEARER_TOKEN``, ``BEARER_TOKEN_FILE``, ``bt_uUID`` in
``XDG_RUNTIME_DIR`` or ``/tmp``).
"""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .errors import CredentialError

_SYSTEM_TRUST = Path("/etc/grid-security/certificates")


@dataclass(frozen=True)
class Certificate:
    """A certificate, or a proxy, with its private key, as PEM files.

    :param cert: the certificate and the chain behind it; of a proxy the key is in it too
    :param key: the private key, where it is in a file of its own
    :param password: what the key is encrypted with; called only if it is
    """

    cert: Path
    key: Path | None = None
    password: Callable[[], str | bytes] | None = None

    def load(self, context: ssl.SSLContext) -> None:
        """Have the TLS context present this certificate.

        :raises CredentialError: a file is missing, is no PEM, or the key does not fit
        """
        try:
            context.load_cert_chain(self.cert, self.key, self.password)
        except (OSError, ssl.SSLError) as e:
            raise CredentialError(f"The certificate {self.cert} cannot be used: {e}") from e


@dataclass(frozen=True)
class Token:
    """A bearer token.

    :param source: the token; or a file that holds it, which is read for each request, so that a renewed token is used
    """

    source: str | Path

    def value(self) -> str:
        """The token as it is now.

        :raises CredentialError: the file cannot be read, or the token holds characters that no token has
        """
        if isinstance(self.source, Path):
            try:
                text = self.source.read_text(encoding="ascii").strip()
            except (OSError, UnicodeDecodeError) as e:
                raise CredentialError(f"The token file {self.source} cannot be read: {e}") from e
        else:
            text = self.source.strip()
        if not text or any(c.isspace() or not c.isprintable() or ord(c) > 126 for c in text):
            raise CredentialError("A bearer token is one word of printable ASCII characters; this one is not.")
        return text

    def __repr__(self) -> str:
        """Never shows the token."""
        return f"Token({self.source!r})" if isinstance(self.source, Path) else "Token(...)"


Credential = Certificate | Token


def discover(environment: Mapping[str, str] | None = None) -> Credential | None:
    """The credential that grid tools would use; a certificate goes before a token. None where there is none."""
    env = os.environ if environment is None else environment
    uid = os.getuid() if hasattr(os, "getuid") else 0
    if proxy := env.get("X509_USER_PROXY"):
        return Certificate(Path(proxy))
    usual_proxy = Path(f"/tmp/x509up_u{uid}")
    if usual_proxy.is_file():
        return Certificate(usual_proxy)
    if cert := env.get("X509_USER_CERT"):
        key = env.get("X509_USER_KEY")
        return Certificate(Path(cert), Path(key) if key else None)
    if token := env.get("BEARER_TOKEN"):
        return Token(token)
    if file := env.get("BEARER_TOKEN_FILE"):
        return Token(Path(file))
    for directory in filter(None, (env.get("XDG_RUNTIME_DIR"), "/tmp")):
        usual_token = Path(directory) / f"bt_u{uid}"
        if usual_token.is_file():
            return Token(usual_token)
    home = env.get("HOME")
    if home and (globus := Path(home) / ".globus" / "usercert.pem").is_file():
        return Certificate(globus, globus.with_name("userkey.pem"))
    return None


@contextmanager
def proxy(path: str | os.PathLike[str]) -> Iterator[Certificate]:
    """A proxy for the length of a block: ``with proxy(path) as credential``.

    Checks first that only its owner can read it.

    :raises CredentialError: there is no such file, or others may read it
    """
    yield Certificate(_own(path, "proxy", "Make one with voms-proxy-init."))


@contextmanager
def token(path: str | os.PathLike[str]) -> Iterator[Token]:
    """A bearer token's file for the length of a block: ``with token(path) as credential``.

    Checks first that only its owner can read it, and that a token is in it. The file is read for each request, so that
    a renewed token is used.

    :raises CredentialError: there is no such file, others may read it, or no token is in it
    """
    found = Token(_own(path, "token", "Fetch one with oidc-token or htgettoken."))
    found.value()
    yield found


def _own(path: str | os.PathLike[str], what: str, remedy: str) -> Path:
    file = Path(path)
    try:
        mode = file.stat().st_mode
    except OSError as e:
        raise CredentialError(f"There is no {what} at {file}: {e.strerror}. {remedy}") from e
    if mode & 0o077:
        raise CredentialError(f"Others may read the {what} {file}. Run: chmod 600 {file}")
    return file


def tls(trust: str | os.PathLike[str] | ssl.SSLContext | None, certificate: Certificate | None) -> ssl.SSLContext:
    """A context for connections to gateways.

    :param trust: a file or a directory of CA certificates (hashed names, as in ``/etc/grid-security/certificates``), or
        a whole context; else ``X509_CERT_DIR``, else that directory where it exists, else what the system trusts
    :raises CredentialError: the certificates cannot be read
    """
    if isinstance(trust, ssl.SSLContext):
        context = trust
    else:
        named = trust or os.environ.get("X509_CERT_DIR") or (_SYSTEM_TRUST if _SYSTEM_TRUST.is_dir() else None)
        try:
            if named is None:
                context = ssl.create_default_context()
            elif Path(named).is_dir():
                context = ssl.create_default_context(capath=os.fspath(named))
            else:
                context = ssl.create_default_context(cafile=os.fspath(named))
        except (OSError, ssl.SSLError) as e:
            raise CredentialError(f"The trusted certificates in {named} cannot be read: {e}") from e
        context.minimum_version = ssl.TLSVersion.TLSv1_2
    if certificate is not None:
        certificate.load(context)
    return context
