# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""What is said about a configuration file, with line and key."""

import os
import unittest

from room import TOOL, Room
from skeletonkey import Mistake, settings

GOOD = "[Application]\nscript = ./run.sh\n"


class SettingsTest(Room):
    def problems(self, ini):
        with self.assertRaises(Mistake) as caught:
            settings.load(self.file("j.ini", ini))
        return str(caught.exception).replace(self.room + "/", "")

    def good(self, ini):
        return settings.load(self.file("j.ini", ini))

    def test_every_mistake_is_told_with_its_line_and_key(self):
        os.makedirs(self.path("export/in"))
        os.symlink("/etc", self.path("export/out"))
        base = f"export_base = {self.path('export')}\n"
        directories = GOOD + "[Directories]\n" + base
        cvmfs = GOOD + "[CVMFS]\nrepo1 = a.example.org\nrepo1_key = http://k/a.pub\n"
        for ini, said in {
            "": "j.ini: the section [Application] is missing",
            "[Application]\nlocation = http://h/a.tar.gz\n": "j.ini, line 1: [Application] script: must be given",
            "script = x\n": "j.ini, line 1: 'script' stands before any [Section]",
            "[Application]\nscript\n": "j.ini, line 2: neither a [Section] nor a 'key = value': script",
            "[Application]\nscript = a\n\nscript = b\n": "j.ini, line 4: script stands there a second time (first in line 2)",
            GOOD + GOOD: "j.ini, line 3: the section [Application] stands there a second time (first in line 1)",
            "[Aplication]\nscript = x\n": "j.ini, line 1: there is no section [Aplication]; did you mean Application?",
            "[application]\nscript = x\n": "j.ini, line 1: there is no section [application]; did you mean Application?",
            GOOD + "http-proxy = http://a:1\n": "j.ini, line 3: [Application] http-proxy: there is no such key; did you mean http_proxy?",
            GOOD + "[Directories]\nexport_bas = /x\n": "j.ini, line 4: [Directories] export_bas: there is no such key; did you mean export_base?",
            GOOD + "zzz = 1\n": "there is no such key; there are: script, location,",
            "[Application]\nscript = ../x\n": "'..' leads out of the working directory",
            "[Application]\nscript = -rf\n": "cannot begin with '-'",
            GOOD + "location = gopher://h/x\n": "j.ini, line 3: [Application] location: is no URL of the form http://HOST/PATH or https://HOST/PATH or file:///PATH: gopher://h/x",
            GOOD + "location = http://u:secret@h/x\n": "a name or password in a URL would be readable by everybody on the node",
            GOOD + "location = http://h/a\nlocation_sha256 = abc\n": "j.ini, line 4: [Application] location_sha256: is no SHA-256",
            GOOD + "location_sha256 = " + 64 * "a" + "\n": "is the checksum of nothing: there is no location",
            GOOD + "arguments = one 'two\n": "j.ini, line 3: [Application] arguments: no closing quotation",
            GOOD + "http_proxy = squid\n": "j.ini, line 3: [Application] http_proxy: is no proxy of the form http://HOST:PORT: squid",
            GOOD + "http_proxy = http://squid:99999\n": "is no proxy of the form",
            GOOD + "user_proxy = /nowhere\n": "j.ini, line 3: [Application] user_proxy: cannot read the proxy /nowhere: No such file",
            directories: "j.ini, line 3: [Directories] names neither read nor write",
            directories + "read = nope\n": "j.ini, line 5: [Directories] read: there is no directory export/nope",
            directories + "read = in, ../../etc\n": "line 5: [Directories] read: '../../etc' leads out of export_base by '..'",
            directories + "read = \u00fc\n": "line 5: [Directories] read: '\u00fc' has a character beyond ASCII",
            directories + "write = out\n": "line 5: [Directories] write: /out is a link that leads out of export_base",
            directories + "read = in\nfetch = secret\n": "line 6: [Directories] fetch: there is no",
            directories + "read = in\naccess = parot\n": "line 6: [Directories] access: there is no way 'parot'; did you mean parrot?",
            directories + "write = in\nwrite_rights = rl\n": "line 6: [Directories] write_rights: must be some of",
            directories + "read = in\nticket_lifetime = forever\n": "line 6: [Directories] ticket_lifetime: must be a time from 60s to 366d, such as 24h: forever",
            directories + "read = in\nticket_lifetime = 5s\n": "must be a time from 60s",
            directories + "chirp_base = /x\nread = in\n": "line 5: [Directories] chirp_base: is the older name of export_base",
            GOOD + "[Directories]\nread = in\n": "line 3: [Directories] export_base: must be given",
            GOOD + "[Directories]\nexport_base = in\nread = x\n": "line 4: [Directories] export_base: must begin with a slash",
            GOOD + "[Directories]\nexport_base = /nowhere/x\nread = x\n": "/nowhere/x is no directory of this machine",
            GOOD + "[CVMFS]\n": "line 3: [CVMFS] names no repository",
            cvmfs: "line 3: [CVMFS] repo1_options: must be given",
            GOOD + "[CVMFS]\nrepo1 = a.example.org\nrepo1_options = url=http://s\n": "[CVMFS] repo1_key: must be given",
            cvmfs + "repo1_options = pubkey=a\n": "line 6: [CVMFS] repo1_options: has no url=",
            cvmfs + "repo1_options = url=http://s,quota limit=3\n": "line 6: [CVMFS] repo1_options: 'quota limit=3' is no NAME=VALUE",
            cvmfs + "repo1_options = url=http://s\nrepo3 = b\n": "line 7: [CVMFS] repo3: the numbers must follow one another from 1: there is no repo2",
            GOOD + "[Parrot]\n": "line 3: [Parrot] location: must be given",
            GOOD.replace("./run.sh", "a\0b"): "j.ini is no text: it has a NUL byte in line 2",
        }.items():
            with self.subTest(said):
                self.assertIn(said, self.problems(ini))

    def test_all_problems_are_told_at_once_and_nothing_is_written(self):
        said = self.refused("[Application]\nscript =\nhttp_proxy = x\n[Parot]\nlocation = http://x/y\n")
        self.assertIn("line 2: [Application] script", said)
        self.assertIn("line 3: [Application] http_proxy", said)
        self.assertIn("line 4: there is no section [Parot]; did you mean Parrot?", said)

    def test_fetch_outside_of_read_and_write_is_refused(self):
        self.file("export/in/a", "")
        self.file("export/secret", "")
        said = self.problems(GOOD + f"[Directories]\nexport_base = {self.path('export')}\nread = in\nfetch = in/a, secret\n")
        self.assertEqual("j.ini, line 6: [Directories] fetch: /secret is in none of the directories of read and write", said)

    def test_a_proxy_that_others_can_read_is_refused(self):
        self.file("proxy", "-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n", 0o644)
        self.assertIn("must be yours and readable by you alone: chmod 600", self.problems(GOOD + f"user_proxy = {self.path('proxy')}\n"))
        self.file("proxy", "hello", 0o600)
        self.assertIn("is no proxy: it must hold a certificate and its key", self.problems(GOOD + f"user_proxy = {self.path('proxy')}\n"))

    def test_values_are_taken_as_they_stand(self):
        self.file("export/my in/x", "")
        found = self.good(
            "# comment\n\n[Application]\nSCRIPT: ./run.sh\narguments = a 'b  c' \"\" d\\ e %h \\\"\n    more # ; x\nlocation =\n"
            f"[Directories]\nchirp_base = {self.path('export')}\nread = my in , /my in/,\n"
            "[CVMFS]\nrepo1 = a.example.org\nrepo1_key = http://k/dir/a.pub\nrepo1_options = url=http://s/x, pubkey=/else/where.pub,quota_limit=10\n"
        )
        self.assertEqual(["a", "b  c", "", "d e", "%h", '"', "more", "#", ";", "x"], found.arguments)
        self.assertEqual(["/my in"], found.read)
        self.assertEqual(("a.pub", "url=http://s/x,quota_limit=10"), (found.repositories[0].key_file, found.repositories[0].options))
        self.assertIn("' ;' is part of the arguments", found.warnings[0])

    def test_bytes_that_are_not_utf_8_and_a_byte_order_mark(self):
        found = self.good(b"\xef\xbb\xbf[Application]\r\nscript = ./r\r\narguments = caf\xe9 \xc3\xa9\r\n")
        self.assertEqual([b"caf\xe9", b"\xc3\xa9"], [os.fsencode(a) for a in found.arguments])

    def test_a_file_that_is_too_large_or_not_there(self):
        self.assertIn("has more than 1048576 bytes", self.problems("#" * (1 << 20) + "\n\n"))
        done = self.command([TOOL, "-c", "nowhere.ini"])
        self.assertEqual((1, "skeleton_key: cannot read the configuration file nowhere.ini: No such file or directory\n"), (done.returncode, done.err))

    def test_the_command_line(self):
        config = self.file("j.ini", GOOD)
        for words, status, said in (
            ([], 2, "Must give a config file"),
            (["--confg-file", config], 2, "there is no option --confg-file; did you mean --config-file?"),
            (["-c", config, "stray"], 2, "'stray' is no option"),
            (["-c", config, "--describe", "xrsl"], 2, "--describe takes one of jdd, json, jsdl, not 'xrsl'"),
            (["-c", config, "--queue", "3"], 2, "go with --submit"),
            (["-c", config, "--submit", "h", "--queue", "0"], 2, "--queue takes a number from 1 to 10000, not '0'"),
            (["-c", config, "--submit", "h"], 1, "there is no globusrun-ws on PATH"),
            (["-c", config, "-o", self.room], 1, "is there and is no file"),
            (["-c", config, "-o", "/nowhere/x"], 1, "cannot write to /nowhere"),
            (["-c", config, "--bundle", config], 1, "is no tar archive"),
        ):
            with self.subTest(said):
                done = self.command([TOOL, *words])
                self.assertEqual(status, done.returncode, done.err)
                self.assertIn(said, done.err)
        self.assertIn("skeleton_key 0.1.0", self.command([TOOL, "--version"]).out)
        self.assertIn(f"{config}: nothing wrong\n", self.command([TOOL, "-c", config, "--check"]).out)
        self.assertFalse(os.path.exists(self.path("run_job.py")))


if __name__ == "__main__":
    unittest.main()
