# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Wrappers that run: arguments, endings, signals, downloads. No service is needed."""

import os
import re
import signal
import subprocess
import time
import unittest

from room import SHELLS, Room, Server, end, gone

SHOW = """import os, sys
open(sys.argv[1], 'wb').write(b'\\0'.join(os.fsencode(a) for a in sys.argv[2:]))"""


def app(script="/bin/sh", arguments="", more=""):
    return f"[Application]\nscript = {script}\narguments = {arguments}\n{more}"


class EndingTest(Room):
    def test_arguments_are_passed_byte_for_byte_by_every_shell(self):
        self.file("show.py", SHOW)
        wrapper = self.make("[Application]\nscript = python3\narguments = '" + self.path("show.py") + "' '" + self.path("seen") + "' 'a  b' \"it's\" \"\" $HOME \\\\ * caf\udce9\n")
        odd = ["", " ", "'", '"', "$(id)", "`id`", "-x", "--", "a\nb", "\\n", "ü", "*", "x y", b"\xff\xfe", "-d"]
        for shell in SHELLS:
            with self.subTest(shell):
                done = self.run_wrapper(wrapper, "--", *odd, shell=shell)
                self.assertEqual(0, done.returncode, done.err)
                with open(self.path("seen"), "rb") as seen:
                    got = seen.read().split(b"\0")
                self.assertEqual([b"a  b", b"it's", b"", b"$HOME", b"\\", b"*", b"caf\xe9"] + [os.fsencode(a) for a in odd], got)

    def test_the_exit_code_is_kept(self):
        wrapper = self.make(app(arguments="-c 'eval \"$0\"'"))
        for shell in SHELLS:
            for what, code in (("exit 0", 0), ("exit 5", 5), ("exit 127", 127), ("exit 255", 255), ("kill -9 $$", 137)):
                with self.subTest(shell=shell, what=what):
                    self.assertEqual(code, self.run_wrapper(wrapper, what, shell=shell).returncode)

    def test_input_output_and_umask_are_the_callers(self):
        wrapper = self.make(app(arguments="-c 'cat; echo e >&2; umask'"))
        done = self.command([wrapper], stdin=None, input=b"from outside\n", preexec_fn=lambda: os.umask(0o027))
        self.assertEqual(("from outside\n0027\n", "e\n"), (done.out, done.err))

    def test_a_script_that_is_not_there_or_not_executable(self):
        self.assertEqual(207, self.run_wrapper(self.make(app("./nowhere"))).returncode)
        self.file("plain", "echo no")
        done = self.run_wrapper(self.make(app("./plain")))
        self.assertEqual(207, done.returncode)
        self.assertIn("is not executable", done.err)

    def test_signals_are_passed_on_and_the_directory_goes(self):
        wrapper = self.make(app(arguments="""-c 'for s in HUP INT QUIT USR1 USR2 TERM; do trap "echo $s >>\\"$0\\"; [ $s != TERM ] || exit 7" $s; done; echo $$ >"$0.ready"; while :; do sleep 0.05; done' """ + f"'{self.path('got')}'"))
        process = self.start_wrapper(wrapper)
        self.wait_until("the script runs", lambda: os.path.exists(self.path("got.ready")))
        for name in ("USR1", "USR2", "HUP", "INT", "QUIT", "TERM"):
            process.send_signal(getattr(signal, "SIG" + name))
            self.wait_until(name + " arrives", lambda: os.path.exists(self.path("got")) and name in open(self.path("got")).read())
        self.assertEqual(7, process.wait(240))
        self.assertEqual([], os.listdir(self.scratch))

    def test_a_signal_that_ends_the_script_is_its_exit_code(self):
        process = self.start_wrapper(self.make(app("sleep", "600")))
        self.wait_until("the script runs", lambda: any("started" in files for _, _, files in os.walk(self.scratch)))
        time.sleep(0.2)
        process.terminate()
        self.assertEqual(143, process.wait(240))
        self.assertEqual([], os.listdir(self.scratch))

    def test_a_signal_during_a_download_ends_it(self):
        server = Server(self, lambda path, _: time.sleep(600) or (200, b""))
        process = self.start_wrapper(self.make(app(more=f"location = {server.url}/app.tar.gz\n")))
        self.wait_until("the download begins", lambda: server.asked)
        process.terminate()
        # long before the download would be over
        _, err = process.communicate(timeout=240)
        self.assertEqual((143, []), (process.returncode, os.listdir(self.scratch)))
        self.assertIn(b"ended by signal 15 before the script was started", err)

    def test_a_script_that_forks_away_is_ended(self):
        away = self.file("away.py", f"import os, time\nif os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0:\n    open({self.path('pid')!r}, 'w').write(str(os.getpid()))\n    os.closerange(0, 3)\n    time.sleep(600)\n  os._exit(0)\nos.wait()\n")
        wrapper = self.make(app("python3", f"'{away}'"))
        done = self.run_wrapper(wrapper)
        self.assertEqual(0, done.returncode)
        self.wait_until("it says who it is", lambda: os.path.exists(self.path("pid")) and open(self.path("pid")).read())
        pid = int(open(self.path("pid")).read())
        self.addCleanup(end, pid)
        self.assertIn("ending what the script has left running", done.err)
        self.wait_until("it is ended", lambda: gone(pid))

    def test_a_script_that_leaves_a_deaf_process_in_its_group(self):
        done = self.run_wrapper(self.make(app(arguments="""-c '(trap "" TERM; exec sleep 600) >/dev/null 2>&1 & echo $!'""")))
        self.assertEqual(0, done.returncode)
        self.addCleanup(end, int(done.out))
        self.wait_until("it is ended", lambda: gone(int(done.out)))

    def test_kill_9_of_the_wrapper_leaves_nothing(self):
        process = self.start_wrapper(self.make(app(arguments=f"""-c 'echo $$ >"$0"; exec sleep 600' '{self.path("pid")}'""")))
        self.wait_until("the script runs", lambda: os.path.exists(self.path("pid")) and open(self.path("pid")).read())
        pid = int(open(self.path("pid")).read())
        self.addCleanup(end, pid)
        process.kill()
        self.wait_until("the script is ended", lambda: gone(pid))
        self.wait_until("the directory is removed", lambda: not os.listdir(self.scratch))

    def test_two_wrappers_in_one_directory(self):
        wrapper = self.make(app(arguments="""-c 'echo "$1" >mine; while [ ! -e "$0" ]; do sleep 0.05; done; cat mine; pwd'""" + f" '{self.path('go')}'"))
        both = [self.start_wrapper(wrapper, word) for word in ("one", "two")]
        self.wait_until("both run", lambda: len([f for _, _, files in os.walk(self.scratch) for f in files if f == "mine"]) == 2)
        self.file("go", "")
        out = [process.communicate(timeout=240)[0].decode().split("\n") for process in both]
        self.assertEqual(["one", "two"], [lines[0] for lines in out])
        self.assertNotEqual(out[0][1], out[1][1])
        self.assertEqual([], os.listdir(self.scratch))

    def test_preserve_dir_and_debug(self):
        wrapper = self.make(app(arguments="-c 'echo kept >kept; exit 3'"))
        done = self.command([wrapper, "-d", "--preserve-dir"])
        self.assertEqual(3, done.returncode)
        self.assertIn("the script ended with status 3", done.err)
        place = re.search(r"stays, without ticket and proxy: (.*)", done.err).group(1)
        self.assertEqual("kept\n", open(os.path.join(place, "job", "kept")).read())

    def test_temporary_files_of_the_script_go_too(self):
        done = self.run_wrapper(self.make(app(arguments="-c 'mktemp'")))
        self.assertRegex(done.out, r"scratch/skeleton_key\.\w+/tmp/tmp\.\w+\n$")

    def test_what_the_script_makes_unreadable_is_removed_and_links_are_not_followed(self):
        self.file("mine/kept", "x")
        self.assertEqual(0, self.run_wrapper(self.make(app(arguments=f"""-c 'mkdir -p a/b; touch a/b/c; chmod 0 a/b a; ln -s "$0" link' '{self.path("mine")}'"""))).returncode)
        self.assertEqual("x", open(self.path("mine/kept")).read())

    def test_the_wrapper_is_its_owners_alone_and_a_link_at_its_place_is_replaced(self):
        self.file("target", "kept")
        os.symlink("target", self.path("job"))
        wrapper = self.make(app())
        self.assertEqual(0o700, os.lstat(wrapper).st_mode & 0o7777)
        self.assertEqual("kept", open(self.path("target")).read())

    def test_a_proxy_is_embedded_only_where_asked_for_and_0600(self):
        pem = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nEND_OF_TEXT\n$(id)\n-----END PRIVATE KEY-----\n"
        path = self.file("proxy.pem", pem, 0o600)
        self.environment["X509_USER_PROXY"] = path
        show = """-c 'printf %s "$X509_USER_PROXY"; [ ! -e "$X509_USER_PROXY" ] || { stat -c " %a" "$X509_USER_PROXY"; cat "$X509_USER_PROXY"; }'"""
        plain = self.make(app(arguments=show))
        self.assertNotIn("PRIVATE KEY", open(plain).read())
        done = self.run_wrapper(self.make(app(arguments=show, more=f"user_proxy = {path}\n")))
        first, _, rest = done.out.partition("\n")
        self.assertRegex(first, r"scratch/skeleton_key\.\w+/user_proxy 600$")
        self.assertEqual(pem, rest)

    def test_a_directory_for_work_with_odd_names_and_none_at_all(self):
        self.scratch = self.path("a 'ü\" [x] $b")
        os.mkdir(self.scratch)
        self.environment["TMPDIR"] = self.scratch
        self.assertEqual(0, self.run_wrapper(self.make(app(arguments="-c 'pwd'"))).returncode)
        self.environment["_CONDOR_SCRATCH_DIR"] = self.path("bin")
        self.assertIn(self.path("bin"), self.run_wrapper(self.make(app(arguments="-c 'pwd'"))).out)


class DownloadTest(Room):
    def setUp(self):
        super().setUp()
        path, self.sum = self.archive(app__run__sh="#!/bin/sh\necho ran $1\n")
        os.rename(path, self.path("a"))
        with open(self.path("a"), "rb") as file:
            self.body = file.read()

    def ini(self, location, more=""):
        return f"[Application]\nscript = ./app/run/sh\nlocation = {location}\n{more}"

    def test_the_application_is_fetched_unpacked_and_run_by_every_shell(self):
        server = Server.of(self, app=self.body)
        wrapper = self.make(self.ini(server.url + "/app", f"location_sha256 = {self.sum}\n"))
        for shell in SHELLS:
            with self.subTest(shell):
                self.assertEqual("ran x\n", self.run_wrapper(wrapper, "x", shell=shell).out)
        self.assertEqual("ran x\n", self.run_wrapper(self.make(self.ini("file://" + self.path("a").replace(" ", " ")).replace(self.room, self.plain_room())), "x").out)

    def plain_room(self):
        """The room by a way without blanks, as URLs want it."""
        link = f"/tmp/sk-room-{os.getpid()}"
        if os.path.islink(link):
            os.unlink(link)
        os.symlink(self.room, link)
        self.addCleanup(lambda: os.path.islink(link) and os.unlink(link))
        return link

    def test_wget_and_python_do_where_there_is_no_curl(self):
        server = Server.of(self, app=self.body)
        wrapper = self.make(self.ini(server.url + "/app", f"location_sha256 = {self.sum}\n"))
        base = "sh mktemp date mkfifo mkdir rm cat tar gzip grep sed tr df wc sleep timeout sha256sum env setsid chmod ls true head tail find python3".split()
        for tool in ("wget", "python3", "curl"):
            found = [d for d in ("/usr/bin", "/bin") if os.path.exists(os.path.join(d, tool))]
            if not found:
                continue
            with self.subTest(tool):
                directory = self.path("only-" + tool)
                os.mkdir(directory)
                for name in set(base + [tool]):
                    for place in ("/usr/bin/", "/bin/"):
                        if os.path.exists(place + name) and not os.path.lexists(os.path.join(directory, name)):
                            os.symlink(place + name, os.path.join(directory, name))
                done = self.command([wrapper, "y"], env=dict(self.environment, PATH=directory))
                self.assertEqual("ran y\n", done.out, done.err)

    def test_a_wrong_checksum_is_refused_after_four_tries(self):
        server = Server.of(self, app=self.body)
        done = self.run_wrapper(self.make(self.ini(server.url + "/app", f"location_sha256 = {64 * '0'}\n")))
        self.assertEqual((203, ""), (done.returncode, done.out))
        self.assertIn(f"its SHA-256 is {self.sum}, not {64 * '0'}", done.err)
        self.assertEqual(4, len(server.asked))

    def test_a_server_that_fails_at_first_is_asked_again(self):
        answers = [(500, b"no"), (503, b"no"), (200, self.body)]
        server = Server(self, lambda *_: answers.pop(0))
        done = self.run_wrapper(self.make(self.ini(server.url + "/app")), "again")
        self.assertEqual("ran again\n", done.out, done.err)
        self.assertIn("try 2 of 4", done.err)

    def test_no_way_out_of_the_node(self):
        done = self.run_wrapper(self.make(self.ini("http://127.0.0.1:9/app")))
        self.assertEqual(202, done.returncode)
        self.assertIn("cannot fetch the application from http://127.0.0.1:9/app", done.err)
        self.assertIn("Has this node a way out", done.err)

    def test_the_proxy_named_is_used_and_the_sites_own_goes_before(self):
        proxy = Server.of(self, **{"ttp://origin.invalid/app": self.body})
        wrapper = self.make(self.ini("http://origin.invalid/app", f"http_proxy = {proxy.url}\n"))
        self.assertEqual("ran\n", self.run_wrapper(wrapper).out)
        self.assertEqual(["http://origin.invalid/app"], proxy.asked)
        site = Server.of(self, **{"ttp://origin.invalid/app": self.body})
        self.environment["OSG_SQUID_LOCATION"] = site.url[len("http://"):]
        self.assertEqual("ran\n", self.run_wrapper(wrapper).out)
        self.assertEqual((1, 1), (len(proxy.asked), len(site.asked)))
        self.environment["OSG_SQUID_LOCATION"] = "UNAVAILABLE"
        self.run_wrapper(wrapper)
        self.assertEqual(2, len(proxy.asked))

    def test_a_proxy_that_lies_is_passed_by(self):
        for lie in (b"<html>Please log in</html>", self.body[: len(self.body) // 2], b""):
            with self.subTest(lie):
                proxy, origin = Server(self, lambda *_: (200, lie)), Server.of(self, app=self.body)
                for more in ("", f"location_sha256 = {self.sum}\n"):
                    done = self.run_wrapper(self.make(self.ini(origin.url + "/app", f"http_proxy = {proxy.url}\n{more}")), "truly")
                    self.assertEqual("ran truly\n", done.out, done.err)
                    self.assertIn(f"through {proxy.url}, try 2 of 4: it", done.err)
                self.assertEqual((4, 2), (len(proxy.asked), len(origin.asked)))

    def test_a_proxy_that_changes_the_application_is_found_by_the_checksum(self):
        other = open(self.archive("other", app__run__sh="#!/bin/sh\necho evil\n")[0], "rb").read()
        proxy, origin = Server(self, lambda *_: (200, other)), Server.of(self, app=self.body)
        done = self.run_wrapper(self.make(self.ini(origin.url + "/app", f"http_proxy = {proxy.url}\nlocation_sha256 = {self.sum}\n")))
        self.assertEqual("ran\n", done.out)
        only = self.run_wrapper(self.make(self.ini("http://origin.invalid/app", f"http_proxy = {proxy.url}\nlocation_sha256 = {self.sum}\n")))
        self.assertEqual("", only.out)
        self.assertIn(only.returncode, (202, 203))

    def test_names_that_lead_out_of_the_directory_are_refused(self):
        for name in ("../out", "a/../../out", "/tmp/sk-out"):
            with self.subTest(name):
                import io
                import tarfile

                data = io.BytesIO()
                with tarfile.open(fileobj=data, mode="w") as archive:
                    archive.addfile(tarfile.TarInfo(name), io.BytesIO())
                server = Server.of(self, app=data.getvalue())
                done = self.run_wrapper(self.make(self.ini(server.url + "/app")))
                self.assertEqual(203, done.returncode)
                self.assertIn("a name that leads out of the working directory", done.err)

    def test_no_space_on_the_node(self):
        if os.geteuid():
            self.skipTest("needs root, to mount a small file system: LEFT OUT")
        small = self.path("small")
        os.mkdir(small)
        if subprocess.call(["mount", "-t", "tmpfs", "-o", "size=200k", "none", small], stderr=subprocess.DEVNULL):
            self.skipTest("this machine mounts no tmpfs: LEFT OUT")
        self.addCleanup(subprocess.call, ["umount", "-l", small])
        self.environment["TMPDIR"] = small
        path, _ = self.archive("big", app__run__sh="#!/bin/sh\necho ran\n", app__zeros="0" * 900000)
        for body, what in ((os.urandom(900000), "fetched"), (open(path, "rb").read(), "unpacked")):
            with self.subTest(what):
                server = Server.of(self, app=body)
                done = self.run_wrapper(self.make(self.ini(server.url + "/app")))
                self.assertEqual(204, done.returncode, done.err)
                self.assertIn(f"no space left for the application in {small}/skeleton_key.", done.err)
                self.assertEqual([], os.listdir(small))


if __name__ == "__main__":
    unittest.main()
