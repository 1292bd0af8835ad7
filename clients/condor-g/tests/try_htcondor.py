#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""A stock HTCondor as a personal pool of an ordinary user submits to a gateway through jobgate-gahp.

try_htcondor.py DIRECTORY URL PROXY TRUST: works in DIRECTORY, which must be empty; ends with 0 where everything is as it should be, and with 77
where there is no HTCondor (JOBGATE_HTCONDOR, else the lab's). Root runs the pool as the lab's account jobgate-a, else as nobody. With the lab's Slurm the same
pool submits to it through jobgate-blahpd, too (try_blahpd.py).
"""

import json
import os
import pwd
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import try_blahpd
import try_holds
import try_renewals

ROOT = Path(os.environ.get("JOBGATE_HTCONDOR") or os.environ.get("JOBGATE_LAB", "/var/lib/jobgate-lab") + "/htcondor/root")
PROGRAM = Path(__file__).resolve().parent.parent / "jobgate-gahp"
JOBS = 10

CONFIGURATION = """
RELEASE_DIR = {root}/usr
LOCAL_DIR = {here}
LOG = {here}/log
SPOOL = {here}/spool
EXECUTE = {here}/execute
LOCK = {here}/log
RUN = {here}/log
BIN = {root}/usr/bin
SBIN = {root}/usr/sbin
LIB = {root}/usr/lib/condor
LIBEXEC = {root}/usr/libexec/condor
DAEMON_LIST = MASTER COLLECTOR SCHEDD
NETWORK_INTERFACE = 127.0.0.1
BIND_ALL_INTERFACES = False
CONDOR_HOST = 127.0.0.1
COLLECTOR_HOST = 127.0.0.1:{port}
SHARED_PORT_PORT = {port}
ENABLE_IPV6 = False
ENABLE_KERNEL_TUNING = False
UID_DOMAIN = localhost
FILESYSTEM_DOMAIN = localhost
SEC_DEFAULT_AUTHENTICATION_METHODS = FS
ALLOW_ADMINISTRATOR = *
ALLOW_WRITE = *
ALLOW_DAEMON = *
SCHEDD_INTERVAL = 2
SCHEDD_MIN_INTERVAL = 1
GRIDMANAGER_CONTACT_SCHEDD_DELAY = 1
GRIDMANAGER_JOB_PROBE_INTERVAL = 1
GRIDMANAGER_LOG = {here}/log/GridmanagerLog
GRIDMANAGER_DEBUG = D_FULLDEBUG
GRIDMANAGER_JOB_PROBE_RATE = 200
JOBGATE_GAHP = {here}/jobgate-gahp
BATCH_GAHP = {here}/perl/jobgate-blahpd
"""


def account():
    """Who runs the pool where we are root: an account that the lab's batch systems know, if there is one."""
    try:
        return pwd.getpwnam("jobgate-a")
    except KeyError:
        return pwd.getpwnam("nobody")


class Pool:
    """The daemons of one user, below one directory."""

    def __init__(self, here, url, proxy, trust, more=""):
        self.here = here
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.work = here / "work"
        for name in ("log", "spool", "execute", "work"):
            (here / name).mkdir(parents=True)
        (here / "condor_config").write_text(CONFIGURATION.format(root=ROOT, here=here, port=port) + more)
        shutil.copy(PROGRAM, here / "jobgate-gahp")
        shutil.copytree(PROGRAM.parents[2] / "lrm-adapters/src/main/perl", here / "perl")
        shutil.copy(proxy, here / "proxy.pem")
        shutil.copytree(trust, here / "trust")
        (here / "proxy.pem").chmod(0o600)
        (here / "gahp.conf").write_text("[jobgate]\nurl = %s\ntrust = %s/trust\n" % (url, here))
        here.chmod(0o755)
        self.as_user = []
        if os.geteuid() == 0:
            self.account = account()
            subprocess.run(["chown", "-R", str(self.account.pw_uid), str(here)], check=True)
            self.as_user = ["setpriv", "--reuid", str(self.account.pw_uid), "--regid", str(self.account.pw_gid), "--clear-groups"]
        self.environment = dict(
            os.environ,
            CONDOR_CONFIG=str(here / "condor_config"),
            PATH="%s/usr/bin:%s/usr/sbin:%s" % (ROOT, ROOT, os.environ["PATH"]),
            JOBGATE_GAHP_STATE=str(here / "state"),
            X509_USER_PROXY=str(here / "proxy.pem"),
            X509_CERT_DIR=str(here / "trust"),
            JOBGATE_GAHP_CONFIG=str(here / "gahp.conf"),
            **try_blahpd.environment(here),
        )
        self.master = subprocess.Popen(
            self.as_user + ["condor_master", "-f"], cwd=str(here), env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            until(lambda: self.run("condor_q", "-totals", check=False).returncode == 0, "the schedd answers")
        except BaseException:
            self.close()
            raise

    def run(self, *command, check=True):
        return subprocess.run(
            self.as_user + list(command), cwd=str(self.work), env=self.environment, check=check, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True
        )

    def file(self, name, text, mode=0o644):
        path = self.work / name
        path.write_text(text)
        path.chmod(mode)
        if self.as_user:
            shutil.chown(path, self.account.pw_uid)

    def submit(self, name, *lines, count=1, to="jobgate"):
        text = ["universe = grid", "grid_resource = " + (to if " " in to else "batch " + to), "log = %s.log" % name] + list(lines) + ["queue %d" % count, ""]
        self.file(name + ".sub", "\n".join(text))
        return self.run("condor_submit", "-terse", name + ".sub").stdout.split(".")[0].strip()

    def log(self, name):
        path = self.work / (name + ".log")
        return path.read_text() if path.exists() else ""

    def processes(self, word):
        """Ids of this pool's processes with that word in their command."""
        found = []
        for process in Path("/proc").iterdir():
            try:
                command = (process / "cmdline").read_bytes().decode("utf-8", "replace") if process.name.isdigit() else ""
                if word in command and str(self.here).encode() in (process / "environ").read_bytes():
                    found.append(int(process.name))
            except OSError:
                continue
        return found

    def ask(self, address):
        """What a gateway answers to the pool's user."""
        context = ssl.create_default_context(capath=str(self.here / "trust"))
        context.load_cert_chain(str(self.here / "proxy.pem"))
        request = urllib.request.Request(address, headers={"Accept": "application/json"})
        with urllib.request.urlopen(request, context=context, timeout=60) as answer:
            return json.load(answer)

    def kill(self, *words):
        for word in words:
            for process in self.processes(word):
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        self.run("condor_reschedule", check=False)

    def close(self):
        for process in self.processes("condor_master"):
            os.kill(process, signal.SIGQUIT)
        try:
            self.master.wait(120)
        except subprocess.TimeoutExpired:
            self.master.kill()
        # nothing may write into the pool's directory any more when it is removed
        for _ in range(600):
            left = self.processes("")
            if not left:
                break
            for process in left:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(0.2)


def end_by_sigterm():
    """Has SIGTERM end this program as an exception does: else the daemons of its pool would be left, and what it has stopped would stay so."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))


def until(is_so, what, seconds=240):
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError("not within %d s: %s" % (seconds, what))
        time.sleep(0.2)


def same(what, found, wanted):
    if found != wanted:
        raise AssertionError("%s is %r and not %r" % (what, found, wanted))


def ended(pool, name, count=1):
    until(lambda: len(re.findall(r"^005 ", pool.log(name), re.M)) == count, "the end of %s: %s" % (name, pool.log(name)[-800:]))


def everything(pool):
    ran = pool.here / "ran"
    ran.mkdir()
    ran.chmod(0o777)
    pool.file("run.sh", '#!/bin/sh\necho "$# [$1] [$2]"; echo "$FOO" >&2; cat data.txt folder/x >result.txt; exit 3\n', 0o755)
    pool.file("killed.sh", "#!/bin/sh\nkill -9 $$\n", 0o755)
    pool.file("many.sh", "#!/bin/sh\nsleep 1; : >%s/$1.$$; echo job $1; exit $(($1 %% 3))\n" % ran, 0o755)
    pool.file("data.txt", "DATA\n")
    pool.run("mkdir", "folder")
    pool.file("folder/x", "X\n")

    pool.submit(
        "files",
        "executable = run.sh",
        "arguments = \"x 'y  z'\"",
        "environment = \"FOO='b a r'\"",
        "transfer_input_files = data.txt, folder",
        "transfer_output_files = result.txt",
        "output = files.out",
        "error = files.err",
    )
    pool.submit("killed", "executable = killed.sh")
    pool.submit("none", "executable = /no/such/program", "transfer_executable = false")
    removed = pool.submit("removed", "executable = /bin/sleep", "transfer_executable = false", "arguments = 600")
    ended(pool, "files")
    ended(pool, "killed")
    same("the exit code", re.search(r"return value (\d+)", pool.log("files")).group(1), "3")
    same("stdout", (pool.work / "files.out").read_text(), "2 [x] [y  z]\n")
    same("stderr", (pool.work / "files.err").read_text(), "b a r\n")
    same("the output file", (pool.work / "result.txt").read_text(), "DATA\nX\n")
    same("the signal", re.search(r"signal (\d+)", pool.log("killed")).group(1), "9")
    until(lambda: "/no/such/program" in "".join(re.findall(r"^012 .*?^\.\.\.", pool.log("none"), re.M | re.S)), "the hold reason: " + pool.log("none"))
    until(lambda: re.search(r"^001 ", pool.log("removed"), re.M), "the job that is to be removed runs")
    pool.run("condor_rm", removed)
    until(lambda: re.search(r"^009 ", pool.log("removed"), re.M), "the job is removed")

    pool.submit("many", "executable = many.sh", "arguments = $(ProcId)", "output = many.$(ProcId)", count=JOBS)
    for words in (("jobgate-gahp", "condor_gridmanager"), ("jobgate-gahp",), ("condor_gridmanager",)):
        until(lambda: pool.processes("jobgate-gahp"), "a GAHP runs")
        time.sleep(0.7)
        pool.kill(*words)
    ended(pool, "many", JOBS)
    same("how often each job ran", sorted(name.split(".")[0] for name in os.listdir(ran)), sorted(str(n) for n in range(JOBS)))
    same("the output", [(pool.work / ("many.%d" % n)).read_text() for n in range(JOBS)], ["job %d\n" % n for n in range(JOBS)])


def main():
    here, url, proxy, trust = sys.argv[1:]
    end_by_sigterm()
    if not (ROOT / "usr/sbin/condor_gridmanager").exists():
        print("SKIPPED: there is no HTCondor below %s; docker/lab/htcondor up makes one" % ROOT)
        return 77
    pool = Pool(Path(here).resolve(), url, proxy, trust, try_holds.configuration(ROOT) + try_renewals.CONFIGURATION)
    try:
        renewal = try_renewals.Trial(pool, proxy, until, same)
        renewal.begin()
        begin = time.monotonic()
        try_holds.everything(pool, url, until, same)
        print("held, released and removed in %.1f s" % (time.monotonic() - begin))
        everything(pool)
        renewal.end(ended)
        if try_blahpd.is_there():
            try_blahpd.everything(pool, until, same, ended)
    except BaseException:
        for log in sorted(pool.here.glob("log/GridmanagerLog*")):
            lines = [line for line in log.read_text().splitlines() if "GAHP[" in line and "RESULTS" not in line]
            print("\n".join(lines[-40:]))
        raise
    finally:
        pool.close()
    print("stock HTCondor works with this gateway")
    return 0


if __name__ == "__main__":
    sys.exit(main())
