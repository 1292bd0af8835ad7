#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs of a stock HTCondor while the gateway is killed and started again, and HTCondor's gridmanager with its GAHPs, and its schedd, are killed: each job runs once.

try_kills.py DIRECTORY URL PROXY TRUST CONFIGURATION [JOBS [KILLS [MANAGER_KILLS [SCHEDD_KILLS]]]]: CONFIGURATION is the gateway's file, by which its process is found;
it is started again by bin/jobgate. Half of the jobs go by the grid type arc with the transform of jobgate-once.conf, half by jobgate-gahp. Ends
with 0 where each job ran once, came to its end with the exit code that it had, and left no job, session or file behind, and with 77 where there is no HTCondor.
Run it on a machine of its own, and as the account of the gateway, which is the account of its jobs too.
"""

import collections
import os
import pwd
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import try_htcondor
from try_htcondor import ROOT, same, until

ONCE = Path(__file__).resolve().parent.parent / "jobgate-once.conf"
JOBGATE = Path(__file__).resolve().parents[3] / "bin/jobgate"

# Jobs, kills of the gateway, of the gridmanager and of the schedd.
MANY = (1000, 10, 2, 1)

# What HTCondor's manual allows for a resource that goes away now and then: it is asked for again every 2 s instead of every 5 min, and what is held
# meanwhile is let go on. A schedd that was killed is started again after 2 s instead of 10.
PATIENT = """
ARC_GAHP = {root}/usr/sbin/arc_gahp
GRIDMANAGER_RESOURCE_PROBE_INTERVAL = 2
PERIODIC_EXPR_INTERVAL = 5
MAX_PERIODIC_EXPR_INTERVAL = 5
MASTER_BACKOFF_CONSTANT = 1
""".format(root=ROOT)


def gateway(configuration):
    """The process of the gateway with this configuration; None where it does not run."""
    for process in Path("/proc").iterdir():
        try:
            words = (process / "cmdline").read_bytes().split(b"\0") if process.name.isdigit() else []
        except OSError:
            continue
        if words and words[0].endswith(b"java") and b"org.jobgate.container.Main" in words and str(configuration).encode() in words:
            return int(process.name)
    return None


def restart(configuration):
    process = gateway(configuration)
    if process is None:
        raise AssertionError("no gateway runs with %s" % configuration)
    os.kill(process, signal.SIGKILL)
    until(lambda: gateway(configuration) is None, "the gateway is gone")
    time.sleep(random.uniform(0, 1))
    subprocess.run([str(JOBGATE), "start", "--timeout", "400", "--config", str(configuration)], check=True, stdout=subprocess.DEVNULL)


def events(log):
    """How often each event of HTCondor's is in a log of jobs."""
    return collections.Counter(re.findall(r"^(\d{3}) \(", log, re.M))


def ids(pool, url):
    """The jobs of the pool's user that came by the grid type arc and that the gateway still knows."""
    return {job["id"] for job in pool.ask(url + "/arex/rest/1.0/jobs").get("job", [])}


def places(configuration):
    """Below which directory the jobs of each route have theirs. A gateway that is not alone in its account needs an arc.sessions of its own."""
    home = Path(pwd.getpwuid(os.getuid()).pw_dir)
    sessions = re.search(r"\bsessions: *([\w./-]+)", configuration.read_text())
    return {"arc": home / (sessions.group(1) if sessions else ".jobgate/arc"), "batch": home / ".jobgate-jobs"}


def sessions(configuration):
    """The session directories of jobs of arc that are there."""
    top = places(configuration)["arc"]
    return {str(one) for one in top.iterdir()} if top.is_dir() else set()


def directories(ran, route):
    """Those in which jobs have run, as they wrote them down."""
    return {Path(file.read_text().strip()) for file in ran.glob(route + "-*")}


def leavings(ran):
    """The directories of our jobs in which there is still a file. The grid type batch leaves an empty one, which the operator's page says."""
    return {str(one) for route in ("arc", "batch") for one in directories(ran, route) if one.is_dir() and any(one.iterdir())}


def everything(pool, url, configuration, jobs, kills, manager_kills, schedd_kills):
    before, known = sessions(configuration), ids(pool, url)
    ran = pool.here / "ran-kills"
    ran.mkdir()
    ran.chmod(0o777)
    pool.file("once.sh", '#!/bin/sh\npwd >"%s/$1.$$.$(date +%%N)"\nsleep 1\necho "job $1"\nexit 3\n' % ran, 0o755)
    half = jobs // 2
    begin = time.monotonic()
    for route, to in (("arc", "arc %s/arex/rest/1.0" % url), ("batch", "batch jobgate")):
        pool.submit(
            "kills-" + route,
            "executable = once.sh",
            "arguments = %s-$(ProcId)" % route,
            "output = kills-%s.$(ProcId)" % route,
            "x509userproxy = %s/proxy.pem" % pool.here,
            "periodic_release = True",
            count=half,
            to=to,
        )
    routes = ("arc", "batch")

    def logs():
        return {route: events(pool.log("kills-" + route)) for route in routes}

    def over():
        return sum(found["005"] for found in logs().values())

    acts = ["gateway"] * kills + ["manager"] * manager_kills + ["schedd"] * schedd_kills
    random.shuffle(acts)
    until(lambda: pool.processes("condor_gridmanager") and any(ran.iterdir()), "the first job runs")
    for number, act in enumerate(acts):
        # spread over the time that the jobs take
        share = 2 * half * number // (len(acts) + 1)
        until(lambda share=share: len(list(ran.iterdir())) >= share, "%d jobs have run" % share, 3600)
        if act == "gateway":
            restart(configuration)
        elif act == "manager":
            pool.kill("condor_gridmanager", "jobgate-gahp", "arc_gahp")
        else:
            # its gridmanager ends by itself when it finds it gone
            killed = set(pool.processes("condor_schedd"))
            pool.kill("condor_schedd")
            until(lambda killed=killed: killed and set(pool.processes("condor_schedd")) - killed, "the schedd is started again")
        print("%4.0f s: killed the %s; %d of %d jobs have run, %d are over" % (time.monotonic() - begin, act, len(list(ran.iterdir())), 2 * half, over()), flush=True)
    until(lambda: over() >= 2 * half, "the end of all jobs", max(300, 6 * jobs))
    print("%4.0f s: all are over; in the logs: %s" % (time.monotonic() - begin, {route: dict(found) for route, found in logs().items()}))
    starts = collections.Counter(file.name.split(".")[0] for file in ran.iterdir())
    wanted = {"%s-%d" % (route, number) for route in routes for number in range(half)}
    same("what ran more than once", sorted(job for job in starts if starts[job] > 1), [])
    same("what never ran", sorted(wanted - set(starts)), [])
    for route in routes:
        same("the exit codes by " + route, collections.Counter(re.findall(r"return value (\d+)", pool.log("kills-" + route))), {"3": half})
        missing = [n for n in range(half) if (pool.work / ("kills-%s.%d" % (route, n))).read_text() != "job %s-%d\n" % (route, n)]
        same("the output files by %s that are not as the job wrote them" % route, missing, [])
        ran_below = {one.parent for one in directories(ran, route)}
        same("where the jobs by %s have run" % route, ran_below, {places(configuration)[route]})
    until(lambda: ids(pool, url) <= known, "the gateway has forgotten the jobs of arc", 120)
    until(lambda: sessions(configuration) <= before, "no session directory is left", 120)
    until(lambda: not leavings(ran), "no file of a job is left: %s" % leavings(ran), 120)


def main():
    here, url, proxy, trust, configuration = sys.argv[1:6]
    try_htcondor.end_by_sigterm()
    numbers = [int(word) for word in sys.argv[6:]]
    numbers += MANY[len(numbers) :]
    if not (ROOT / "usr/sbin/condor_gridmanager").exists():
        print("SKIPPED: there is no HTCondor below %s; docker/lab/htcondor up makes one" % ROOT)
        return 77
    pool = try_htcondor.Pool(Path(here).resolve(), url, proxy, trust, PATIENT + ONCE.read_text())
    try:
        everything(pool, url, Path(configuration), *numbers)
    except BaseException:
        for log in sorted(pool.here.glob("log/GridmanagerLog*")):
            print("\n".join(log.read_text(errors="replace").splitlines()[-40:]))
        for route in ("arc", "batch"):
            print(pool.log("kills-" + route)[-3000:])
        raise
    finally:
        pool.close()
    print("each of %d jobs ran once" % (2 * (numbers[0] // 2)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
