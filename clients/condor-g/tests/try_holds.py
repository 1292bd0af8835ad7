# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""condor_hold, condor_release and condor_rm of a stock HTCondor's grid jobs: a part of try_htcondor.py, in its pool.

Jobs of the grid types arc and batch are held, and held and released, and removed: before they run, while they run, and when they have ended and HTCondor
does not know it. Each ends as its user asked, and none runs twice: the program writes down its beginning and its end, and that another run of it is there.
"""

import contextlib
import os
import re
import signal
import time
from pathlib import Path

ONCE = Path(__file__).resolve().parent.parent / "jobgate-once.conf"
ROUTES = ("arc", "batch")
ACTS = ("hold", "rm")

# One argument: the job's name. It runs until there is a file of that name in the directory "go", and ends with 3; after ten minutes with 9.
PROGRAM = """#!/bin/sh
exec 9>"{here}/lock/$1"
flock -n 9 || echo twice >>"{here}/twice/$1"
echo $$ >>"{here}/begun/$1"
tries=0
while [ ! -e "{here}/go/$1" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 6000 ] || exit 9
    sleep 0.1
done
echo $$ >>"{here}/ended/$1"
echo "output of $1"
exit 3
"""


def configuration(root):
    """What the pool needs besides."""
    return "ARC_GAHP = %s/usr/sbin/arc_gahp\nGRIDMANAGER_RESOURCE_PROBE_INTERVAL = 2\n" % root + ONCE.read_text()


class Trial:
    """Jobs of both grid types, each by its name ROUTE-WHEN-ACT."""

    def __init__(self, pool, url, until, same):
        self.pool, self.url, self.until, self.same = pool, url, until, same
        self.here = pool.here / "holds"
        for name in ("lock", "twice", "begun", "go", "ended"):
            (self.here / name).mkdir(parents=True)
            (self.here / name).chmod(0o777)
        pool.file("held.sh", PROGRAM.format(here=self.here), 0o755)
        self.ids, self.known = {}, {}

    def submit(self, name):
        self.ids[name] = self.pool.submit(
            name,
            "executable = held.sh",
            "arguments = " + name,
            "output = %s.out" % name,
            "x509userproxy = %s/proxy.pem" % self.pool.here,
            to="arc %s/arex/rest/1.0" % self.url if name.startswith("arc") else "jobgate",
        )

    def lines(self, what, name):
        file = self.here / what / name
        return file.read_text().split() if file.exists() else []

    def has(self, event, name, count=1):
        return len(re.findall(r"^%s \(" % event, self.pool.log(name), re.M)) >= count

    def wait(self, event, name, count=1):
        self.until(lambda: self.has(event, name, count), "event %s of %s: %s" % (event, name, self.pool.log(name)[-1500:]))

    def go(self, name):
        (self.here / "go" / name).touch()

    @contextlib.contextmanager
    def stopped(self, *words):
        processes = [process for word in words for process in self.pool.processes(word)]
        try:
            for process in processes:
                os.kill(process, signal.SIGSTOP)
            yield
        finally:
            for process in processes:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGCONT)

    def is_over(self, name):
        """Whether the gateway knows that the job has ended, which may wait with its output for HTCondor to fetch that."""
        for job in self.pool.ask(self.url + "/api/v1/jobs?limit=100")["jobs"]:
            if job["id"] not in self.known:
                self.known[job["id"]] = self.pool.ask(self.url + "/api/v1/jobs/%s/description" % job["id"]).get("arguments")
            if self.known[job["id"]] == [name]:
                return bool(job.get("final") or job.get("holding")) and job.get("exitCode") == 3
        raise AssertionError("the gateway has no job " + name)

    def command(self, act, names):
        self.pool.run("condor_" + act, *[self.ids[name] for name in names])

    def no_process(self, name):
        return not any(os.path.exists("/proc/" + process) for process in self.lines("begun", name))


def names(when, *acts):
    return ["%s-%s-%s" % (route, when, act) for route in ROUTES for act in acts or ACTS]


def everything(pool, url, until, same):
    trial = Trial(pool, url, until, same)
    running, ended, early = names("running"), names("ended"), names("early")

    # while they run
    for name in running + ended:
        trial.submit(name)
    for name in running + ended:
        until(lambda: trial.lines("begun", name), "%s runs: %s" % (name, pool.log(name)[-1500:]))
        trial.wait("001", name)
    trial.command("hold", names("running", "hold"))
    trial.command("rm", names("running", "rm"))

    # when they have ended, which HTCondor does not know: it does not run while they end and its user acts
    for name in running:
        until(lambda: trial.no_process(name), "the process of %s is gone" % name)
    with trial.stopped("condor_gridmanager"):
        for name in ended:
            trial.go(name)
            until(lambda: trial.lines("ended", name), "%s ends" % name)
            until(lambda: trial.is_over(name), "the gateway knows that %s has ended" % name)
        trial.command("hold", names("ended", "hold"))
        trial.command("rm", names("ended", "rm"))

    # before they run: what HTCondor asks of the gateways waits in its GAHPs
    with trial.stopped("jobgate-gahp", "arc_gahp"):
        for name in early:
            trial.submit(name)
        time.sleep(3)
        same("what has begun", [name for name in early if trial.lines("begun", name)], [])
        trial.command("hold", names("early", "hold"))
        trial.command("rm", names("early", "rm"))
        time.sleep(1)

    held = [name for name in running + ended + early if name.endswith("hold")]
    removed = [name for name in running + ended + early if name.endswith("rm")]
    for name in held:
        trial.wait("012", name)
    for name in removed:
        trial.wait("009", name)
    for name in running + early:
        until(lambda: trial.no_process(name), "the process of %s is gone" % name)
    for name in running + early:
        same("the ends of %s" % name, trial.lines("ended", name), [])
    time.sleep(2)  # HTCondor has told the gateway what it has to tell
    for name in held:
        trial.go(name)
    trial.command("release", held)
    for name in held:
        trial.wait("005", name)
        same("the exit code of " + name, re.search(r"return value (\d+)", pool.log(name)).group(1), "3")
        same("the output of " + name, (pool.work / (name + ".out")).read_text(), "output of %s\n" % name)
        same("how often %s came to its end" % name, len(trial.lines("ended", name)), 1)
    # one that were still there would come to its end now, and be counted
    for name in removed:
        trial.go(name)
    for name in running + ended + early:
        until(lambda: trial.no_process(name), "no process of %s is left" % name)
    for name in removed:
        same("how often %s came to its end" % name, len(trial.lines("ended", name)), int("-ended-" in name))
    same("what ran twice at a time", os.listdir(str(trial.here / "twice")), [])
    same("how often the ended ones began", [len(trial.lines("begun", name)) for name in ended], [1] * len(ended))
    begun = {name: len(trial.lines("begun", name)) for name in running}
    same("how often the running ones began", begun, {name: 2 if name.endswith("hold") else 1 for name in running})
