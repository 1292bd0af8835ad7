# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

from pathlib import Path

import pytest

from jobgate import Certificate, CredentialError, Token, discover, proxy
from jobgate.credentials import tls


def test_what_grid_tools_name_is_found(tmp_path):
    assert discover({"X509_USER_PROXY": "/p", "BEARER_TOKEN": "t"}) == Certificate(Path("/p"))
    assert discover({"X509_USER_CERT": "/c", "X509_USER_KEY": "/k"}) == Certificate(Path("/c"), Path("/k"))
    assert discover({"BEARER_TOKEN": "t"}) == Token("t")
    assert discover({"BEARER_TOKEN_FILE": "/f"}) == Token(Path("/f"))


def test_a_proxy_that_others_may_read_is_refused(tmp_path):
    file = tmp_path / "proxy"
    with pytest.raises(CredentialError, match="There is no proxy"), proxy(file):
        pass
    file.write_text("x")
    file.chmod(0o644)
    with pytest.raises(CredentialError, match="chmod 600"), proxy(file):
        pass
    file.chmod(0o600)
    with proxy(file) as credential:
        assert credential == Certificate(file)


def test_files_that_are_no_certificates_are_named(tmp_path):
    bad = tmp_path / "bad.pem"
    bad.write_text("nothing")
    with pytest.raises(CredentialError, match=r"bad\.pem"):
        tls(None, Certificate(bad))
    with pytest.raises(CredentialError, match=r"bad\.pem"):
        tls(bad, None)


@pytest.mark.parametrize("text", ["", "two words", "caf\u00e9", "line\nend", "a\x00b"])
def test_a_token_that_is_none_is_refused(text):
    with pytest.raises(CredentialError):
        Token(text).value()


def test_a_token_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CredentialError, match="absent"):
        Token(tmp_path / "absent").value()
