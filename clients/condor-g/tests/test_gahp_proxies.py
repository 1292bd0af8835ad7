# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""The proxies that the GAHP signs, as OpenSSL sees them, and when it has the gateway's renewed."""

import io
import os
import shutil
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

from test_gahp import gahp


def openssl(here, *words):
    return subprocess.run(["openssl", *words], cwd=here, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True).stdout


@unittest.skipUnless(shutil.which("openssl"), "there is no openssl")
class Signatures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.here = cls.folder.name
        openssl(cls.here, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/O=Grid/CN=CA", "-days", "3")
        for name, kind in (("rsa", ["rsa:2048"]), ("ec", ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"])):
            openssl(cls.here, "req", "-new", "-newkey", *kind, "-nodes", "-keyout", name + ".key", "-out", name + ".csr", "-subj", "/O=Grid/CN=Jürgen " + name, "-utf8")
            openssl(cls.here, "x509", "-req", "-in", name + ".csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out", name + ".pem", "-days", "2")
        openssl(cls.here, "ecparam", "-name", "secp384r1", "-genkey", "-noout", "-out", "p384.key")
        openssl(cls.here, "ec", "-in", "ec.key", "-out", "ec1.key")
        openssl(cls.here, "rsa", "-in", "rsa.key", "-out", "rsa1.key", "-traditional")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def text(self, *names):
        return "".join(Path(self.here, name).read_text() for name in names)

    def request(self):
        openssl(self.here, "req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", "job.key", "-out", "job.csr", "-subj", "/CN=x")
        return self.text("job.csr")

    def verified(self, chain):
        Path(self.here, "chain.pem").write_text(chain)
        self.assertIn("OK", openssl(self.here, "verify", "-allow_proxy_certs", "-CAfile", "ca.pem", "-untrusted", "chain.pem", "chain.pem"))
        return openssl(self.here, "x509", "-in", "chain.pem", "-noout", "-text", "-nameopt", "utf8,sep_comma_plus")

    def test_a_proxy_of_each_kind_of_key_is_valid_ends_with_its_issuer_and_has_the_requests_key(self):
        request = self.request()
        for certificate, key in (("rsa", "rsa"), ("rsa", "rsa1"), ("ec", "ec"), ("ec", "ec1")):
            chain = gahp.signed(request, self.text(certificate + ".pem", key + ".key"))
            shown = self.verified(chain)
            self.assertEqual(
                openssl(self.here, "x509", "-in", "chain.pem", "-noout", "-enddate"), openssl(self.here, "x509", "-in", certificate + ".pem", "-noout", "-enddate")
            )
            self.assertEqual(openssl(self.here, "x509", "-in", "chain.pem", "-noout", "-pubkey"), openssl(self.here, "pkey", "-in", "job.key", "-pubout"))
            self.assertIn("Inherit all", shown)
            self.assertNotIn("PRIVATE KEY", chain)

    def test_a_proxy_of_a_limited_proxy_is_limited(self):
        with mock.patch.object(gahp, "INHERIT_ALL", gahp.LIMITED):
            limited = gahp.signed(self.request(), self.text("rsa.pem", "rsa.key")) + self.text("job.key")
        shown = self.verified(gahp.signed(self.request(), limited))
        self.assertIn("1.3.6.1.4.1.3536.1.1.1.9", shown)
        self.assertNotIn("Inherit all", shown)

    def test_what_cannot_sign_a_proxy_says_so(self):
        request = self.request()
        for proxy, told in (
            ("", "missing"),
            (self.text("rsa.pem"), "missing"),
            (self.text("ec.pem", "p384.key"), "P-256"),
            (self.text("rsa.pem", "rsa.key").replace("PRIVATE KEY", "DSA PRIVATE KEY"), "DSA"),
        ):
            with self.assertRaisesRegex(ValueError, told):
                gahp.signed(request, proxy)
        with self.assertRaises((ValueError, LookupError)):
            gahp.signed("-----BEGIN CERTIFICATE REQUEST-----\nMII=\n-----END CERTIFICATE REQUEST-----\n", self.text("rsa.pem", "rsa.key"))


class Vault:
    """A gateway that keeps what is delegated."""

    def __init__(self, proxy):
        self.proxy, self.calls, self.known = proxy, [], set()

    def stamp(self):
        return self.proxy, os.stat(self.proxy).st_mtime_ns

    def call(self, method, path, json_body=None, headers=None, body=None):
        path = path.replace("/api/v1", "")
        self.calls.append("%s %s" % (method, path))
        if method == "GET" or path.endswith("/renew"):
            id = path.split("/")[2]
            if id not in self.known:
                raise gahp.Refused("There is no such delegation.", 404)
            return 201, {"id": id, "csr": "csr"}
        if method == "POST":
            return 201, {"id": "d%d" % (len(self.known) + 1), "csr": "csr"}
        self.known.add(path.split("/")[2])
        return 200, {}


class Renewals(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.proxy = os.path.join(self.folder.name, "proxy.pem")
        self.change(1)
        self.wire = Vault(self.proxy)
        signing = mock.patch.object(gahp, "signed", return_value="chain")
        signing.start()
        self.addCleanup(signing.stop)
        self.begin()

    def begin(self):
        """As after a start of the program."""
        self.account = gahp.Account.__new__(gahp.Account)
        self.account.gateway = gahp.Settings("jobgate", {"url": "https://gw.example:8443"})
        self.account.proxy = self.proxy
        self.account.records = gahp.Records(os.path.join(self.folder.name, "state"))
        self.account.delegating, self.account.there = threading.Lock(), None
        self.account.work = mock.Mock()
        self.account.work.tasks.put = lambda task: task(self.wire)
        self.wire.calls.clear()

    def change(self, second):
        Path(self.proxy).write_text("proxy")
        os.utime(self.proxy, (second, second))

    def test_a_proxy_is_delegated_once_for_all_jobs_also_over_a_restart(self):
        self.assertEqual([self.account.delegated(self.wire) for _ in range(3)], ["d1"] * 3)
        self.assertEqual(self.wire.calls, ["POST /delegations", "PUT /delegations/d1"])
        self.begin()
        self.assertEqual([self.account.delegated(self.wire) for _ in range(3)], ["d1"] * 3)
        self.assertEqual(self.wire.calls, ["GET /delegations/d1"])

    def test_a_proxy_that_has_changed_is_renewed_once_for_all_jobs(self):
        self.account.delegated(self.wire)
        for id in ("j1", "j2"):
            self.account.records.write(id, {"credential": "d1"})
        self.change(2)
        self.wire.calls.clear()
        told = []
        for id in ("j1", "j2"):
            self.account.renew(id, lambda code, text: told.append((code, text)))
        self.assertEqual(told, [(0, "No error")] * 2)
        self.assertEqual(self.wire.calls, ["POST /delegations/d1/renew", "PUT /delegations/d1"])

    def test_what_the_gateway_has_forgotten_is_delegated_anew(self):
        self.account.delegated(self.wire)
        self.wire.known = {"other"}
        self.begin()
        self.assertEqual(self.account.delegated(self.wire), "d2")

    def test_a_proxy_that_cannot_be_delegated_keeps_no_job_from_running(self):
        gahp.signed.side_effect = ValueError("its key is not on the curve P-256")
        said = []
        with mock.patch.object(gahp, "log", said.append):
            self.assertIsNone(self.account.delegated(self.wire))
            self.account.records.write("j1", {"credential": "d1"})
            told = []
            self.account.renew("j1", lambda code, text: told.append(code))
        self.assertEqual(told, [1])
        self.assertIn("its key is not on the curve P-256", said[0])

    def test_what_htcondor_says_of_a_renewed_proxy_is_answered_when_the_gateway_has_it(self):
        self.account.delegated(self.wire)
        self.account.records.write("j1", {"credential": "d1", "proxy": self.proxy})
        self.change(2)
        out = io.StringIO()
        program = gahp.Gahp(out, self.account.records)
        program.account = lambda name, proxy: self.account
        program.run(iter(["BLAH_JOB_REFRESH_PROXY 4 jobgate/20261126/j1 %s\r\n" % self.proxy, "RESULTS\r\n"]))
        self.assertIn("4 0 No\\ error", out.getvalue())
        self.assertEqual(self.wire.calls[-1], "PUT /delegations/d1")


class Tokens(unittest.TestCase):
    def test_a_token_that_was_renewed_is_sent_with_the_next_request(self):
        with tempfile.NamedTemporaryFile("w") as file:
            wire = gahp.Wire(gahp.Settings("jobgate", {"url": "https://gw.example:8443", "token_file": file.name}), None)
            with mock.patch.object(gahp, "usual_proxy", return_value=None):
                for token in ("first", "second"):
                    Path(file.name).write_text(token + "\n")
                    self.assertEqual(wire.headers({})["Authorization"], "Bearer " + token)

    def test_a_connection_speaks_for_the_proxy_as_it_is_now(self):
        with tempfile.NamedTemporaryFile("w") as file:
            wire = gahp.Wire(gahp.Settings("jobgate", {"url": "https://gw.example:8443"}), file.name)
            with mock.patch.object(wire, "context", return_value=None):
                first = wire.open()
                self.assertIs(wire.open(), first)
                later = time.time() + 5
                os.utime(file.name, (later, later))
                self.assertIsNot(wire.open(), first)


if __name__ == "__main__":
    unittest.main()
