#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs of a stock HTCondor by the grid type arc, without the transform of jobgate-once.conf, while the gridmanager is killed: what it leaves at the gateway.

try_orphans.py DIRECTORY URL PROXY TRUST CONFIGURATION [JOBS [KILLS [FORGOTTEN]]]: a gridmanager that is killed between the gateway's answer and its
own note of the job's id submits the job again, and nobody knows the first one any more. It waits for files that never come, and is ended after
arc.inputWait of the gateway, whose file CONFIGURATION is. Ends with 0 where no kill has left more than one such job, each of them was ended with that reason and never
ran, and each job of HTCondor's ran once; with FORGOTTEN, the seconds of the gateway's store.keepFinished, also waits until the orphans are forgotten with
their directories. Ends with 77 where there is no HTCondor. Run it as the account of the gateway.
"""

import collections
import json
import re
import ssl
import sys
import time
import urllib.request
from pathlib import Path

import try_htcondor
from try_htcondor import ROOT, same, until
from try_kills import PATIENT, ids, sessions

# Jobs, and kills of the gridmanager.
SOME = (12, 3)


def states(pool, url, wanted):
    """The state and the error of jobs of the pool's user."""
    context = ssl.create_default_context(capath=str(pool.here / "trust"))
    context.load_cert_chain(str(pool.here / "proxy.pem"))
    request = urllib.request.Request(
        url + "/arex/rest/1.1/jobs?action=info",
        json.dumps({"job": [{"id": one} for one in sorted(wanted)]}).encode(),
        {"Accept": "application/json", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, context=context, timeout=60) as answer:
        told = json.load(answer)["job"]
    found = {}
    for job in told:
        activity = job.get("info_document", {}).get("ComputingActivity", {})
        state = [word.split(":")[1] for word in activity.get("State", []) if word.startswith("arcrest:")]
        found[job["id"]] = (state[0] if state else "None", str(activity.get("Error", "")))
    return found


def everything(pool, url, configuration, jobs, kills, forgotten):
    before, known = sessions(configuration), ids(pool, url)
    ran = pool.here / "ran-orphans"
    ran.mkdir()
    ran.chmod(0o777)
    pool.file("once.sh", '#!/bin/sh\npwd >"%s/$1.$$.$(date +%%N)"\necho "job $1"\n' % ran, 0o755)
    pool.submit(
        "orphans",
        "executable = once.sh",
        "arguments = $(ProcId)",
        "output = orphans.$(ProcId)",
        "x509userproxy = %s/proxy.pem" % pool.here,
        "periodic_release = True",
        count=jobs,
        to="arc %s/arex/rest/1.0" % url,
    )
    seen = set(known)
    for number in range(kills):
        until(lambda: ids(pool, url) - seen, "HTCondor submits a job")
        pool.kill("condor_gridmanager", "arc_gahp")
        seen |= ids(pool, url)
        print("kill %d: the gateway has had %d jobs" % (number + 1, len(seen - known)), flush=True)
    until(lambda: len(re.findall(r"^005 ", pool.log("orphans"), re.M)) >= jobs, "the end of all jobs", 300)
    starts = collections.Counter(file.name.split(".")[0] for file in ran.iterdir())
    same("how often each job ran", starts, {str(number): 1 for number in range(jobs)})
    # HTCondor cleans its own
    until(lambda: len(ids(pool, url) - known) <= kills, "no more than one job is left behind by each kill", 60)
    orphans = ids(pool, url) - known
    if not orphans:
        raise AssertionError("no kill has left a job behind: there is nothing to see")
    print("%d orphans of %d kills" % (len(orphans), kills), flush=True)
    until(lambda: all(state == "FAILED" for state, _ in states(pool, url, orphans).values()), "the orphans are ended", 120)
    for job, (_, error) in states(pool, url, orphans).items():
        if "(arc.inputWait), so the job was ended" not in error:
            raise AssertionError("the error of the orphan %s is %r" % (job, error))
    if forgotten:
        until(lambda: not ids(pool, url) & orphans, "the orphans are forgotten", 2 * forgotten + 60)
        until(lambda: sessions(configuration) <= before, "no session directory is left", 60)


def main():
    here, url, proxy, trust, configuration = sys.argv[1:6]
    try_htcondor.end_by_sigterm()
    numbers = [int(word) for word in sys.argv[6:]]
    jobs, kills, forgotten = (numbers + list(SOME[len(numbers) :]) + [0])[:3]
    if not (ROOT / "usr/sbin/condor_gridmanager").exists():
        print("SKIPPED: there is no HTCondor below %s; docker/lab/htcondor up makes one" % ROOT)
        return 77
    pool = try_htcondor.Pool(Path(here).resolve(), url, proxy, trust, PATIENT)
    begin = time.monotonic()
    try:
        everything(pool, url, Path(configuration), jobs, kills, forgotten)
    except BaseException:
        for log in sorted(pool.here.glob("log/GridmanagerLog*")):
            print("\n".join(log.read_text(errors="replace").splitlines()[-40:]))
        print(pool.log("orphans")[-3000:])
        raise
    finally:
        pool.close()
    print("each of %d jobs ran once, and the orphans were ended; %.0f s" % (jobs, time.monotonic() - begin))
    return 0


if __name__ == "__main__":
    sys.exit(main())
