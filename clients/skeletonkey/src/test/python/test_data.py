# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Ways to data and software: tickets, parrot and CVMFS.

parrot_run can be had from no registry: a recorder stands in for it here, which writes down its command line and runs the program. So these
tests show what parrot would be asked, not that it does it. The stand-in for chirp answers as Debian's does (a capture); the real one is tried by
test_its_*.py.
"""

import os
import pwd
import time
import unittest

from room import ROOT, Room, Server, SHELLS

ME = "unix:" + pwd.getpwuid(os.getuid()).pw_name
CHIRP = r"""
import os, sys, time
words = sys.argv[1:]
open(os.environ["HOME"] + "/asked", "a").write(" ".join(words) + "\n")
command = words[words.index("127.0.0.1:9999") + 1:]
acl = os.environ["HOME"] + "/acl"
if command[0] == "whoami": print("@ME@")
elif command[0] == "getacl": print(open(acl).read() if os.path.exists(acl) else "@ME@ rwldpa", end="")
elif command[0] == "setacl": open(acl, "w").write(command[2] + " " + command[3] + "\n")
elif command[0] == "ticket_create":
    file, pairs = command[2], command[7:]
    with open(file, "w") as out:
        out.write("# Chirp Ticket\n-----BEGIN PRIVATE KEY-----\nAA$(id)'\\\nEND_OF_TEXT\n-----END PRIVATE KEY-----\n# ...: Registered with 127.0.0.1:9999 as \"self\". Expires on Thu Nov 26 15:09:55 2026\n")
        for path, mask in zip(pairs[::2], pairs[1::2]):
            if os.environ.get("REFUSE") != path:
                out.write("# ...: Set ACL Mask on 127.0.0.1:9999 directory = '%s' mask = '%s'.\n" % (path, mask))
    if "REFUSE" in os.environ: print("ticket: could not set acl mask"); sys.exit(0)
"""
PARROT = r"""printf '%s\n' "$@" >>"$HOME/parrot.asked"; echo -- >>"$HOME/parrot.asked"
while [ $# -gt 0 ]; do case $1 in -i) cp "$2" "$HOME/ticket.seen"; stat -c %a "$2" >"$HOME/ticket.mode"; shift 2 ;; -t | -r | -a) shift 2 ;; *) break ;; esac; done
exec "$@" """


class DataTest(Room):
    def setUp(self):
        super().setUp()
        for name in ("export/in", "export/out", "export/my in"):
            os.makedirs(self.path(name))
        self.file(".chirp/chirp_options", f"EXPORT_DIR={self.path('export')}\nCHIRP_HOST=127.0.0.1\n")
        self.file(".chirp/chirp.port", "9999\n")
        self.program("chirp", CHIRP.replace("@ME@", ME), "/usr/bin/env python3")
        self.program("parrot_run", PARROT)
        self.ini = f"[Application]\nscript = /bin/sh\narguments = -c 'echo \"$CHIRP_MOUNT\"'\n[Directories]\nexport_base = {self.path('export')}\nread = in, my in\nwrite = out\n"

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def test_a_ticket_is_made_embedded_and_given_to_parrot(self):
        wrapper = self.make(self.ini)
        self.assertIn("ticket_create -output", self.read("asked"))
        self.assertRegex(self.read("asked"), r"-bits 2048 -duration 86400 /in rl /my in rl /out rwld\n")
        for shell in SHELLS:
            with self.subTest(shell):
                done = self.run_wrapper(wrapper, shell=shell)
                self.assertEqual((0, "/chirp/127.0.0.1:9999\n"), (done.returncode, done.out), done.err)
                self.assertIn("data of 127.0.0.1:9999 through parrot", done.err)
                self.assertEqual("600\n", self.read("ticket.mode"))
                self.assertIn("\nAA$(id)'\\\nEND_OF_TEXT\n-----END PRIVATE KEY-----\n", self.read("ticket.seen"))
        asked = self.read("parrot.asked").split("\n--\n")
        self.assertRegex(asked[0], r"^-t\n.*/parrot_cache\ntrue$")
        self.assertRegex(asked[1], r"^-t\n.*/parrot_cache\n-a\nticket\n-i\n.*/chirp.ticket\n/bin/sh\n-c\necho \"\$CHIRP_MOUNT\"$")

    def test_an_expired_ticket_ends_it_before_anything_is_fetched(self):
        wrapper = self.make(self.ini.replace("[Directories]", "location = http://127.0.0.1:9/x\n[Directories]") + "ticket_lifetime = 60s\n")
        text = self.read("job")
        ends = int(text.split("ticket_expires='")[1].split("'")[0])
        self.assertTrue(time.time() + 20 < ends <= time.time() + 60)
        self.file("job", text.replace(f"ticket_expires='{ends}'", f"ticket_expires='{int(time.time()) - 5}'"), 0o700)
        done = self.run_wrapper(wrapper)
        self.assertEqual((201, ""), (done.returncode, done.out))
        self.assertRegex(done.err, r"ERROR: Ticket expired, exiting\.\.\. \(its end was \d+ s ago")

    def test_rights_that_the_ticket_passes_on_are_added_and_said(self):
        self.file("acl", f"{ME} r\n")
        config = self.file("j.ini", self.ini)
        done = self.command([os.path.join(ROOT, "bin", "skeleton_key"), "-c", config, "-o", self.path("job")])
        self.assertEqual(0, done.returncode)
        self.assertIn(f"{ME} was given 'l' for /in, which the ticket passes on", done.err)

    def test_a_ticket_that_lacks_a_right_is_refused(self):
        self.environment["REFUSE"] = "/in"
        self.assertIn("the ticket was not given 'rl' for /in: ticket: could not set acl mask", self.refused(self.ini))

    def test_directories_outside_of_the_running_servers_export(self):
        os.mkdir(self.path("other"))
        os.mkdir(self.path("other/in"))
        said = self.refused(f"[Application]\nscript = x\n[Directories]\nexport_base = {self.path('other')}\nread = in\n")
        self.assertIn(f"export_base {self.path('other')} is outside of what the Chirp server exports, which is {self.path('export')}", said)

    def test_a_base_below_the_export_is_found_on_the_server(self):
        os.makedirs(self.path("export/out/deep"))
        self.make(f"[Application]\nscript = x\n[Directories]\nexport_base = {self.path('export/out')}\nread = deep\n")
        self.assertIn("/out/deep rl\n", self.read("asked"))

    def test_no_server_answers(self):
        self.file(".chirp/chirp.port", "")
        self.assertIn("no Chirp server of yours answers; start it: chirp_control start", self.refused(self.ini))

    def test_no_way_to_the_data_is_said_with_the_reasons(self):
        self.program("parrot_run", "echo 'ptrace: Operation not permitted' >&2; exit 1")
        self.program("chirp_fuse", "echo 'chirp_fuse: sorry, fuse support was not built in'")
        done = self.run_wrapper(self.make(self.ini))
        self.assertEqual(206, done.returncode)
        for said in (
            "data not through parrot: parrot_run is here and cannot run a program: ptrace: Operation not permitted",
            "data not through FUSE: chirp_fuse is of no use: chirp_fuse: sorry, fuse support was not built in",
            "no way to the data at 127.0.0.1:9999 on this node",
        ):
            self.assertIn(said, done.err)

    def test_parrot_is_fetched_from_its_location_by_the_name_of_the_system(self):
        os.unlink(self.path("bin/parrot_run"))
        body = open(self.archive("p", **{"cctools__bin__parrot_run": "#!/bin/sh\n" + PARROT})[0], "rb").read()
        for system, name in (("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\nVERSION_ID=\"9.4\"\n", "sl9"), ("ID=debian\nVERSION_ID=\"12\"\n", "debian12"), ("ID=scientific\nID_LIKE='rhel'\nVERSION_ID=\"10.1\"\n", "sl10")):
            with self.subTest(name):
                self.environment["SKELETON_KEY_OS_RELEASE"] = self.file("os-release", system)
                server = Server.of(self, **{f"tools/parrot-{name}.tar.gz": body})
                done = self.run_wrapper(self.make(self.ini + f"[Parrot]\nlocation = {server.url}/tools\n"))
                self.assertEqual("/chirp/127.0.0.1:9999\n", done.out, done.err)
                self.assertEqual([f"/tools/parrot-{name}.tar.gz"], server.asked)

    def test_a_bundle_brings_the_tools(self):
        os.unlink(self.path("bin/parrot_run"))
        bundle, _ = self.archive("bundle.tar.gz", bin__parrot_run="#!/bin/sh\n" + PARROT)
        self.assertEqual("/chirp/127.0.0.1:9999\n", self.run_wrapper(self.make(self.ini, "job", "--bundle", bundle)).out)
        nothing, _ = self.archive("nothing.tar.gz", readme="x")
        self.assertIn("has no directory bin with programs in it", self.refused(self.ini, "--bundle", nothing))

    def cvmfs(self, server, more=""):
        return (
            f"[Application]\nscript = /bin/echo\narguments = hello\nhttp_proxy = http://127.0.0.1:3128\n[CVMFS]\nrepo1 = a.example.org\nrepo1_key = {server.url}/k/a.pub\n"
            f"repo1_options = url=http://s/cvmfs/a.example.org,pubkey=/x/a.pub,proxies=DIRECT,quota_limit=900\n"
            f"repo2 = b.example.org\nrepo2_key = {server.url}/k/b.pub\nrepo2_options = url=http://s/b\n{more}"
        )

    def test_cvmfs_that_is_mounted_is_used_and_the_rest_is_parrots(self):
        key = Server.of(self, **{"k/b.pub": b"KEY", "k/a.pub": b"KEY"})
        self.file("cvmfs/a.example.org/sw", "")
        self.environment["CVMFS_MOUNT_DIR"] = self.path("cvmfs")
        wrapper = self.make(self.cvmfs(key).replace("http_proxy = http://127.0.0.1:3128\n", ""))
        done = self.run_wrapper(wrapper)
        self.assertEqual((0, "hello\n"), (done.returncode, done.out), done.err)
        self.assertIn("/cvmfs/a.example.org: mounted on this node\n", done.err)
        self.assertIn("/cvmfs/b.example.org: through parrot\n", done.err)
        self.assertRegex(self.read("parrot.asked"), r"(?m)^-r\nb\.example\.org:url=http://s/b,pubkey=.*/keys/b\.pub\n/bin/echo\nhello\n--$")
        self.assertEqual(["/k/b.pub"], key.asked)
        os.unlink(self.path("parrot.asked"))
        self.file("cvmfs/b.example.org/sw", "")
        self.assertEqual("hello\n", self.run_wrapper(wrapper).out)
        self.assertFalse(os.path.exists(self.path("parrot.asked")), "parrot is not needed where all is mounted")

    def test_the_proxy_goes_before_those_of_the_options(self):
        key = Server.of(self, **{"k/b.pub": b"KEY", "k/a.pub": b"KEY"})
        self.environment["OSG_SQUID_LOCATION"] = "127.0.0.1:%d" % Server(self, lambda path, _: (200, b"KEY")).server_address[1]
        self.environment["CVMFS_MOUNT_DIR"] = self.path("nowhere")
        done = self.run_wrapper(self.make(self.cvmfs(key)))
        self.assertEqual(0, done.returncode, done.err)
        squid = "http://" + self.environment["OSG_SQUID_LOCATION"]
        self.assertIn(f"\na.example.org:url=http://s/cvmfs/a.example.org,proxies={squid};DIRECT,quota_limit=900,pubkey=", self.read("parrot.asked"))
        self.assertIn(f" b.example.org:url=http://s/b,proxies={squid},pubkey=", self.read("parrot.asked"))

    def test_cvmfs_without_mount_and_parrot_is_an_error(self):
        os.unlink(self.path("bin/parrot_run"))
        self.environment["CVMFS_MOUNT_DIR"] = self.path("nowhere")
        done = self.run_wrapper(self.make(self.cvmfs(Server.of(self))))
        self.assertEqual(206, done.returncode)
        self.assertIn("/cvmfs/a.example.org is not mounted on this node, and parrot cannot give it: parrot_run is not here", done.err)

    def test_what_is_explained(self):
        config = self.file("j.ini", self.ini + "fetch = in\n[CVMFS]\nrepo1 = a.example.org\nrepo1_key = http://k/a.pub\nrepo1_options = url=http://s\n")
        done = self.command([os.path.join(ROOT, "bin", "skeleton_key"), "-c", config, "--explain"])
        self.assertEqual(0, done.returncode, done.err)
        for said in ("End with 201 if the ticket has expired", "/cvmfs/a.example.org: mounted on the node, else by parrot", "Give access to /in (rl), /my in (rl), /out (rwld)", "Run /bin/sh '-c'"):
            self.assertIn(said, done.out)
        self.assertFalse(os.path.exists(self.path("asked")), "explaining asks no server")


class ControlTest(Room):
    """What chirp_control refuses before it asks anybody; the real server is in test_its_chirp.py."""

    def control(self, *words):
        return self.command([os.path.join(ROOT, "bin", "chirp_control"), *words])

    def test_a_world_writable_directory_is_not_exported(self):
        os.mkdir(self.path("open"))
        os.chmod(self.path("open"), 0o1777)
        done = self.control("export", self.path("open"))
        self.assertEqual(1, done.returncode)
        self.assertIn("everybody may write to it", done.err)
        for path in ("/", self.room, self.path("nowhere"), self.file("plain", "")):
            with self.subTest(path):
                self.assertEqual(1, self.control("export", path).returncode)

    def test_files_of_ours_that_others_may_write_are_refused(self):
        os.mkdir(self.path("good"), 0o755)
        self.file(".chirp/acl", f"{ME} rwlda\n", 0o666)
        os.chmod(self.path(".chirp"), 0o777)
        self.assertIn("must be yours and writable by you alone", self.control("start", "--export", self.path("good")).err)
        os.chmod(self.path(".chirp"), 0o700)
        self.assertIn("must be writable by you alone", self.control("start", "--export", self.path("good")).err)
        self.file(".chirp/acl", f"{ME} rwlda\nunix:* rwl\n", 0o600)
        self.assertIn("line 2: would let everybody who matches unix:* change files (rwl)", self.control("start", "--export", self.path("good")).err)

    def test_root_starts_no_server(self):
        if os.geteuid():
            self.skipTest("needs root: LEFT OUT")
        os.mkdir(self.path("good"), 0o755)
        done = self.control("start", "--export", self.path("good"))
        self.assertEqual(1, done.returncode)
        self.assertIn("does not run as root", done.err)

    def test_the_command_line(self):
        for words, status, said in (
            ([], 2, "what is to be done?"),
            (["sttart"], 2, "there is no command 'sttart'"),
            (["start", "now"], 2, "start takes no 'now'"),
            (["start"], 1, "nothing is exported yet"),
            (["stop"], 0, "no server of yours runs"),
            (["status"], 3, ""),
            (["acl", "list", "/"], 1, "no Chirp server of yours answers"),
        ):
            with self.subTest(words):
                done = self.control(*words)
                self.assertEqual(status, done.returncode, done.err)
                self.assertIn(said, done.err)

    def test_a_process_that_took_the_servers_number_is_not_stopped(self):
        self.file(".chirp/chirp.pid", f"{os.getpid()}\n")
        self.assertIn("no server of yours runs", self.control("stop").err)


if __name__ == "__main__":
    unittest.main()
