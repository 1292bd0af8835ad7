# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Proxies for the gateway: what is signed, and what goes over the wire."""

import asyncio
from datetime import datetime, timedelta, timezone

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.x509.oid import NameOID

from jobgate import AsyncJobgate, BadRequestError, Certificate, CredentialError, Jobgate, Token, proxies, token

PEM = serialization.Encoding.PEM
NOW = datetime.now(timezone.utc)
ID = "a-delegation"


def name(*texts):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text) for text in texts])


def credential(folder, key, subject=("Ada",), password=None, days=1.0):
    """A certificate of the key by itself, in one file with it."""
    made = (
        x509.CertificateBuilder()
        .subject_name(name(*subject))
        .issuer_name(name("A CA"))
        .public_key(key.public_key())
        .serial_number(5)
        .not_valid_before(NOW - timedelta(days=2))
        .not_valid_after(NOW + timedelta(days=days))
        .sign(key, None if isinstance(key, ed25519.Ed25519PrivateKey) else hashes.SHA256())
    )
    locked = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
    file = folder / "credential.pem"
    text = key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, locked)
    file.write_bytes(made.public_bytes(PEM) + text)
    return Certificate(file, password=(lambda: password) if password else None)


def request():
    key = ec.generate_private_key(ec.SECP256R1())
    made = x509.CertificateSigningRequestBuilder().subject_name(name("ignored")).sign(key, hashes.SHA256())
    return key, made.public_bytes(PEM).decode()


def chain(text):
    return x509.load_pem_x509_certificates(text.encode())


def information(certificate):
    extension = certificate.extensions.get_extension_for_oid(x509.ObjectIdentifier("1.3.6.1.5.5.7.1.14"))
    assert extension.critical
    return extension.value.value.hex()


def test_the_gateways_key_is_signed_as_a_proxy_of_the_credential(tmp_path):
    mine = rsa.generate_private_key(65537, 2048)
    key, csr = request()
    made, signer = chain(proxies.signed(csr, credential(tmp_path, mine)))
    assert made.public_key() == key.public_key()
    assert made.issuer == signer.subject
    assert list(made.subject)[:-1] == list(signer.subject)
    assert list(made.subject)[-1].value == str(made.serial_number)
    assert made.not_valid_after_utc == signer.not_valid_after_utc
    assert made.not_valid_before_utc > signer.not_valid_before_utc
    usage = made.extensions.get_extension_for_class(x509.KeyUsage)
    assert usage.critical
    assert usage.value.digital_signature
    assert not usage.value.key_cert_sign
    # SEQUENCE { SEQUENCE { id-ppl-inheritAll } }
    assert information(made) == "300c300a06082b06010505071501"
    mine.public_key().verify(made.signature, made.tbs_certificate_bytes, padding.PKCS1v15(), hashes.SHA256())


@pytest.mark.parametrize("kind", [lambda: ec.generate_private_key(ec.SECP384R1()), ed25519.Ed25519PrivateKey.generate])
def test_keys_of_other_kinds_sign_too(tmp_path, kind):
    mine = kind()
    made, signer = chain(proxies.signed(request()[1], credential(tmp_path, mine)))
    made.verify_directly_issued_by(signer)


def test_it_lasts_no_longer_than_asked_for_and_than_its_chain(tmp_path):
    mine = credential(tmp_path, ec.generate_private_key(ec.SECP256R1()))
    short = chain(proxies.signed(request()[1], mine, timedelta(hours=1)))[0]
    assert timedelta(minutes=55) < short.not_valid_after_utc - datetime.now(timezone.utc) <= timedelta(hours=1)
    long = chain(proxies.signed(request()[1], mine, timedelta(days=30)))
    assert long[0].not_valid_after_utc == long[1].not_valid_after_utc


def proxy_file(folder, mine, limited):
    """A proxy in a file, as grid-proxy-init makes it: the proxy, its key, and the certificate behind it."""
    key, csr = request()
    text = proxies.signed(csr, mine)
    if limited:
        user = serialization.load_pem_private_key(proxies._KEY.search(mine.cert.read_bytes())[0], None)
        made = chain(text)[0]
        again = (
            x509.CertificateBuilder()
            .subject_name(made.subject)
            .issuer_name(made.issuer)
            .public_key(key.public_key())
            .serial_number(made.serial_number)
            .not_valid_before(made.not_valid_before_utc)
            .not_valid_after(made.not_valid_after_utc)
            .add_extension(
                x509.UnrecognizedExtension(
                    x509.ObjectIdentifier("1.3.6.1.5.5.7.1.14"),
                    bytes.fromhex("300f300d060b2b060104019b5001010109"),
                ),
                critical=True,
            )
            .sign(user, hashes.SHA256())
        )
        text = again.public_bytes(PEM).decode() + "".join(one.public_bytes(PEM).decode() for one in chain(text)[1:])
    secret = key.private_bytes(PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption())
    file = folder / "proxy.pem"
    end = text.index("-----END CERTIFICATE-----\n") + len("-----END CERTIFICATE-----\n")
    file.write_text(text[:end] + secret.decode() + text[end:])
    return Certificate(file)


@pytest.mark.parametrize("limited", [False, True])
def test_a_proxy_of_a_proxy_may_do_no_more_than_that(tmp_path, limited):
    mine = credential(tmp_path, ec.generate_private_key(ec.SECP256R1()))
    first = proxy_file(tmp_path, mine, limited)
    made, signer, user = chain(proxies.signed(request()[1], first))
    made.verify_directly_issued_by(signer)
    signer.verify_directly_issued_by(user)
    wanted = "300f300d060b2b060104019b5001010109" if limited else "300c300a06082b06010505071501"
    assert information(made) == wanted


def test_an_encrypted_key_is_asked_for_its_password(tmp_path):
    mine = credential(tmp_path, ec.generate_private_key(ec.SECP256R1()), password=b"secret")
    assert len(chain(proxies.signed(request()[1], mine))) == 2
    with pytest.raises(CredentialError, match="cannot sign"):
        proxies.signed(request()[1], Certificate(mine.cert, password=lambda: "wrong"))
    with pytest.raises(CredentialError, match="cannot sign"):
        proxies.signed(request()[1], Certificate(mine.cert))


def test_what_cannot_sign_is_told(tmp_path):
    key = ec.generate_private_key(ec.SECP256R1())
    with pytest.raises(CredentialError, match="old form"):
        proxies.signed(request()[1], credential(tmp_path, key, ("Ada", "limited proxy")))
    with pytest.raises(CredentialError, match="ended"):
        proxies.signed(request()[1], credential(tmp_path, key, days=-1.0))
    mine = credential(tmp_path, key)
    with pytest.raises(CredentialError, match="cannot sign"):
        proxies.signed("no request", mine)
    with pytest.raises(CredentialError, match="cannot sign"):
        proxies.signed(request()[1], Certificate(tmp_path / "absent"))
    (tmp_path / "bare.pem").write_bytes(mine.cert.read_bytes().split(b"-----BEGIN PRIVATE")[0])
    with pytest.raises(CredentialError, match="no private key"):
        proxies.signed(request()[1], Certificate(tmp_path / "bare.pem"))


class Vault:
    """The gateway's part, which keeps what was asked."""

    def __init__(self):
        self.asked = []
        self.csr = request()[1]
        self.refuses = False

    def __call__(self, asked):
        self.asked.append(f"{asked.method} {asked.url.path.removeprefix('/api/v1')}")
        if asked.method == "POST":
            return httpx.Response(201, json={"id": ID, "csr": self.csr})
        if asked.method == "DELETE":
            return httpx.Response(204)
        if asked.method == "PUT":
            assert asked.headers["Content-Type"] == "application/x-pem-file"
            assert len(chain(asked.content.decode())) == 2
            if self.refuses:
                return httpx.Response(422, json={"title": "T", "status": 422, "detail": "It is not yours."})
        return httpx.Response(
            200, json={"id": ID, "kind": "proxy", "expires": NOW.isoformat(), "terminates": NOW.isoformat()}
        )


def gate(vault, mine):
    return Jobgate("https://ce.example:8443", credential=mine, transport=httpx.MockTransport(vault))


def test_a_delegation_is_there_for_a_block_and_destroyed_after_it(tmp_path):
    vault = Vault()
    mine = credential(tmp_path, ec.generate_private_key(ec.SECP256R1()))
    with gate(vault, mine) as it, it.delegate() as made:
        assert made.id == ID
        assert made.renew(lifetime=timedelta(hours=1)).kind == "proxy"
    assert vault.asked == [
        "POST /delegations", f"PUT /delegations/{ID}", f"POST /delegations/{ID}/renew", f"PUT /delegations/{ID}",
        f"DELETE /delegations/{ID}",
    ]  # fmt: skip


def test_what_goes_wrong_in_the_block_is_what_is_seen(tmp_path):
    vault = Vault()
    mine = credential(tmp_path, ec.generate_private_key(ec.SECP256R1()))
    with pytest.raises(KeyError), gate(vault, mine) as it, it.delegate():
        raise KeyError("mine")
    assert vault.asked[-1] == f"DELETE /delegations/{ID}"


def test_nothing_is_left_of_a_delegation_that_is_refused(tmp_path):
    vault = Vault()
    vault.refuses = True
    mine = credential(tmp_path, ec.generate_private_key(ec.SECP256R1()))
    with pytest.raises(BadRequestError, match="not yours"), gate(vault, mine) as it:
        it.delegate()
    assert vault.asked == ["POST /delegations", f"PUT /delegations/{ID}", f"DELETE /delegations/{ID}"]


def test_nothing_is_left_of_a_delegation_that_cannot_be_signed_here(tmp_path, monkeypatch):
    vault = Vault()
    mine = credential(tmp_path, ec.generate_private_key(ec.SECP256R1()))

    def missing(*_):
        raise ImportError("no cryptography")

    monkeypatch.setattr("jobgate._sync.delegation.signed", missing)
    with pytest.raises(ImportError), gate(vault, mine) as it:
        it.delegate()
    assert vault.asked == ["POST /delegations", f"DELETE /delegations/{ID}"]


def test_who_has_a_token_names_a_certificate(tmp_path):
    vault = Vault()
    mine = credential(tmp_path, ec.generate_private_key(ec.SECP256R1()))
    with gate(vault, Token("none")) as it:
        with pytest.raises(CredentialError, match="certificate or a proxy"):
            it.delegate()
        assert vault.asked == []
        assert it.delegate(mine).id == ID


def test_with_async_too(tmp_path):
    vault = Vault()
    mine = credential(tmp_path, ec.generate_private_key(ec.SECP256R1()))

    async def go():
        transport = httpx.MockTransport(vault)
        async with (
            AsyncJobgate("https://ce.example:8443", credential=mine, transport=transport) as it,
            await it.delegate() as made,
        ):
            return made.status.kind

    assert asyncio.run(go()) == "proxy"
    assert vault.asked[-1] == f"DELETE /delegations/{ID}"


def test_a_token_file_for_a_block_is_the_owners_alone(tmp_path):
    file = tmp_path / "token"
    file.write_text("abc\n")
    file.chmod(0o644)
    with pytest.raises(CredentialError, match="Others may read"), token(file):
        pass
    file.chmod(0o600)
    with token(file) as mine:
        assert mine.value() == "abc"
    file.write_text("two words")
    with pytest.raises(CredentialError, match="one word"), token(file):
        pass
    with pytest.raises(CredentialError, match="no token"), token(tmp_path / "absent"):
        pass
