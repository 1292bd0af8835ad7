# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests with real parts share: they skip loudly without them, and fail where root could have had them."""

import os
import pwd
import shutil
import socket
import subprocess

from room import CONTROL, Room

LAB_BIN = os.environ.get("JOBGATE_LAB_CHIRP_BIN") or os.path.join(os.environ.get("JOBGATE_LAB", "/var/lib/jobgate-lab"), "chirp", "bin")
LAB = "docker/lab/chirp up"


class RealRoom(Room):
    """A room with a Chirp server, on the loopback address, exporting export/ with in/ and out/.

    The server does not run as root. Where the tests do, it and skeleton_key run as an ordinary account, and the wrappers as root, who may use FUSE.
    """

    needs = ("chirp_server", "chirp", "chirp_get", "chirp_put")

    def setUp(self):
        super().setUp()
        self.owner = pwd.getpwuid(os.getuid())
        if os.geteuid() == 0:
            self.owner = pwd.getpwnam("nobody")
            for name in ("jobgate-a",):
                if any(entry.pw_name == name for entry in pwd.getpwall()):
                    self.owner = pwd.getpwnam(name)
            os.chown(self.room, self.owner.pw_uid, self.owner.pw_gid)
        for program in self.needs:
            self.need(program)

    def need(self, program):
        if not shutil.which(program, path="/usr/sbin:" + self.environment["PATH"]):
            self.skipTest(f"SKIPPED: there is no {program}; install it as root with: {LAB}")

    def with_fuse(self):
        """Puts a chirp_fuse that was built with FUSE on PATH; root, who may use /dev/fuse, fails without."""
        if not os.path.exists("/dev/fuse") or not os.access("/dev/fuse", os.R_OK | os.W_OK):
            self.skipTest("SKIPPED: this account may not use /dev/fuse")
        program = os.path.join(LAB_BIN, "chirp_fuse")
        if not os.path.exists(program):
            (self.fail if os.geteuid() == 0 else self.skipTest)(f"FUSE is here, and no chirp_fuse that was built with it; install it with: {LAB}")
        os.symlink(program, self.path("bin", "chirp_fuse"))

    def as_owner(self, words, **more):
        if os.geteuid() == 0:
            words = ["setpriv", "--reuid", str(self.owner.pw_uid), "--regid", str(self.owner.pw_gid), "--clear-groups", *words]
        return self.command(words, **more)

    def chirp(self, *options):
        for name in ("in", "out", "my in"):
            os.makedirs(self.path("export", name), exist_ok=True)
            os.chown(self.path("export", name), self.owner.pw_uid, self.owner.pw_gid)
        os.chown(self.path("export"), self.owner.pw_uid, self.owner.pw_gid)
        done = self.as_owner([CONTROL, "start", "--export", self.path("export"), "--interface", "127.0.0.1", *options])
        self.assertEqual(0, done.returncode, done.err)
        environment = dict(self.environment)
        self.addCleanup(lambda: self.as_owner([CONTROL, "stop"], env=environment))

    def control(self, *words):
        return self.as_owner([CONTROL, *words])

    def directories(self, more=""):
        return f"[Directories]\nexport_base = {self.path('export')}\nread = in, my in\nwrite = out\n{more}"

    def read(self, *names):
        with open(self.path(*names), encoding="utf-8", errors="surrogateescape") as file:
            return file.read()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def quiet(*words):
    return subprocess.call(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
