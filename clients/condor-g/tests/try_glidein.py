#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Glide-ins through a gateway: jobs of a stock HTCondor, by jobgate-gahp, become machines of that HTCondor's own pool and run its jobs.

try_glidein.py DIRECTORY URL PROXY TRUST: as try_htcondor.py, whose pool it uses.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import try_htcondor
from try_htcondor import ROOT, same, until

GLIDEIN = Path(__file__).resolve().parent.parent / "jobgate-glidein"

# The submitters' pool, which has no machines of its own.
POOL = """
DAEMON_LIST = MASTER COLLECTOR NEGOTIATOR SCHEDD
TRUST_DOMAIN = testpool
SEC_DEFAULT_AUTHENTICATION_METHODS = FS, IDTOKENS
SEC_PASSWORD_DIRECTORY = {here}/keys
SEC_TOKEN_POOL_SIGNING_KEY_FILE = {here}/keys/POOL
ALLOW_ADVERTISE_STARTD = *
ALLOW_NEGOTIATOR = *
NEGOTIATOR_INTERVAL = 2
NEGOTIATOR_CYCLE_DELAY = 1
"""

# Pool and glide-in are on one machine: what is not so with real ones.
LOOPBACK = """
NETWORK_INTERFACE = 127.0.0.1
BIND_ALL_INTERFACES = False
ENABLE_IPV6 = False
SEC_USE_FAMILY_SESSION = False
UPDATE_INTERVAL = 5
"""

# The gateway's account of the test may be root, which HTCondor does not run machines as: the job goes on as the account of the pool.
AS_ACCOUNT = """#!/bin/sh
place=$(mktemp -d {here}/glidein.XXXXXX)
cp jobgate-glidein token glidein.conf "$place"
chown -R {uid}:{gid} "$place"
cd "$place"
echo $$ >{here}/pids/$1
exec {setpriv} ./jobgate-glidein $2
"""


def is_alive(process):
    try:
        return Path("/proc/%s/stat" % process).read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class Trial:
    def __init__(self, pool):
        self.pool = pool
        self.pids = pool.here / "pids"
        self.pids.mkdir()
        self.pids.chmod(0o777)
        self.collector = re.search(r"COLLECTOR_HOST = (\S+)", (pool.here / "condor_config").read_text()).group(1)
        account = pool.account if pool.as_user else None
        uid, gid = (account.pw_uid, account.pw_gid) if account else (os.getuid(), os.getgid())
        setpriv = "setpriv --reuid %d --regid %d --clear-groups env HOME=%s" % (uid, gid, pool.here) if account else ""
        pool.file("as-account.sh", AS_ACCOUNT.format(here=pool.here, uid=uid, gid=gid, setpriv=setpriv), 0o755)
        pool.file("jobgate-glidein", GLIDEIN.read_text(), 0o755)
        pool.file("glidein.conf", LOOPBACK)
        authorizations = [word for name in ("ADVERTISE_STARTD", "ADVERTISE_MASTER", "READ") for word in ("-authz", name)]
        pool.file("token", pool.run("condor_token_create", "-identity", "glidein@testpool", "-key", "POOL", *authorizations).stdout, 0o600)

    def glidein(self, name, idle):
        return self.pool.submit(
            name,
            "executable = as-account.sh",
            "arguments = %s %s" % (name, self.collector),
            'environment = "GLIDEIN_RELEASE=%s/usr GLIDEIN_IDLE=%d"' % (ROOT, idle),
            "transfer_input_files = jobgate-glidein, token, glidein.conf",
            "output = %s.out" % name,
            "error = %s.err" % name,
        )

    def submit(self, name, *lines):
        """A job of the pool itself."""
        text = ["universe = vanilla", "log = %s.log" % name, "should_transfer_files = YES", "when_to_transfer_output = ON_EXIT", *lines, "queue", ""]
        self.pool.file(name + ".sub", "\n".join(text))
        return self.pool.run("condor_submit", "-terse", name + ".sub").stdout.split(".")[0].strip()

    def machines(self):
        return [line for line in self.pool.run("condor_status", "-af", "Name", check=False).stdout.split("\n") if line.startswith("slot")]

    def came(self):
        """How many times a machine came into the pool, as its collector has written down."""
        return (self.pool.here / "log/CollectorLog").read_text(errors="replace").count("Inserting ** \"< slot")

    def event(self, name, number):
        until(lambda: re.search(r"^%s \(" % number, self.pool.log(name), re.M), "event %s of %s: %s" % (number, name, self.pool.log(name)[-1500:]))

    def process(self, name):
        return (self.pids / name).read_text().strip()


def everything(pool):
    trial = Trial(pool)
    begin = time.monotonic()
    pilot = trial.glidein("pilot", 300)
    pool.file("input.txt", "over a glide-in\n")
    trial.submit("short", "executable = /bin/cat", "transfer_executable = false", "arguments = input.txt", "transfer_input_files = input.txt", "output = short.out")
    trial.event("short", "005")
    print("the first job of the pool has run in a glide-in after %.1f s" % (time.monotonic() - begin))
    same("what it wrote", (pool.work / "short.out").read_text(), "over a glide-in\n")
    long = trial.submit("long", "executable = /bin/sleep", "transfer_executable = false", "arguments = 600")
    trial.event("long", "001")
    until(trial.machines, "there is a machine")
    begin = time.monotonic()
    pool.run("condor_rm", pilot)
    trial.event("pilot", "009")
    trial.event("long", "004")
    print("%.1f s after its glide-in was cancelled the pool knew that a job must run elsewhere" % (time.monotonic() - begin))
    until(lambda: not is_alive(trial.process("pilot")), "the cancelled glide-in has ended")
    until(lambda: not trial.machines(), "the cancelled glide-in has left the pool: %s" % trial.machines())
    until(lambda: not [one for one in pool.processes("condor_startd") + pool.processes("condor_starter")], "no process of the glide-in is left")
    pool.run("condor_rm", long)
    trial.event("long", "009")
    before = trial.came()
    trial.glidein("idle", 8)
    # it leaves by itself soon: who looks now and then may miss it, the collector's log does not
    until(lambda: trial.came() > before, "the second glide-in is in the pool: " + pool.log("idle"))
    trial.event("idle", "005")
    same("how a glide-in without jobs ends", re.search(r"return value (\d+)", pool.log("idle")).group(1), "0")
    until(lambda: not trial.machines(), "a glide-in that has ended is in the pool no more")


def main():
    here, url, proxy, trust = sys.argv[1:]
    try_htcondor.end_by_sigterm()
    if not (ROOT / "usr/sbin/condor_gridmanager").exists():
        print("SKIPPED: there is no HTCondor below %s; docker/lab/htcondor up makes one" % ROOT)
        return 77
    here = Path(here).resolve()
    keys = here / "keys"
    keys.mkdir(parents=True, mode=0o700)
    (keys / "POOL").write_bytes(os.urandom(64))
    (keys / "POOL").chmod(0o600)
    pool = try_htcondor.Pool(here, url, proxy, trust, POOL.format(here=here))
    try:
        everything(pool)
    except BaseException:
        for log in sorted([*here.glob("log/CollectorLog"), *here.glob("glidein.*/log/*Log"), *here.glob("work/*.err")]):
            print("== %s" % log)
            print("\n".join(log.read_text(errors="replace").splitlines()[-30:]))
        raise
    finally:
        pool.close()
    print("glide-ins work through this gateway")
    return 0


if __name__ == "__main__":
    sys.exit(main())
