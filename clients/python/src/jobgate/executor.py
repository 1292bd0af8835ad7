# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Python functions as jobs: a :class:`concurrent.futures.Executor` that runs on a site's batch system."""

from __future__ import annotations

import concurrent.futures as cf
import io
import pickle
import sys
import threading
import time
import zipfile
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, ParamSpec, TypeVar
from uuid import uuid4

from . import _wire
from ._sync.client import Jobgate
from ._sync.job import Job
from .errors import (
    CursorGoneError,
    GatewayUnreachableError,
    JobFailedError,
    JobgateError,
    NotFoundError,
    TooManyError,
    UnavailableError,
)
from .models import JobRequest, JobStatus, State

_P = ParamSpec("_P")
_T = TypeVar("_T")

#: Seconds after which all jobs are looked at, whatever the changes say.
_LOOK_AT_ALL = 60.0

#: Seconds for which a gateway may refuse to say how the jobs stand, or answer what cannot be read. A token
#: may be renewed meanwhile; a gateway that cannot be reached, or says that it is busy, is waited for without end.
_PATIENCE = 600.0
_PASSING = (CursorGoneError, GatewayUnreachableError, TooManyError, UnavailableError)

#: What runs on the node, with Python's own library only; it brings cloudpickle along.
_MAIN = """\
import io, json, os, sys, traceback, zipfile
want = {version!r}
def end(kind, **more):
    import pickle
    path = sys.argv[0][:-len(".pyz")] + ".result"
    with open(path + ".part", "wb") as f:
        pickle.dump(dict(more, kind=kind, version=list(sys.version_info[:3]), host=os.uname().nodename), f, protocol=4)
        f.flush()
        os.fsync(f.fileno())
    os.replace(path + ".part", path)
    sys.stdout.flush()
    sys.exit(0)
if list(sys.version_info[:2]) != want:
    end("version")
with zipfile.ZipFile(sys.argv[0]) as z:
    task = z.read("task")
try:
    import cloudpickle
    function, args, kwargs = cloudpickle.loads(task)
    value = function(*args, **kwargs)
    text = cloudpickle.dumps(value, protocol=4)
except BaseException as e:
    told = traceback.format_exc()
    try:
        import cloudpickle
        e.__traceback__ = None
        text = cloudpickle.dumps(e, protocol=4)
    except Exception:
        text = None
    end("error", error=text, told=told, name=type(e).__name__, says=str(e))
end("value", value=text)
"""


class RemoteError(JobgateError):
    """What a function raised on the node could not be brought back as it was; this says what it was."""


class _RemoteTraceback(Exception):
    """Shown as the cause of what a function raised: where on the node it did."""

    def __str__(self) -> str:
        return "\n" + str(self.args[0])


class JobgateExecutor(cf.Executor):
    """Runs functions as jobs, each in a process of its own, on whatever host the batch system gives.

    The function, its arguments and its value travel by cloudpickle, so that functions of a notebook work too. Modules
    that they import must be there on the node, and Python there must have the same major and minor version; where it
    has another one, the future's exception says both. What the function printed is in the attribute ``output`` of its
    future.

    Who can write the files of the account can choose what is read back here: use accounts that you trust.

    Jobs go on while the gateway cannot be reached, and are looked at when it answers again. Where they cannot be looked
    at any more, because ``gate`` was closed, or the gateway has refused to say how they stand for ten minutes, the
    executor breaks: every future that is left gets a :class:`concurrent.futures.BrokenExecutor` with the error as its
    cause, :meth:`submit` raises it, and jobs that are at the gateway stay there until their lifetime ends.

    :param gate: where to run; stays open when the executor is shut down
    :param python: the interpreter on the nodes, by name or path
    :param max_running: how many jobs this executor has at the gateway at once; the others wait here
    :param connections: how many requests it makes at once
    :param members: more members of :class:`JobRequest` for every job, e.g. ``lrm``, ``queue``
    """

    def __init__(
        self, gate: Jobgate, *, python: str = "python3", max_running: int = 1000, connections: int = 8, **members: Any
    ) -> None:
        try:
            import cloudpickle
        except ImportError as e:
            raise ImportError("JobgateExecutor needs cloudpickle: pip install 'jobgate[executor]'") from e
        self._dumps = cloudpickle.dumps
        self._carried = _package_of(Path(cloudpickle.__file__).parent)
        self._gate = gate
        self._python = python
        self._members = members
        self._directory = f"{_wire.OWN}/{uuid4()}"
        self._lock = threading.Lock()
        self._closed = False
        self._broken: cf.BrokenExecutor | None = None
        self._tasks: set[_Task] = set()
        self._max_running = max_running
        self._running = 0
        self._pending: deque[_Task] = deque()
        self._queue: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._waiting: dict[str, _Task] = {}
        self._threads = [
            threading.Thread(target=self._serve, name=f"jobgate-{i}", daemon=True) for i in range(connections)
        ]
        self._watcher = threading.Thread(target=self._watch, name="jobgate-watch", daemon=True)
        self._ended = threading.Event()
        for thread in [*self._threads, self._watcher]:
            thread.start()

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> cf.Future[_T]:
        """Run ``fn(*args, **kwargs)`` as a job.

        :raises concurrent.futures.BrokenExecutor: the jobs cannot be looked at any more
        :raises RuntimeError: the executor was shut down
        :raises pickle.PicklingError: the function or an argument cannot be sent
        """
        payload = self._dumps((fn, args, kwargs), protocol=4)
        future: cf.Future[_T] = cf.Future()
        task = _Task(self, future, payload)
        with self._lock:
            if self._broken is not None:
                raise _broken_by(self._broken.__cause__)
            if self._closed:
                raise RuntimeError("cannot schedule new futures after shutdown")
            self._tasks.add(task)
            self._pending.append(task)
        self._pump()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more functions; with ``cancel_futures`` give up those whose jobs were not submitted yet.

        Its threads end with the last future; without ``wait`` this returns before that. It does too where it is called
        at the end of a future (``add_done_callback``), for that is called by one of those threads.
        """
        threads = [*self._threads, self._watcher]
        with self._lock:
            self._closed = True
            futures = [task.future for task in self._tasks]
            if not self._tasks:
                self._stop()
        if cancel_futures:
            for future in futures:
                future.cancel()
        if wait and threading.current_thread() not in threads:
            cf.wait(futures)
            for thread in threads:
                thread.join()

    def _pump(self) -> None:
        """Begin what may begin now."""
        with self._lock:
            while self._pending and self._running < self._max_running:
                self._running += 1
                task = self._pending.popleft()
                task.has_place = True
                self._queue.put(task.begin)

    def _done(self, task: _Task) -> None:
        """The future is settled, and its place is free."""
        with self._lock:
            self._tasks.discard(task)
            if task.has_place:
                self._running -= 1
            if self._closed and not self._tasks:
                self._stop()
        self._pump()

    def _stop(self) -> None:
        """Let the threads end once they have done what is in the queue. Holds the lock."""
        if not self._ended.is_set():
            self._ended.set()
            for _ in self._threads:
                self._queue.put(None)

    def _break(self, error: BaseException) -> None:
        """Nobody can look at the jobs any more: tell everyone who waits."""
        with self._lock:
            if self._broken is None:
                self._broken = _broken_by(error)
            self._closed = True
            self._pending.clear()
            self._waiting.clear()
            tasks = list(self._tasks)
            if not tasks:
                self._stop()
        for task in tasks:
            task.fail(_broken_by(error))

    def _serve(self) -> None:
        while (work := self._queue.get()) is not None:
            try:
                work()
            except BaseException as e:
                self._break(e)

    def _watch(self) -> None:
        try:
            self._look()
        except BaseException as e:
            self._break(e)

    def _look(self) -> None:
        """Look, by one stream of changes for all jobs, which of them can be finished."""
        cursor: str | None = None
        looked = 0.0
        good = time.monotonic()
        while not self._ended.is_set():
            try:
                if cursor is None or time.monotonic() - looked > _LOOK_AT_ALL:
                    cursor = cursor or self._gate.changes().next
                    ids = list(self._waiting)
                    looked = time.monotonic()
                else:
                    answer = self._gate.changes(cursor, wait=2)
                    cursor = answer.next
                    ids = [change.job for change in answer.changes if change.job in self._waiting]
                for start in range(0, len(ids), 500):
                    part = list(dict.fromkeys(ids[start : start + 500]))
                    for job_id, found in zip(part, self._gate.act("get", part), strict=True):
                        if isinstance(found, Job):
                            self._tell(found)
                        elif isinstance(found, NotFoundError) and (task := self._waiting.pop(job_id, None)):
                            self._queue.put(partial(task.fail, found))
                good = time.monotonic()
            except JobgateError as e:
                # the jobs go on; when the gateway answers again, all are looked at
                if isinstance(e, _PASSING):
                    good = time.monotonic()
                elif time.monotonic() - good >= _PATIENCE:
                    raise
                cursor = None
                self._ended.wait(1)

    def _tell(self, job: Job) -> None:
        status = job.status
        task = self._waiting.get(job.id)
        if task is None or not (status.final or (status.holding and status.state is State.CLEAN_UP)):
            return
        if self._waiting.pop(job.id, None) is not None:
            self._queue.put(partial(task.end, job))


class _Task:
    """One function on its way."""

    def __init__(self, executor: JobgateExecutor, future: cf.Future[Any], payload: bytes) -> None:
        self.executor = executor
        self.future = future
        self.payload = payload
        self.name = str(uuid4())
        #: Whether it counts among the jobs at the gateway.
        self.has_place = False
        self._is_settled = False

    def begin(self) -> None:
        """Submit the job, held until its program is there."""
        it = self.executor
        with it._lock:
            if self._is_settled:
                return  # the executor broke before its turn
            goes_on = self.future.set_running_or_notify_cancel()
            self._is_settled = not goes_on
        if not goes_on:
            it._done(self)
            return
        job: Job | None = None
        is_waited_for = False
        try:
            request: dict[str, Any] = {
                "directory": it._directory,
                "stdout": self.name + ".out",
                "stderr": self.name + ".err",
                "hold_at": State.STAGE_IN,
                "hold_again": State.CLEAN_UP,
                **it._members,
            }
            job = it._gate.submit(
                JobRequest(executable="/usr/bin/env", arguments=[it._python, self.name + ".pyz"], **request)
            )
            job.make_directory()
            job.upload(_program(self.payload, it._carried), self.name + ".pyz")
            with it._lock:
                if it._broken is not None:
                    raise it._broken
                it._waiting[job.id] = self
            is_waited_for = True
            job.release()
            # a job that was ended before it was waited for tells of no change any more
            it._tell(job)
        except BaseException as e:
            if job is not None and is_waited_for and it._waiting.pop(job.id, None) is None:
                return  # the watcher saw its end first, and tells that
            if job is not None:
                # without this no one would know of the job, which would stay held; whatever goes wrong here, e is told
                with suppress(Exception):
                    job.delete()
            self.fail(e)

    def end(self, job: Job) -> None:
        """Bring the value back, and let the job go."""
        try:
            value = self._value(job)
        except BaseException as e:
            self.fail(e)
        else:
            self._settle_by(lambda: self.future.set_result(value))
        finally:
            # a job that stays held is ended by its lifetime at the latest; the future has been told what counts
            with suppress(Exception):
                if job.status.final:
                    job.delete()
                else:
                    for ending in ("pyz", "result", "out", "err"):
                        job.remove(f"{self.name}.{ending}")
                    job.release()

    def _value(self, job: Job) -> Any:
        with suppress(NotFoundError):
            self.future.output = job.output()  # type: ignore[attr-defined]
        try:
            result = pickle.loads(job.read(self.name + ".result"))
        except NotFoundError:
            raise self._no_result(job, job.status) from None
        if result["kind"] == "version":
            there = ".".join(map(str, result["version"]))
            here = ".".join(map(str, sys.version_info[:3]))
            raise RemoteError(
                f"{self.executor._python} on {result['host']} is Python {there}, here is {here}: functions can only go "
                f"between the same versions. Name another interpreter of the node with python=..."
            )
        import cloudpickle

        if result["kind"] == "value":
            return cloudpickle.loads(result["value"])
        try:
            error = cloudpickle.loads(result["error"]) if result["error"] else None
        except Exception:
            error = None
        if not isinstance(error, BaseException):
            error = RemoteError(f"{result['name']}: {result['says']}")
        error.__cause__ = _RemoteTraceback(result["told"])
        raise error

    def _no_result(self, job: Job, status: JobStatus) -> JobgateError:
        try:
            said = job.errors()[-2000:]
        except (NotFoundError, JobgateError):
            said = ""
        if status.final:
            return JobFailedError(status)
        return RemoteError(f"Job {job.id} left no result; its program ended with {status.exit_code}. {said}".strip())

    def fail(self, error: BaseException) -> None:
        """Tell the caller what went wrong."""
        self._settle_by(lambda: self.future.set_exception(error))

    def _settle_by(self, tell: Callable[[], None]) -> None:
        """Settle the future, unless it is: it may end while the executor breaks."""
        with self.executor._lock:
            if self._is_settled:
                return
            self._is_settled = True
        try:
            tell()
        except cf.InvalidStateError:
            # cancelled before its job was begun; who waits for it is told by this alone
            self.future.set_running_or_notify_cancel()
        finally:
            self.executor._done(self)


def _broken_by(error: BaseException | None) -> cf.BrokenExecutor:
    """One for each who is told: an exception that is raised twice has two tracebacks mixed."""
    broken = cf.BrokenExecutor(
        f"The jobs of this executor cannot be looked at any more: {error or type(error).__name__}"
    )
    broken.__cause__ = error
    return broken


def _package_of(directory: Path) -> dict[str, bytes]:
    """The package's files by their names in an archive."""
    return {f"{directory.name}/{file.name}": file.read_bytes() for file in sorted(directory.glob("*.py"))}


def _program(payload: bytes, carried: dict[str, bytes]) -> bytes:
    """An archive that Python runs: the task, and cloudpickle."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("__main__.py", _MAIN.replace("{version!r}", repr(list(sys.version_info[:2]))))
        for name, content in carried.items():
            archive.writestr(name, content)
        archive.writestr("task", payload)
    return out.getvalue()


__all__ = ["JobgateExecutor", "RemoteError"]
