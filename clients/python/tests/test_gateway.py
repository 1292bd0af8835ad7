# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""With a real gateway: JOBGATE_URL names it; the caller's credential and trust are where grid tools look for them."""

import asyncio
import hashlib
import itertools
import os
import sys
import threading
import time
from datetime import datetime, timedelta, timezone

import pytest

from jobgate import (
    After,
    AsyncJobgate,
    BadRequestError,
    ConflictError,
    JobFailedError,
    Jobgate,
    JobgateExecutor,
    JobRequest,
    NotFoundError,
    RemoteError,
    State,
    SubJob,
    WaitTimeoutError,
)

URL = os.environ.get("JOBGATE_URL")
pytestmark = pytest.mark.skipif(URL is None, reason="SKIPPED: JOBGATE_URL names no gateway")
LRM = os.environ.get("JOBGATE_LRM")
MORE = {"lrm": LRM} if LRM else {}


@pytest.fixture(scope="module")
def gate():
    with Jobgate(URL) as it:
        yield it


def test_the_first_five_lines(gate):
    job = gate.submit("/bin/echo", ["Hello", "a b", ""], **MORE)
    assert job.wait(120, check=True).state is State.DONE
    assert job.output() == "Hello a b \n"
    assert job.errors() == ""


def test_the_same_submission_is_the_same_job(gate):
    key = f"key-{os.getpid()}-{time.time_ns()}"
    first = gate.submit(JobRequest(executable="/bin/true", idempotency_key=key, **MORE))
    assert gate.submit(JobRequest(executable="/bin/true", idempotency_key=key, **MORE)).id == first.id
    plain = gate.submit("/bin/echo", ["again"], idempotency_key=key + "-plain", **MORE)
    assert gate.submit("/bin/echo", ["again"], idempotency_key=key + "-plain", **MORE).id == plain.id
    with pytest.raises(ConflictError) as e:
        gate.submit(JobRequest(executable="/bin/false", idempotency_key=key, **MORE))
    assert any("executable" in difference for difference in e.value.problem.differences or [])


def test_a_flow_is_seen_as_a_whole(gate):
    jobs = [
        SubJob(id="first", executable="/bin/true", **MORE),
        SubJob(executable="/bin/true", after=[After(id="first")], **MORE),
        SubJob(executable="/bin/true", after=[After(id="first", when="failed")], **MORE),
    ]
    flow = gate.submit(JobRequest(sub_jobs=jobs))
    assert flow.wait(120, check=True).state is State.DONE
    parts = flow.sub_jobs()
    assert [part.job.state for part in parts] == [State.DONE, State.DONE, State.CANCELLED]
    assert parts[2].after == [After(id="first", when="failed")]
    assert "left out" in parts[2].job.fault.sentence


def test_a_failure_has_its_code(gate):
    with pytest.raises(JobFailedError, match="exit code 7") as e:
        gate.submit("/bin/sh", ["-c", "exit 7"], **MORE).wait(120, check=True)
    assert e.value.job.exit_code == 7


def test_output_is_followed_while_it_is_written(gate):
    # it would write for ever: whatever is seen is seen while it is written
    job = gate.submit("/bin/sh", ["-c", "i=0; while :; do i=$((i + 1)); echo $i; sleep 0.2; done"], **MORE)
    pieces = []
    for piece in job.follow_output():
        pieces.append(piece)
        if len(pieces) == 3:
            job.cancel()
    numbers = [int(line) for line in b"".join(pieces).splitlines()]
    assert len(pieces) >= 3
    assert numbers == list(range(1, len(numbers) + 1))
    assert job.wait(120).state is State.CANCELLED


def test_a_job_that_runs_is_cancelled(gate):
    job = gate.submit("/bin/sleep", ["600"], **MORE)
    with pytest.raises(WaitTimeoutError):
        job.wait(1)
    job.cancel()
    assert job.wait(120).state is State.CANCELLED
    job.delete()
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline:
        try:
            job.refresh()
        except NotFoundError:
            break
        time.sleep(0.2)
    else:
        pytest.fail("the job is not gone")
    job.delete()


def test_files_go_there_and_back(gate, tmp_path):
    big = os.urandom(9 * 1024 * 1024)
    (tmp_path / "in").write_bytes(big)
    job = gate.submit(
        "/bin/sh",
        ["-c", 'cat "a b" >copy; ./program'],
        hold_at=State.STAGE_IN,
        hold_again=State.CLEAN_UP,
        **MORE,
    )
    job.make_directory()
    job.upload(tmp_path / "in", "a b")
    job.upload(b"#!/bin/sh\necho said\n", "program", program=True)
    job.release()
    for status in job.follow():
        if status.final or (status.holding and status.state is State.CLEAN_UP):
            break
    assert job.download("copy", tmp_path / "back").read_bytes() == big
    assert job.output() == "said\n"
    with pytest.raises(NotFoundError):
        job.read("absent")
    job.release()
    assert job.wait(180, check=True).succeeded


def test_a_file_of_a_job_is_opened(gate):
    job = gate.submit("/bin/sh", ["-c", "printf 'a,b\\n1,2\\n'"], **MORE)
    job.wait(120, check=True)
    with job.open("stdout") as file:
        assert file.readlines() == [b"a,b\n", b"1,2\n"]
    with pytest.raises(NotFoundError), job.open("absent"):
        pass


def test_a_proxy_is_delegated_for_a_block_and_used_by_a_job(gate):
    with gate.delegate(lifetime=timedelta(hours=2)) as mine:
        assert mine.id in [other.id for other in gate.delegations()]
        first = mine.status.expires
        assert first < datetime.now(timezone.utc) + timedelta(hours=3)
        job = gate.submit(
            "/bin/sh", ["-c", 'grep -c "BEGIN CERT" "$X509_USER_PROXY"'], credentials={"job": mine.id}, **MORE
        )
        job.wait(120, check=True)
        assert int(job.output()) >= 2
        assert mine.renew().expires > first
        assert gate.delegation(mine.id).status.kind == "proxy"
    with pytest.raises(NotFoundError):
        mine.refresh()
    mine.destroy()


def test_a_wrong_description_is_refused_with_its_member(gate):
    with pytest.raises(BadRequestError) as e:
        gate.submit(JobRequest(executable="/bin/true", lrm="nowhere"))
    assert "nowhere" in str(e.value)
    with pytest.raises(BadRequestError):
        gate.submit({"executable": "/bin/true", "environment": {"A": "nul\x00"}})


def test_many_at_once_and_listed_newest_first(gate):
    jobs = gate.submit_many([JobRequest(executable="/bin/true", arguments=[str(i)], **MORE) for i in range(30)])
    ids = [job.id for job in jobs]
    listed = [job.id for job in itertools.islice(gate.jobs(page=7), 30)]
    assert set(listed) == set(ids)
    for job in jobs:
        job.wait(120, check=True)
    gone = gate.act("get", [*ids[:2], "00000000-0000-0000-0000-000000000000"])
    assert [type(answer).__name__ for answer in gone] == ["Job", "Job", "NotFoundError"]


def test_changes_and_events_tell_each_state_once(gate):
    cursor = gate.changes().next
    seen = []

    def listen():
        for change in gate.events(since=cursor):
            if change.job == job.id:
                seen.append(change.to)
                if change.to.is_final:
                    return

    job = gate.submit("/bin/sleep", ["1"], **MORE)
    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    job.wait(120, check=True)
    listener.join(180)
    polled = [change.to for change in gate.changes(cursor).changes if change.job == job.id]
    assert seen == polled
    assert [change.to for change in job.history()] == polled
    assert seen[-1] is State.DONE


@pytest.mark.skipif("JOBGATE_TREE" not in os.environ, reason="JOBGATE_TREE names a tree that may be written")
def test_files_outside_of_jobs(gate, tmp_path):
    name = os.environ["JOBGATE_TREE"]
    assert {tree.name: tree.writable for tree in gate.trees()}[name]
    tree = gate.tree(name)
    top = f"py {os.getpid()}-{time.time_ns()}"
    assert tree.make_directory(f"{top}/data", parents=True)
    assert not tree.make_directory(f"{top}/data")
    big = os.urandom(9 * 1024 * 1024)
    (tmp_path / "in").write_bytes(big)
    tree.upload(tmp_path / "in", f"{top}/data/a b")
    assert tree.checksum(f"{top}/data/a b") == hashlib.sha256(big).hexdigest()
    assert tree.download(f"{top}/data/a b", tmp_path / "back").read_bytes() == big
    tree.upload(b"", f"/{top}/data/empty")
    assert tree.read(f"{top}/data/empty") == b""
    with pytest.raises(ConflictError):
        tree.upload(b"other", f"{top}/data/empty", only_new=True)
    tree.upload(b"new", os.fsencode(top) + b"/data/caf\xe9", only_new=True)
    names = [entry.raw_name for entry in tree.list(f"{top}/data", page=2)]
    assert names == [b"a b", b"caf\xe9", b"empty"]
    tree.chmod(f"{top}/data/empty", 0o640)
    assert tree.stat(f"{top}/data/empty").mode == "0640"
    tree.rename(f"{top}/data/empty", f"{top}/moved")
    with pytest.raises(ConflictError):
        tree.rename(f"{top}/moved", f"{top}/data/a b")
    assert tree.exists(f"{top}/moved")
    tree.remove(f"{top}/moved")
    tree.remove(f"{top}/moved")
    assert not tree.exists(f"{top}/moved")
    with pytest.raises(ConflictError):
        tree.remove(top)
    tree.remove(top, recursive=True)
    with pytest.raises(NotFoundError):
        list(tree.list(top))


def test_who_and_where(gate):
    me = gate.whoami()
    assert me.may_submit
    assert me.accounts
    assert any(lrm.default for lrm in gate.lrms())
    assert all(limit.what for limit in gate.limits())
    assert gate.info().api


def test_a_program_over_values_as_an_array(gate):
    results = list(gate.map("/bin/sh", range(25), ["-c", 'test "$0" != 13 && echo "$0 squared"', "{value}"], **MORE))
    assert [result.value for result in results] == [str(i) for i in range(25)]
    assert [result.succeeded for result in results] == [i != 13 for i in range(25)]
    assert results[7].output == "7 squared\n"


def test_functions_run_as_jobs(gate):
    offset = 100

    def work(n):
        print("at", n)
        if n == 3:
            raise ValueError(f"not {n}")
        return n * n + offset

    with JobgateExecutor(gate, **MORE) as executor:
        futures = [executor.submit(work, n) for n in range(8)]
        assert futures[2].result(180) == 104
        assert futures[2].output == "at 2\n"
        with pytest.raises(ValueError, match="not 3"):
            futures[3].result(180)
        assert list(executor.map(lambda text: text.upper(), ["a", "b"], timeout=180)) == ["A", "B"]
    with pytest.raises(RuntimeError):
        executor.submit(work, 1)


def test_an_interpreter_that_is_not_there_is_told(gate):
    with JobgateExecutor(gate, python="python-that-is-not-there", **MORE) as executor:
        future = executor.submit(os.getpid)
        with pytest.raises((RemoteError, JobFailedError), match=r"127|python-that-is-not-there"):
            future.result(180)


@pytest.mark.skipif("JOBGATE_TASKS" not in os.environ, reason="JOBGATE_TASKS says how many")
def test_many_functions(gate):
    count = int(os.environ["JOBGATE_TASKS"])
    began = time.monotonic()
    with JobgateExecutor(gate, **MORE) as executor:
        assert sum(executor.map(lambda n: n, range(count), timeout=900)) == count * (count - 1) // 2
    print(f"{count} functions in {time.monotonic() - began:.1f} s", file=sys.stderr)


def test_the_same_with_async(gate):
    async def run():
        async with AsyncJobgate(URL) as it:
            jobs = await asyncio.gather(*(it.submit("/bin/echo", [str(n)], **MORE) for n in range(10)))
            await asyncio.gather(*(job.wait(120, check=True) for job in jobs))
            return [await job.output() for job in jobs]

    assert asyncio.run(run()) == [f"{n}\n" for n in range(10)]
