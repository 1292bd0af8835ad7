# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""What a stock HTCondor is asked to do with the lab's Slurm through jobgate-blahpd: a part of try_htcondor.py, in its pool."""

import os
import re
import subprocess
import time
from pathlib import Path

SLURM_CONF = Path(os.environ.get("JOBGATE_LAB", "/var/lib/jobgate-lab")) / "slurm/etc/slurm.conf"
JOBS = int(os.environ.get("JOBGATE_BLAHPD_JOBS", "100"))
SETTINGS = "[slurm]\nslurm_conf = %s\npoll_interval = 1\n[blahpd]\nstate = %s/blahpd\naccounting_log = %s/blahp.log\n"


def environment(here):
    """What jobgate-blahpd finds in its environment; its settings, which are written here."""
    settings = here / "blahpd.conf"
    settings.write_text(SETTINGS % (SLURM_CONF, here, here))
    return {"JOBGATE_BLAHPD_CONFIG": str(settings)}


def slurm(command, *words):
    return subprocess.run([command, *words], env=dict(os.environ, SLURM_CONF=str(SLURM_CONF)), stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout


def is_there():
    try:
        return SLURM_CONF.exists() and bool(slurm("sinfo", "--noheader").strip())
    except (OSError, subprocess.CalledProcessError):
        return False


def everything(pool, until, same, ended):
    ran = pool.here / "ran-slurm"
    ran.mkdir()
    ran.chmod(0o777)
    pool.file("slow.sh", "#!/bin/sh\necho $$ >>%s/slow; sleep 600\n" % ran, 0o755)
    pool.file("often.sh", "#!/bin/sh\n: >%s/$1.$$; sleep 1; echo job $1; exit $(($1 %% 3))\n" % ran, 0o755)
    began = time.monotonic()
    often = pool.submit("often", "executable = often.sh", "arguments = $(ProcId)", "output = often.$(ProcId)", count=JOBS, to="slurm")
    pool.submit(
        "local",
        "executable = run.sh",
        "arguments = \"x 'y  z'\"",
        "environment = \"FOO='b a r'\"",
        "transfer_input_files = data.txt, folder",
        "transfer_output_files = result.txt",
        "transfer_output_remaps = \"result.txt = result-slurm.txt\"",
        "output = local.out",
        "error = local.err",
        to="slurm",
    )
    pool.submit("struck", "executable = killed.sh", to="slurm")
    pool.submit("missing", "executable = /no/such/program", "transfer_executable = false", to="slurm")
    pool.submit("refused", "executable = /bin/true", "transfer_executable = false", "batch_queue = no-such-queue", to="slurm")
    held = pool.submit("held", "executable = slow.sh", to="slurm")
    # in the midst of the submissions, and once more of the polls
    for words in (("jobgate-blahpd",), ("jobgate-blahpd", "jobgate-worker", "condor_gridmanager")):
        until(lambda: pool.processes("jobgate-blahpd"), "a blahpd runs")
        time.sleep(1.5)
        pool.kill(*words)
    ended(pool, "often", JOBS)
    print("%d jobs through Slurm in %.1f s, with two kills" % (JOBS, time.monotonic() - began))
    same("how often each job ran", sorted(name.split(".")[0] for name in os.listdir(ran) if "." in name), sorted(str(n) for n in range(JOBS)))
    same("the output", [(pool.work / ("often.%d" % n)).read_text() for n in range(JOBS)], ["job %d\n" % n for n in range(JOBS)])
    codes = dict(re.findall(r"^005 \(\d+\.(\d+)\..*?return value (\d+)", pool.log("often"), re.M | re.S))
    same("the exit codes", {int(proc): int(code) for proc, code in codes.items()}, {n: n % 3 for n in range(JOBS)})
    ended(pool, "local")
    ended(pool, "struck")
    same("the exit code", re.search(r"return value (\d+)", pool.log("local")).group(1), "3")
    same("stdout", (pool.work / "local.out").read_text(), "2 [x] [y  z]\n")
    same("stderr", (pool.work / "local.err").read_text(), "b a r\n")
    same("the output file", (pool.work / "result-slurm.txt").read_text(), "DATA\nX\n")
    same("the signal", re.search(r"signal (\d+)", pool.log("struck")).group(1), "9")
    for name, word in (("missing", "/no/such/program"), ("refused", "no-such-queue")):
        until(lambda: word in "".join(re.findall(r"^012 .*?^\.\.\.", pool.log(name), re.M | re.S)), "the hold reason: " + pool.log(name))

    slow = ran / "slow"
    until(slow.exists, "the job that is to be held runs")
    pool.run("condor_hold", held)
    until(lambda: re.search(r"^012 ", pool.log("held"), re.M), "the job is held")
    until(lambda: not os.path.exists("/proc/" + slow.read_text().split()[0]), "the held job has ended in Slurm")
    pool.run("condor_release", held)
    until(lambda: len(slow.read_text().split()) == 2, "the released job runs again: " + pool.log("held"))
    pool.run("condor_rm", held)
    until(lambda: re.search(r"^009 ", pool.log("held"), re.M), "the job is removed")
    until(lambda: not os.path.exists("/proc/" + slow.read_text().split()[1]), "the removed job has ended in Slurm")
    lines = "".join(log.read_text() for log in pool.here.glob("blahp.log-*")).splitlines()
    accounted = [re.search(r'"lrmsID=(\d+)"', line).group(1) for line in lines]
    same("the jobs in the accounting log", (len(accounted), len(set(accounted))), (JOBS + 5, JOBS + 5))
    # a job's program deletes its directory after the program of the user has ended; that of a job which was killed is deleted a minute later
    work = pool.here / "blahpd/slurm/work"
    until(lambda: not os.listdir(work), "each job's directory is deleted", 180)
    return often
