# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Job descriptions, and what globusrun-ws is asked (a recorder stands in for it; docs/user/skeletonkey.md says what was tried with a real gateway)."""

import json
import os
import unittest
import urllib.parse
import xml.etree.ElementTree as ElementTree

from room import ROOT, TOOL, Room

ODD = ["a b", "<&>\"'", "${INDEX}", "$HOME", "$${X}", "ü", "", "tab\there", "--", "-x"]
RECORDER = r"""while [ $# -gt 0 ]; do case $1 in -f) cat "$2" >>"$HOME/jdd.asked"; echo "-f FILE" >>"$HOME/asked"; shift 2 ;; -If) cat "$2" >>"$HOME/ids"; shift 2 ;; -o) echo epr >"$2"; echo "-o $2" >>"$HOME/asked"; shift 2 ;; *) echo "$1" >>"$HOME/asked"; shift ;; esac; done
[ ! -e "$HOME/refuse" ] || exit 252
exit 4"""


class DescribeTest(Room):
    INI = "[Application]\nscript = x\n"

    def described(self, form, name="my job"):
        config = self.file("j.ini", self.INI)
        done = self.command([TOOL, "-c", config, "-o", self.path(name), "--describe", form, "--", *ODD])
        self.assertEqual(0, done.returncode, done.err)
        return done.out

    def test_jdd(self):
        job = ElementTree.fromstring(self.described("jdd"))
        self.assertEqual([a.replace("${", "$${") for a in ODD], [e.text or "" for e in job.findall("argument")])
        source = job.find("fileStageIn/transfer/sourceUrl").text
        self.assertEqual("client://" + urllib.parse.quote(self.path("my job")), source)
        self.assertEqual(("my job", "my job", "single"), (job.find("executable").text, job.find("fileStageIn/transfer/destinationUrl").text, job.find("jobType").text))

    def test_json_is_a_request_of_the_rest_api(self):
        request = json.loads(self.described("json"))
        self.assertEqual({"executable": "./my job", "arguments": ODD, "stdout": "stdout", "stderr": "stderr", "jobType": "single", "holdAt": "StageIn"}, request)
        with open(os.path.join(ROOT, "service/rest/src/main/resources/org/jobgate/rest/api/openapi.json"), encoding="utf-8") as file:
            schema = json.load(file)["components"]["schemas"]
        self.assertLessEqual(set(request), set(schema["JobRequest"]["properties"]))
        self.assertIn(request["jobType"], schema["JobRequest"]["properties"]["jobType"]["enum"])
        self.assertIn("StageIn", schema["Holdable"]["enum"])

    def test_jsdl(self):
        jsdl, posix = "{http://schemas.ggf.org/jsdl/2005/11/jsdl}", "{http://schemas.ggf.org/jsdl/2005/11/jsdl-posix}"
        found = ElementTree.fromstring(self.described("jsdl").encode())
        application = found.find(f".//{posix}POSIXApplication")
        self.assertEqual(["Executable"] + ["Argument"] * len(ODD) + ["Output", "Error"], [e.tag.replace(posix, "") for e in application])
        self.assertEqual(ODD, [e.text or "" for e in application.findall(posix + "Argument")])
        self.assertEqual("my job", found.find(f".//{jsdl}DataStaging/{jsdl}FileName").text)

    def test_what_a_language_cannot_carry_is_refused(self):
        config = self.file("j.ini", self.INI)
        for form, argument in (("jdd", b"\xff"), ("jsdl", "\x01"), ("json", b"\xff")):
            done = self.command([TOOL, "-c", config, "-o", self.path("job"), "--describe", form, "--", argument])
            self.assertEqual(1, done.returncode)
            self.assertIn("cannot carry", done.err)

    GATEWAY = "[Application]\nscript = ./x\n[Directories]\nticket = gateway\nserver = data\nread = in\nwrite = out, /more\n"

    def test_the_gateway_is_asked_for_the_ticket(self):
        config = self.file("g.ini", self.GATEWAY)
        words = [TOOL, "-c", config, "-o", self.path("job"), "--describe"]
        self.assertEqual({"server": "data", "read": ["/in"], "write": ["/out", "/more"]}, json.loads(self.command([*words, "json"]).out)["chirp"])
        chirp = ElementTree.fromstring(self.command([*words, "jdd"]).out).find("extensions/chirp")
        self.assertEqual("data", chirp.get("server"))
        self.assertEqual([("read", "/in"), ("write", "/out"), ("write", "/more")], [(e.tag, e.text) for e in chirp])
        done = self.command([*words, "jsdl"])
        self.assertEqual((1, True), (done.returncode, "no words for a ticket" in done.err))
        with open(self.path("job"), encoding="utf-8") as wrapper:
            self.assertNotIn("PRIVATE KEY", wrapper.read())
        self.program("globusrun-ws", RECORDER.replace("exit 4", "exit 0"))
        self.assertEqual(0, self.command([TOOL, "-c", config, "-o", "job", "--submit", "ce"]).returncode)
        self.assertIn('<chirp server="data">', open(self.path("jdd.asked")).read())

    def test_the_wrapper_uses_the_ticket_of_the_gateway(self):
        self.file("a.sh", "#!/bin/sh\necho at $CHIRP_MOUNT\n", 0o755)
        config = self.file("g.ini", self.GATEWAY.replace("./x", "a.sh").replace("write = out, /more", "access = parrot"))
        self.assertEqual(0, self.command([TOOL, "-c", config, "-o", self.path("job")]).returncode)
        without = self.command([self.path("job")])
        self.assertEqual(206, without.returncode)
        self.assertIn("has made no ticket", without.err)
        self.program("parrot_run", """[ "$3" != true ] || exit 0
while [ "$1" != -i ]; do shift; done; cat "$2"; shift 2; exec "$@" """)
        ticket = self.file("the ticket", "this is the ticket\n", 0o600)
        done = self.command([self.path("job")], env=dict(self.environment, CHIRP_CLIENT_TICKETS=ticket, JOBGATE_CHIRP_SERVER="data.example.org:9094"))
        self.assertEqual((0, "this is the ticket\nat /chirp/data.example.org:9094\n"), (done.returncode, done.out), done.err)
        self.assertTrue(os.path.exists(ticket))

    def test_a_ticket_of_the_gateway_has_no_keys_of_an_own_server(self):
        for line, said in (
            ("export_base = /tmp", "export_base: is of a server of yours"),
            ("read = a b", "cannot name"),
            ("server = a/b", "is no name of a server"),
            ("read = ../in", "leads out"),
            ("ticket = mine", "must be gateway"),
        ):
            kept = [old for old in self.GATEWAY.splitlines() if old.split(" =")[0] != line.split(" =")[0]]
            done = self.command([TOOL, "-c", self.file("g.ini", "\n".join([*kept, line]) + "\n"), "--check"])
            self.assertEqual(1, done.returncode)
            self.assertIn(said, done.err)

    def test_one_job_is_followed_and_its_exit_code_kept(self):
        self.program("globusrun-ws", RECORDER)
        done = self.command([TOOL, "-c", self.file("j.ini", self.INI), "-o", "job", "--submit", "ce:8443", "--lrm", "Slurm", "--", "one"])
        self.assertEqual(4, done.returncode)
        self.assertEqual("-submit\n-F\nce:8443\n-f FILE\n-Ft\nSlurm\n-s\n", open(self.path("asked")).read())
        self.assertIn("<argument>one</argument>", open(self.path("jdd.asked")).read())

    def test_an_array_has_ids_of_its_own_and_says_who_was_refused(self):
        self.program("globusrun-ws", RECORDER.replace("exit 4", "exit 0"))
        words = [TOOL, "-c", self.file("j.ini", self.INI), "-o", "job", "--submit", "ce", "--queue", "3"]
        done = self.command(words)
        self.assertEqual((0, "job.0.epr\njob.1.epr\njob.2.epr\n"), (done.returncode, done.out))
        self.assertEqual(3, len(set(open(self.path("ids")).read().split())))
        for index in range(3):
            self.assertIn(f"<name>SKELETON_KEY_INDEX</name><value>{index}</value>", open(self.path("jdd.asked")).read())
        ids = open(self.path("ids")).read().split()
        self.assertIn(f"<directory>${{GLOBUS_USER_HOME}}/skeleton_key-{ids[0]}</directory>", open(self.path("jdd.asked")).read())
        self.assertIn(f"<file>file:///${{GLOBUS_USER_HOME}}/skeleton_key-{ids[0]}/job</file>", open(self.path("jdd.asked")).read())
        self.assertNotIn("-release", open(self.path("asked")).read())  # nothing holds a job of which no file is fetched
        self.file("refuse", "")
        done = self.command(words)
        self.assertEqual(1, done.returncode)
        self.assertIn("3 of 3 jobs were not taken: 0, 1, 2", done.err)


if __name__ == "__main__":
    unittest.main()
