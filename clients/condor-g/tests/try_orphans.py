#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs of a stock HTCondor by the grid type arc, without the transform of jobgate-once.conf, while the gridmanager is killed: what it leaves at the gateway.

try_orphans.py DIRECTORY URL PROXY TRUST CONFIGURATION [JOBS [KILLS [FORGOTTEN]]]: a gridmanager that is killed between the gateway's answer and its
own note of the job's id submits the job again, and nobody knows the first one any more. It waits for files that never come, and is ended after
arc.inputWait of the gateway, whose file CONFIGURATION is. The gridmanager submits several jobs at once, by threads of arc_gahp, so a kill leaves at most
one such job for each of HTCondor's jobs whose id HTCondor has not noted yet. Ends with 0 where the kills have left some and no more than that, each of
them was ended with that reason and never ran, and each job of HTCondor's ran once; with FORGOTTEN, the seconds of the gateway's store.keepFinished, also
waits until the orphans are forgotten with their directories. Kills that leave nothing, as none came between an answer and its note, show nothing: then
the same is done with as many new jobs, a few times. Ends with 77 where there is no HTCondor, and where no kill has left anything. Run it as the
account of the gateway.
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

# How many times it is tried with new jobs where no kill has left one.
ROUNDS = 4

# What GridJobId ends with when HTCondor has noted it.
ID = re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")


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


def queue(pool, cluster):
    """A line for each job that is in HTCondor's queue, with the id that it has noted."""
    told = []

    def is_told():
        asked = pool.run("condor_q", cluster, "-af", "ProcId", "GridJobId", check=False)
        told[:] = [line.strip() for line in asked.stdout.splitlines() if line.strip()]
        return asked.returncode == 0

    until(is_told, "the schedd answers")
    return told


def unnoted(pool, cluster):
    """How many jobs in HTCondor's queue have no id that is noted: a job that the gateway has made for one of them is lost with the gridmanager."""
    return sum(not ID.search(line) for line in queue(pool, cluster))


def round_of(pool, url, known, number, jobs, kills):
    """Jobs that are submitted, killed meanwhile and run to their ends. Answers how many kills there were, the orphans, and how many there may be."""
    name = "orphans-%d" % number
    ran = pool.here / ("ran-" + name)
    ran.mkdir()
    ran.chmod(0o777)
    pool.file("once.sh", '#!/bin/sh\npwd >"%s/$1.$$.$(date +%%N)"\necho "job $1"\n' % ran, 0o755)
    cluster = pool.submit(
        name,
        "executable = once.sh",
        "arguments = $(ProcId)",
        "output = %s.$(ProcId)" % name,
        "x509userproxy = %s/proxy.pem" % pool.here,
        "periodic_release = True",
        count=jobs,
        to="arc %s/arex/rest/1.0" % url,
    )
    seen, done, most = set(known), 0, 0
    while done < kills:
        until(lambda: ids(pool, url) - seen or not unnoted(pool, cluster), "HTCondor submits a job")
        # those that it notes between this look and the kill are counted too
        open_ = unnoted(pool, cluster)
        if not open_:
            break
        pool.kill("condor_gridmanager", "arc_gahp")
        done, most = done + 1, most + open_
        seen |= ids(pool, url)
        print("kill %d: the gateway has had %d jobs, and HTCondor has not noted %d of %d" % (done, len(seen - known), open_, jobs), flush=True)
    until(lambda: len(re.findall(r"^005 ", pool.log(name), re.M)) >= jobs, "the end of all jobs", 300)
    starts = collections.Counter(file.name.split(".")[0] for file in ran.iterdir())
    same("how often each job ran", starts, {str(number): 1 for number in range(jobs)})
    # HTCondor cleans its own before it takes them off its queue: what is there then nobody knows
    until(lambda: not queue(pool, cluster), "HTCondor's queue is empty", 120)
    return done, ids(pool, url) - known, most


def everything(pool, url, configuration, jobs, kills, forgotten):
    """Answers whether a kill has left a job behind, all with such a job being well."""
    before, known = sessions(configuration), ids(pool, url)
    done, orphans, most = 0, set(), 0
    for number in range(ROUNDS):
        more, orphans, most = round_of(pool, url, known, number, jobs, kills)
        done += more
        if orphans:
            break
    print("%d orphans of %d kills" % (len(orphans), done), flush=True)
    if not orphans:
        return False
    if len(orphans) > most:
        raise AssertionError("%d jobs are left behind, and HTCondor had not noted more than %d when it was killed" % (len(orphans), most))
    until(lambda: all(state == "FAILED" for state, _ in states(pool, url, orphans).values()), "the orphans are ended", 120)
    for job, (_, error) in states(pool, url, orphans).items():
        if "(arc.inputWait), so the job was ended" not in error:
            raise AssertionError("the error of the orphan %s is %r" % (job, error))
    if forgotten:
        until(lambda: not ids(pool, url) & orphans, "the orphans are forgotten", 2 * forgotten + 60)
        until(lambda: sessions(configuration) <= before, "no session directory is left", 60)
    return True


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
        is_seen = everything(pool, url, Path(configuration), jobs, kills, forgotten)
    except BaseException:
        for log in sorted(pool.here.glob("log/GridmanagerLog*")):
            print("\n".join(log.read_text(errors="replace").splitlines()[-40:]))
        for log in sorted(pool.work.glob("orphans-*.log")):
            print(log.read_text()[-3000:])
        raise
    finally:
        pool.close()
    if not is_seen:
        print("SKIPPED: no kill of the gridmanager came between an answer of the gateway and the note of it, in %d rounds; try it again" % ROUNDS)
        return 77
    print("each of %d jobs ran once, and the orphans were ended; %.0f s" % (jobs, time.monotonic() - begin))
    return 0


if __name__ == "__main__":
    sys.exit(main())
