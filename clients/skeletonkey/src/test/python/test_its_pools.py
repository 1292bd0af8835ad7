# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""One wrapper with data of its owner on each real batch system of the lab: HTCondor, Slurm, Grid Engine."""

import os
import shlex
import subprocess
import unittest

from its import RealRoom
from room import ROOT

JOB = """[Application]
script = /bin/sh
arguments = -c 'cat "$CHIRP_MOUNT/in/a.txt" && echo "$1/$2" >"$CHIRP_MOUNT/out/$1" && exit 3' sh
"""
LAB = os.path.join(ROOT, "docker", "lab")


class PoolTest(RealRoom):
    def setUp(self):
        super().setUp()
        if os.geteuid():
            self.skipTest("SKIPPED: the lab of batch systems needs root")

    def pool(self, name):
        """The pool's environment, for the account; skips where it is not up."""
        if subprocess.call([os.path.join(LAB, name), "status"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
            self.skipTest(f"SKIPPED: {name} of the lab is not up; bring it up as root with: docker/lab/up {name}")
        said = subprocess.check_output(["bash", "-c", f'eval "$({shlex.quote(os.path.join(LAB, name))} env)"; env -0'], env=self.environment)
        self.environment = dict(pair.split("=", 1) for pair in said.decode().split("\0") if "=" in pair)
        self.chirp()
        self.file("export/in/a.txt", "alpha\n")
        os.mkdir(self.path("spool"))
        os.chown(self.path("spool"), self.owner.pw_uid, self.owner.pw_gid)
        os.chmod(self.scratch, 0o1777)
        return self.make(JOB + self.directories("access = copy\nfetch = in/a.txt\n").replace(", my in", ""))

    def submit(self, *words):
        done = self.as_owner(words, cwd=self.path("spool"))
        self.assertEqual(0, done.returncode, done.err + done.out)
        return done.out.strip()

    def came_out(self, name, said):
        """What the job did, by the files of its owner and of the batch system."""
        self.wait_until("the job writes back", lambda: os.path.exists(self.path("export/out", name)) and self.read("export/out", name), 300)
        self.assertEqual(f"{name}/x  y\n", self.read("export/out", name))
        self.wait_until("its output is there", lambda: os.path.exists(self.path("spool", said)) and self.read("spool", said), 300)
        self.assertEqual("alpha\n", self.read("spool", said))

    def test_htcondor(self):
        wrapper = self.pool("htcondor")
        self.file(
            "job.sub",
            f'executable = {wrapper}\narguments = "htcondor \'x  y\'"\noutput = out\nerror = err\nlog = log\nshould_transfer_files = YES\nwhen_to_transfer_output = ON_EXIT\nqueue\n',
        )
        self.submit("condor_submit", self.path("job.sub"))
        self.came_out("htcondor", "out")
        self.wait_until("the log has its end", lambda: "return value 3" in self.read("spool", "log"), 300)

    def test_slurm(self):
        wrapper = self.pool("slurm")
        number = self.submit("sbatch", "--parsable", "-o", "out", "-e", "err", wrapper, "slurm", "x  y")
        self.came_out("slurm", "out")
        self.wait_until("the accounting has its end", lambda: "FAILED|3:0" in self.submit("sacct", "-X", "-n", "-P", "-j", number, "-o", "state,exitcode"), 300)

    def test_grid_engine(self):
        wrapper = self.pool("sge")
        number = self.submit("qsub", "-terse", "-S", "/bin/sh", "-cwd", "-o", "out", "-e", "err", wrapper, "sge", "x  y")
        self.came_out("sge", "out")

        def ended():
            done = self.as_owner(["qacct", "-j", number])
            return any(line.split()[:2] == ["exit_status", "3"] for line in done.out.splitlines())

        self.wait_until("the accounting has its end", ended, 300)


if __name__ == "__main__":
    unittest.main()
