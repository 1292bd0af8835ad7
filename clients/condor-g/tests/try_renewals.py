# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""A proxy that is renewed while a job of a stock HTCondor runs: a part of try_htcondor.py, in its pool.

HTCondor looks at the file every GRIDMANAGER_CHECKPROXY_INTERVAL seconds and tells the GAHP of each job that there is another one, which ends later. The job
finds its own proxy in the place of X509_USER_PROXY, and the renewed one there after a while.
"""

import os
import shutil
import subprocess
from pathlib import Path

JOBGATE = Path(__file__).resolve().parents[3] / "bin/jobgate"
CONFIGURATION = "GRIDMANAGER_CHECKPROXY_INTERVAL = 2\n"

PROGRAM = """#!/bin/sh
cp "$X509_USER_PROXY" first || exit 1
: >"{here}/begun"
tries=0
while cmp -s "$X509_USER_PROXY" first; do
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || exit 2
    sleep 0.1
done
cat first "$X509_USER_PROXY"
exit 7
"""


def ends(text):
    """When the first certificate ends."""
    shown = subprocess.run(["openssl", "x509", "-noout", "-enddate"], input=text, stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
    return subprocess.run(["date", "+%s", "-d", shown.strip().split("=", 1)[1]], stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout


class Trial:
    """begin() early, and end() when other jobs have had their time: that a proxy is renewed takes a while, which nobody need wait for."""

    def __init__(self, pool, proxy, until, same):
        self.pool, self.until, self.same = pool, until, same
        self.here = pool.here / "renewals"
        self.certificate = Path(proxy).parent / "user/usercert.pem"

    def begin(self):
        self.here.mkdir()
        self.here.chmod(0o777)
        self.pool.file("renewed.sh", PROGRAM.format(here=self.here), 0o755)
        self.pool.submit("renewed", "executable = renewed.sh", "output = renewed.out", "x509userproxy = %s/proxy.pem" % self.pool.here)
        self.until((self.here / "begun").exists, "the job with a proxy runs: " + self.pool.log("renewed"))
        renewed = self.pool.here / "renewed.pem"
        subprocess.run([str(JOBGATE), "ca", "proxy", "--cert", str(self.certificate), "--out", str(renewed), "--hours", "30"], check=True, stdout=subprocess.DEVNULL)
        if self.pool.as_user:
            shutil.chown(renewed, self.pool.account.pw_uid)
        os.replace(renewed, self.pool.here / "proxy.pem")

    def end(self, ended):
        ended(self.pool, "renewed")
        self.same("the exit code of the job with a proxy", "(return value 7)" in self.pool.log("renewed"), True)
        proxies = (self.pool.work / "renewed.out").read_text().split("-----BEGIN CERTIFICATE-----")
        first, second = ("-----BEGIN CERTIFICATE-----" + proxies[i] for i in (1, 1 + len(proxies) // 2))
        self.same("that the job's proxy ends later than before", int(ends(second)) > int(ends(first)) + 3600, True)
