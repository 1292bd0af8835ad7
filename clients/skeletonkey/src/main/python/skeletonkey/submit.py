# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Submits a wrapper to a gateway by globusrun-ws, once or as an array."""

import os
import subprocess
import sys
import tempfile
import uuid

from . import describe

MOST_JOBS = 10000


def submit(contact, lrm, wrapper, arguments, count=None, batch=False, chirp=None):
    """The exit status: of the job itself where it is one and not in the background, else 0, or 1 where one of several was refused.

    A job of several has its place, from 0, in SKELETON_KEY_INDEX, and its handle in WRAPPER.PLACE.epr; one in the background in WRAPPER.epr.
    Each job has an id of its own that is written down first (WRAPPER.PLACE.id), so that none is started twice when an answer is lost.
    """
    with tempfile.TemporaryDirectory(prefix="skeleton_key.") as private:
        if count is None and not batch:
            return subprocess.call(_command(private, contact, lrm, describe.describe("jdd", wrapper, arguments, chirp=chirp)) + ["-s"])
        if count is None:
            return 0 if _in_background(private, contact, lrm, wrapper, arguments, wrapper, {}, chirp) else 1
        refused = []
        for index in range(count):
            names = f"{wrapper}.{index}"
            if _in_background(private, contact, lrm, wrapper, arguments, names, {"SKELETON_KEY_INDEX": str(index)}, chirp):
                print(names + ".epr", flush=True)
            else:
                refused.append(index)
        if refused:
            shown = ", ".join(map(str, refused[:10])) + (" and others" if len(refused) > 10 else "")
            sys.stderr.write(f"skeleton_key: {len(refused)} of {count} jobs were not taken: {shown}. The same ids (NAME.N.id) may be submitted again.\n")
            return 1
        return 0


def _in_background(private, contact, lrm, wrapper, arguments, names, environment, chirp):
    job_id = str(uuid.uuid4())
    with open(names + ".id", "w", encoding="ascii") as file:
        file.write(job_id + "\n")
    job = describe.describe("jdd", wrapper, arguments, environment, "skeleton_key-" + job_id, chirp)
    return not subprocess.call(_command(private, contact, lrm, job) + ["-q", "-b", "-If", names + ".id", "-o", names + ".epr"], stdout=subprocess.DEVNULL)


def _command(private, contact, lrm, job):
    path = os.path.join(private, "job.xml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(job)
    command = ["globusrun-ws", "-submit", "-F", contact, "-f", path]
    return command + (["-Ft", lrm] if lrm else [])
