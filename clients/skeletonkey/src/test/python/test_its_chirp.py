# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""The real Chirp server and tools of Debian: control, rights, tickets, data by copies and by FUSE."""

import os
import stat
import time
import unittest

from its import RealRoom
from room import SHELLS


class ControlTest(RealRoom):
    def test_start_status_restart_stop(self):
        self.assertEqual(3, self.control("status").returncode)
        self.chirp()
        first = self.control("status")
        self.assertEqual(0, first.returncode)
        self.assertRegex(first.out, r"^runs at 127\.0\.0\.1:\d+ \(process \d+\), exports ")
        self.assertIn("runs already", self.control("start").err)
        self.assertEqual(0, self.control("restart").returncode)
        second = self.control("status").out
        self.assertEqual(first.out.split()[2], second.split()[2], "wrappers name the port: it stays")
        self.assertNotEqual(first.out, second)
        self.assertEqual(0, self.control("stop").returncode)
        self.assertEqual(3, self.control("status").returncode)

    def test_a_server_that_was_killed_is_started_again(self):
        self.chirp()
        pid = int(self.read(".chirp", "chirp.pid"))
        os.kill(pid, 9)
        self.wait_until("status sees it", lambda: self.control("status").returncode == 3)
        self.assertEqual(0, self.control("start").returncode)

    def test_a_port_that_is_taken_is_said(self):
        self.chirp()
        port = self.control("status").out.split()[2].rsplit(":", 1)[1]
        self.environment["SKELETON_KEY_CHIRP_DIR"] = self.path("other")
        done = self.control("start", "--export", self.path("export"), "--interface", "127.0.0.1", "--port", port)
        self.assertEqual(1, done.returncode)
        self.assertIn("the Chirp server did not start", done.err)
        self.assertEqual(3, self.control("status").returncode)

    def test_export_changes_what_a_running_server_gives(self):
        self.chirp()
        self.file("second/only-here", "x")
        self.assertEqual(0, self.control("export", self.path("second")).returncode)
        self.assertEqual(self.path("second") + "\n", self.control("export").out)
        self.assertEqual(0, self.control("acl", "list", "/").returncode)
        self.assertIn("exports " + self.path("second"), self.control("status").out)

    def test_rights(self):
        self.chirp()
        self.assertEqual(f"unix:{self.owner.pw_name} rwldpa\n", self.control("acl", "list", "/in").out)
        self.assertEqual(0, self.control("acl", "set", "/my in", "unix:anna", "rl").returncode)
        self.assertIn("unix:anna rl\n", self.control("acl", "list", "/my in").out)
        self.assertEqual(0, self.control("acl", "remove", "/my in", "unix:anna").returncode)
        self.assertNotIn("anna", self.control("acl", "list", "/my in").out)
        for subject in ("unix:*", "hostname:*.example.org"):
            self.assertIn("will not let everybody", self.control("acl", "set", "/in", subject, "rwl").err)
        self.assertIn("are no rights", self.control("acl", "set", "/in", "unix:anna", "rx!").err)
        self.assertEqual(1, self.control("acl", "list", "/nowhere").returncode)

    def test_tickets(self):
        self.chirp()
        done = self.control("ticket", "create", "t.ticket", "/in=rl", "/my in=rl", "--lifetime", "2h")
        self.assertEqual(0, done.returncode, done.err)
        self.assertEqual(0o600, stat.S_IMODE(os.stat(self.path("t.ticket")).st_mode))
        self.assertIn("is there already", self.control("ticket", "create", "t.ticket", "/in=rl").err)
        name = self.control("ticket", "list").out.split()[0]
        self.assertEqual(0, self.control("ticket", "delete", name).returncode)
        self.assertNotIn(name, self.control("ticket", "list").out)
        self.assertEqual(2, self.control("ticket", "create", "u", "/in=rl", "--lifetime", "soon").returncode)

    def test_nothing_of_the_server_is_for_others(self):
        self.chirp()
        self.control("acl", "set", "/in", "unix:anna", "rl")
        for directory, _, files in os.walk(self.path(".chirp")):
            self.assertEqual(0, os.stat(directory).st_mode & 0o077)
        for directory, _, files in os.walk(self.path("export")):
            for name in files:
                self.assertEqual(0, os.stat(os.path.join(directory, name)).st_mode & 0o077, name)
            self.assertEqual(0, os.stat(directory).st_mode & 0o002)


JOB = """[Application]
script = /bin/sh
arguments = -c 'cat "$CHIRP_MOUNT/in/a.txt" && cat "$CHIRP_MOUNT/my in/b c.txt" && echo result >"$CHIRP_MOUNT/out/r.txt" && { mv "$CHIRP_MOUNT/out/r.txt" "$CHIRP_MOUNT/out/final.txt" 2>/dev/null || exit 9; } && mkdir -p "$CHIRP_MOUNT/out/deep" && echo d >"$CHIRP_MOUNT/out/deep/d.txt" && exit 3'
"""


class DataTest(RealRoom):
    def setUp(self):
        super().setUp()
        self.chirp()
        self.file("export/in/a.txt", "alpha\n")
        self.file("export/my in/b c.txt", "beta\n")
        self.file("export/secret", "secret\n")

    def came_out(self, done):
        self.assertEqual((3, "alpha\nbeta\n"), (done.returncode, done.out), done.err)
        self.assertEqual("result\n", self.read("export", "out", "final.txt"))
        self.assertEqual("d\n", self.read("export", "out", "deep", "d.txt"))
        self.assertEqual("secret\n", self.read("export", "secret"), "cleaning up must not reach through a mount")
        self.assertEqual("alpha\n", self.read("export", "in", "a.txt"))

    def test_data_by_copies(self):
        wrapper = self.make(JOB + self.directories("access = copy\nfetch = in/a.txt, my in\n"))
        for shell in SHELLS:
            with self.subTest(shell):
                self.came_out(self.run_wrapper(wrapper, shell=shell))

    def test_data_through_fuse(self):
        self.with_fuse()
        wrapper = self.make(JOB + self.directories("access = fuse\n"))
        for shell in SHELLS:
            with self.subTest(shell):
                done = self.run_wrapper(wrapper, shell=shell)
                self.came_out(done)
                self.assertIn("through fuse, in CHIRP_MOUNT", done.err)
                self.assertNotIn(self.scratch, self.mounts())

    def mounts(self):
        with open("/proc/mounts", encoding="utf-8") as file:
            return file.read().replace("\\040", " ")

    def test_fuse_gives_what_the_ticket_gives_and_no_more(self):
        self.with_fuse()
        wrapper = self.make(
            "[Application]\nscript = /bin/sh\narguments = -c 'cat \"$CHIRP_MOUNT/secret\"; echo no >\"$CHIRP_MOUNT/in/a.txt\"; rm \"$CHIRP_MOUNT/in/a.txt\"; true'\n" + self.directories("access = fuse\n")
        )
        done = self.run_wrapper(wrapper)
        self.assertEqual((0, ""), (done.returncode, done.out), done.err)
        self.assertEqual(("secret\n", "alpha\n"), (self.read("export", "secret"), self.read("export", "in", "a.txt")))

    def test_kill_9_unmounts_and_removes(self):
        self.with_fuse()
        process = self.start_wrapper(self.make(f"[Application]\nscript = /bin/sh\narguments = -c 'cat \"$CHIRP_MOUNT/in/a.txt\" >\"$0\"; sleep 600' '{self.path('seen')}'\n" + self.directories("access = fuse\n")))
        self.wait_until("the script reads", lambda: os.path.exists(self.path("seen")) and self.read("seen") == "alpha\n")
        process.kill()
        self.wait_until("all is gone", lambda: not os.listdir(self.scratch))
        self.assertNotIn(self.scratch, self.mounts())
        self.assertEqual("alpha\n", self.read("export", "in", "a.txt"))

    def test_a_script_that_holds_the_mount_open_is_ended_first(self):
        self.with_fuse()
        done = self.run_wrapper(self.make("[Application]\nscript = /bin/sh\narguments = -c 'cd \"$CHIRP_MOUNT/in\"; sleep 600 >/dev/null 2>&1 &'\n" + self.directories("access = fuse\n")))
        self.assertEqual(0, done.returncode, done.err)
        self.assertNotIn(self.scratch, self.mounts())

    def test_a_write_that_the_server_refuses_is_told(self):
        wrapper = self.make("[Application]\nscript = /bin/sh\narguments = -c 'echo x >\"$CHIRP_MOUNT/out/a b\"'\n" + self.directories("access = copy\nfetch = in\n"))
        self.control("ticket", "delete", self.control("ticket", "list").out.split()[0])
        done = self.command([wrapper])
        self.assertEqual(205, done.returncode, done.err)
        self.assertIn("cannot copy /in from", done.err)
        only_write = self.make("[Application]\nscript = /bin/sh\narguments = -c 'echo x >\"$CHIRP_MOUNT/out/a b\"'\n" + self.directories("access = copy\n").replace("read = in, my in\n", ""))
        self.control("ticket", "delete", self.control("ticket", "list").out.split()[0])
        done = self.command([only_write])
        self.assertEqual(205, done.returncode, done.err)
        self.assertIn("/out/a b", done.err)
        self.assertFalse(os.path.exists(self.path("export/out/a b")), "chirp_put says that all went well")

    def test_an_expired_ticket_is_refused_by_wrapper_and_server(self):
        wrapper = self.make(JOB + self.directories("access = copy\nfetch = in/a.txt, my in\n"))
        address = self.control("status").out.split()[2].rstrip(",")
        done = self.as_owner(["chirp", "-a", "unix", address, "ticket_create", "-output", "short", "-bits", "1024", "-duration", "2", "/in", "rl", "/my in", "rl"])
        self.assertEqual(0, done.returncode, done.err)
        text = self.read("job")
        ticket = text[text.index("# Chirp Ticket"): text.index("\nEND_OF_TEXT")]
        self.file("job", text.replace(ticket, self.read("short").strip()), 0o700)
        time.sleep(3)
        done = self.run_wrapper(wrapper)
        self.assertEqual(205, done.returncode, "a node whose clock is wrong is told by the server: " + done.err)
        ends = text.split("ticket_expires='")[1].split("'")[0]
        self.file("job", text.replace(f"ticket_expires='{ends}'", f"ticket_expires='{int(time.time()) - 1}'"), 0o700)
        self.assertEqual(201, self.run_wrapper(wrapper).returncode)

    def test_odd_names_come_back_as_they_were(self):
        self.file("odd.sh", """#!/bin/sh
cd "$CHIRP_MOUNT/out" && mkdir "d x" && for n in "a b" 'q"' "it's" "d x/y z" "-n" '$(id)' '*'; do printf %s "$n" >"./$n" || exit 1; done
""", 0o755)
        done = self.run_wrapper(self.make("[Application]\nscript = ./odd.sh\n" + self.directories("access = copy\n").replace("read = in, my in\n", "")))
        self.assertEqual(0, done.returncode, done.err)
        for name in ("a b", 'q"', "it's", "d x/y z", "-n", "$(id)", "*"):
            self.assertEqual(name, self.read("export", "out", name))

    def test_names_beyond_ascii_are_told_and_not_put_over_each_other(self):
        self.file("odd.sh", """#!/bin/sh
cd "$CHIRP_MOUNT/out" && echo 1 >ü && echo 2 >ö && echo 3 >plain
""", 0o755)
        done = self.run_wrapper(self.make("[Application]\nscript = ./odd.sh\n" + self.directories("access = copy\n").replace("read = in, my in\n", "")))
        self.assertEqual(205, done.returncode)
        self.assertIn("/out/ü (Chirp carries no names beyond ASCII)", done.err)
        self.assertEqual(["plain"], sorted(name for name in os.listdir(self.path("export/out")) if not name.startswith(".__")))

    def test_a_directory_without_rights_of_its_own_is_read(self):
        self.assertFalse(os.path.exists(self.path("export/in/.__acl")))
        self.assertEqual(0, self.run_wrapper(self.make("[Application]\nscript = /bin/sh\narguments = -c 'cat \"$CHIRP_MOUNT/in/a.txt\"'\n" + self.directories("access = copy\nfetch = in\n"))).returncode)
        self.assertFalse(os.path.exists(self.path("export/in/.__acl")), "none is made that would be less than the server's")


if __name__ == "__main__":
    unittest.main()
