# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Functions as jobs of a gateway that is played here: whatever goes wrong, no future waits for ever."""

import concurrent.futures as cf
import json
import subprocess
import sys
import threading
import time

import httpx
import pytest

from jobgate import Jobgate, JobgateError, JobgateExecutor, Token, _wire, executor

PATIENCE = 60


class Site:
    """A gateway that runs a job as soon as it is released, and keeps it held before its clean-up."""

    def __init__(self, folder):
        self.folder = folder
        self.lock = threading.Lock()
        self.jobs = {}
        self.changed = []
        self.released = set()
        #: What is answered in the place of the true answer, by the path's end, as long as there is one.
        self.instead = {}
        self.holds_back = threading.Event()
        self.holds_back.set()

    def __call__(self, request):
        path, method = request.url.path, request.method
        with self.lock:
            planned = next((a for ending, a in self.instead.items() if path.endswith(ending) and a), None)
            answer = planned.pop(0) if planned else self.answer(method, path, request)
        if isinstance(answer, Exception):
            raise answer
        if path.endswith("/changes"):
            time.sleep(0.02)
        return answer

    def answer(self, method, path, request):
        parts = path.split("/")
        if path == "/api/v1/jobs":
            job_id = f"job-{len(self.jobs)}"
            self.jobs[job_id] = {"arguments": json.loads(request.content)["arguments"], "over": False}
            (self.folder / job_id).mkdir()
            return httpx.Response(201, json=self.told(job_id))
        if path == "/api/v1/changes":
            at = int(request.url.params.get("since", len(self.changed)))
            told = [
                {"job": job, "version": 2, "at": "2026-11-27T10:00:00Z", "to": "CleanUp", "holding": True}
                for job in self.changed[at:]
            ]
            return httpx.Response(200, json={"changes": told, "next": str(at + len(told)), "more": False})
        if path == "/api/v1/bulk/jobs/get":
            ids = json.loads(request.content)["ids"]
            results = [{"status": 200, "id": i, "job": self.told(i)} for i in ids]
            return httpx.Response(200, json={"results": results, "accepted": len(ids), "refused": 0})
        if parts[1] == "jobs" and parts[3] == "files":
            return self.file(method, self.folder / parts[2] / "/".join(parts[4:]), request)
        if parts[1] == "jobs":
            return httpx.Response(200, content=b"said\n")
        job_id = parts[4]
        if path.endswith("/release"):
            self.release(job_id)
        return httpx.Response(200, json=self.told(job_id))

    def file(self, method, file, request):
        if method == "PUT":
            if request.content:
                file.write_bytes(request.content)
            return httpx.Response(201)
        if not file.exists():
            return httpx.Response(404, json={"title": "T", "status": 404})
        if method == "DELETE":
            file.unlink()
            return httpx.Response(204)
        return httpx.Response(200, content=file.read_bytes())

    def release(self, job_id):
        self.released.add(job_id)
        job = self.jobs[job_id]
        if not job["over"] and self.holds_back.is_set():
            subprocess.run(
                [sys.executable, "-I", job["arguments"][1]], cwd=self.folder / job_id, check=True, timeout=60
            )
            job["over"] = True
            self.changed.append(job_id)

    def told(self, job_id):
        is_over = self.jobs[job_id]["over"]
        return {
            "id": job_id, "version": 2 if is_over else 1, "state": "CleanUp" if is_over else "StageIn", "holding": True,
            "final": False, "lrm": "fork", "account": "a", "owner": "/CN=a", "localIds": [],
            "created": "2026-11-27T10:00:00Z", "changed": "2026-11-27T10:00:00Z", "links": {},
        }  # fmt: skip


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.setattr(_wire, "FIRST_PAUSE", 0.0)
    return Site(tmp_path)


def gate_of(site):
    return Jobgate("https://ce.example:8443", credential=Token("none"), transport=httpx.MockTransport(site), retries=0)


def waits(site, gate, **more):
    """An executor with a future whose job runs until the site is told."""
    site.holds_back.clear()
    it = JobgateExecutor(gate, python=sys.executable, connections=2, **more)
    future = it.submit(len, "abc")
    deadline = time.monotonic() + PATIENCE
    while not site.released:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return it, future


def let_end(site):
    with site.lock:
        site.holds_back.set()
        for job_id in site.jobs:
            site.release(job_id)


def is_gone(it):
    for thread in [*it._threads, it._watcher]:
        thread.join(PATIENCE)
        assert not thread.is_alive(), thread.name


def test_values_and_exceptions_come_back(site):
    with gate_of(site) as gate, JobgateExecutor(gate, python=sys.executable) as it:
        assert list(it.map(lambda n: n * n, range(3))) == [0, 1, 4]
        failed = it.submit(lambda: {}["absent"])
        assert isinstance(failed.exception(PATIENCE), KeyError)
        assert failed.output == "said\n"


def test_a_gateway_that_is_closed_ends_all_futures_with_the_reason(site):
    gate = gate_of(site)
    it, future = waits(site, gate, max_running=1)
    waiting = it.submit(len, "more")
    gate.close()
    for one in (future, waiting):
        error = one.exception(PATIENCE)
        assert isinstance(error, cf.BrokenExecutor)
        assert "closed" in str(error)
        assert isinstance(error.__cause__, RuntimeError)
    with pytest.raises(cf.BrokenExecutor, match="closed"):
        it.submit(len, "too late")
    it.shutdown()
    is_gone(it)


def test_a_cancelled_future_of_a_broken_executor_is_told_too(site):
    gate = gate_of(site)
    it, future = waits(site, gate, max_running=1)
    waiting = it.submit(len, "more")
    assert waiting.cancel()
    gate.close()
    assert isinstance(future.exception(PATIENCE), cf.BrokenExecutor)
    # of a cancelled one nothing is done until somebody has said so
    assert cf.wait([waiting], PATIENCE).done == {waiting}
    it.shutdown()


@pytest.mark.parametrize(
    ("ending", "answer"),
    [
        ("/changes", httpx.Response(200, headers={"Content-Encoding": "gzip"}, stream=httpx.ByteStream(b"no gzip"))),
        ("/changes", httpx.Response(200, text="<html>a proxy on the way</html>")),
        ("/bulk/jobs/get", httpx.Response(200, json={"results": [], "accepted": 0, "refused": 0})),
        ("/bulk/jobs/get", httpx.ConnectError("down")),
        ("/changes", httpx.Response(403, json={"detail": ["not a text"]})),
    ],
)
def test_an_answer_that_cannot_be_used_is_asked_for_again(site, ending, answer):
    with gate_of(site) as gate:
        it, future = waits(site, gate)
        given = [answer]
        site.instead[ending] = given
        if ending == "/bulk/jobs/get":  # is asked for when a job has changed
            let_end(site)
        deadline = time.monotonic() + PATIENCE
        while given:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        let_end(site)
        assert future.result(PATIENCE) == 3
        it.shutdown()


def test_a_gateway_that_goes_on_refusing_ends_all_futures(site, monkeypatch):
    monkeypatch.setattr(executor, "_PATIENCE", 0.5)
    with gate_of(site) as gate:
        it, future = waits(site, gate)
        site.instead["/changes"] = [httpx.Response(401, json={"title": "T", "status": 401}) for _ in range(1000)]
        error = future.exception(PATIENCE)
        assert isinstance(error, cf.BrokenExecutor)
        assert isinstance(error.__cause__, JobgateError)
        it.shutdown()


def test_an_error_while_a_job_is_let_go_harms_no_other_future(site):
    with gate_of(site) as gate, JobgateExecutor(gate, python=sys.executable, connections=1) as it:
        first = it.submit(len, "a")
        assert first.result(PATIENCE) == 1
        site.instead[".err"] = [RuntimeError("no error of this package")]
        assert it.submit(len, "ab").result(PATIENCE) == 2
        assert it.submit(len, "abc").result(PATIENCE) == 3
    assert not site.instead[".err"]


def test_without_waiting_the_threads_end_with_the_last_future(site):
    with gate_of(site) as gate:
        it, future = waits(site, gate)
        it.shutdown(wait=False)
        with pytest.raises(RuntimeError, match="shutdown"):
            it.submit(len, "too late")
        assert it._watcher.is_alive()
        let_end(site)
        assert future.result(PATIENCE) == 3
        is_gone(it)


def test_an_executor_that_had_nothing_to_do_ends(site):
    with gate_of(site) as gate:
        it = JobgateExecutor(gate)
        it.shutdown(wait=False)
        is_gone(it)


def test_what_is_called_at_the_end_of_a_future_may_shut_down(site):
    with gate_of(site) as gate:
        it = JobgateExecutor(gate, python=sys.executable, connections=1)
        is_down = threading.Event()

        def shut_down(_):
            it.shutdown()
            is_down.set()

        future = it.submit(time.sleep, 0.1)
        future.add_done_callback(shut_down)
        assert future.result(PATIENCE) is None
        assert is_down.wait(PATIENCE)
        is_gone(it)
