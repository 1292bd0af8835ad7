# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""One job as an object."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, BinaryIO

import httpx

from .. import _wire
from ..errors import JobFailedError, JobgateError, NotFoundError, WaitTimeoutError
from ..models import Change, Explanation, FlowJob, History, JobRequest, JobStatus, State, SubJobs
from .fetch import fetch

if TYPE_CHECKING:
    from .client import Jobgate

_PART = 4 * 1024 * 1024


class Job:
    """A job at a gateway. What its properties say is as of the last answer; :meth:`refresh` asks again."""

    def __init__(self, gate: Jobgate, job: JobStatus | str) -> None:
        """For this package; callers get jobs from the gateway's object."""
        self._gate = gate
        self._status = job if isinstance(job, JobStatus) else None
        self.id = job.id if isinstance(job, JobStatus) else job

    def __repr__(self) -> str:
        return f"<Job {self.id} {self._status.state.value if self._status else '?'}>"

    @property
    def status(self) -> JobStatus:
        """The job as of the last answer.

        :raises JobgateError: nothing was asked yet
        """
        if self._status is None:
            raise JobgateError(f"Nothing is known of job {self.id} yet; call refresh()")
        return self._status

    @property
    def state(self) -> State:
        """Its state as of the last answer."""
        return self.status.state

    @property
    def exit_code(self) -> int | None:
        """What the program ended with; None before that, and after a signal."""
        return self.status.exit_code

    @property
    def _path(self) -> str:
        return _wire.API + "/jobs/" + _wire.segment(self.id)

    def refresh(self) -> JobStatus:
        """Ask how it stands.

        :raises NotFoundError: the job is gone, or was never the caller's
        """
        return self._keep(self._gate._request("GET", self._path))

    def wait(self, timeout: float | None = None, *, check: bool = False) -> JobStatus:
        """Wait until the job is over.

        :param timeout: seconds; without it for as long as it takes
        :param check: raise where it did not end well
        :raises WaitTimeoutError: it is not over in time; the job goes on
        :raises JobFailedError: with ``check``: it failed, was cancelled, or its program ended with another code than 0
        """
        end = None if timeout is None else time.monotonic() + timeout
        status = self._status or self.refresh()
        while not status.final:
            left = _wire.LONGEST_WAIT if end is None else min(_wire.LONGEST_WAIT, end - time.monotonic())
            if left <= 0:
                raise WaitTimeoutError(f"Job {self.id} is {status.state.value} after {timeout} s")
            response = self._gate._request(
                "GET",
                self._path,
                params=_wire.parameters(version=status.version, wait=max(1, round(left))),
                patience=left,
            )
            status = self._keep(response)
        if check and not status.succeeded:
            raise JobFailedError(status)
        return status

    def follow(self) -> Iterator[JobStatus]:
        """The job at each change, until it is over."""
        status = self.refresh()
        yield status
        while not status.final:
            response = self._gate._request(
                "GET",
                self._path,
                params=_wire.parameters(version=status.version, wait=_wire.LONGEST_WAIT),
                patience=_wire.LONGEST_WAIT,
            )
            seen, status = status.version, self._keep(response)
            if status.version > seen:
                yield status

    def cancel(self) -> JobStatus:
        """Begin to end the job. One that is over stays as it is."""
        return self._act("cancel")

    def hold(self, at: str | None = None) -> JobStatus:
        """Hold the job where it waits; with ``at`` (a state such as ``StageOut``), before the work of that state.

        :raises ConflictError: it does not wait, or is past that state
        :raises RefusedError: its batch system has it and cannot hold it
        """
        return self._act("hold", None if at is None else {"at": at})

    def release(self) -> JobStatus:
        """Let a held job go on."""
        return self._act("release")

    def suspend(self) -> JobStatus:
        """Stop it in its batch system, where that can."""
        return self._act("suspend")

    def resume(self) -> JobStatus:
        """Let a suspended job go on."""
        return self._act("resume")

    def restart(self) -> JobStatus:
        """Run a failed job once more, as a new attempt.

        The request is made once; where its answer is lost, look at the job before asking again.
        """
        return self._keep(self._gate._request("POST", self._path + "/restart", repeatable=False))

    def extend(self, until: datetime | None) -> JobStatus:
        """Set when the gateway ends and forgets it; None for never."""
        if until is not None and until.tzinfo is None:
            raise ValueError(f"{until} has no time zone")
        return self._act("extend", {"terminationTime": None if until is None else until.isoformat()})

    def delete(self) -> None:
        """End it, and forget it. A job that is gone already is no error."""
        self._gate._request("DELETE", self._path, accept=(404,))

    def history(self) -> list[Change]:
        """What happened to it, oldest first."""
        response = self._gate._request("GET", self._path + "/history")
        return _wire.parse(History, response).changes

    def explain(self) -> Explanation:
        """Why it is where it is."""
        return _wire.parse(Explanation, self._gate._request("GET", self._path + "/explain"))

    def sub_jobs(self) -> list[FlowJob]:
        """The jobs of a multi-job or flow, in the order of the request; of another job there are none."""
        return _wire.parse(SubJobs, self._gate._request("GET", self._path + "/subJobs")).sub_jobs

    def description(self) -> JobRequest:
        """The description as it was submitted."""
        return _wire.parse(JobRequest, self._gate._request("GET", self._path + "/description"))

    def _act(self, action: str, body: dict[str, Any] | None = None) -> JobStatus:
        return self._keep(self._gate._request("POST", f"{self._path}/{action}", json=body, repeatable=True))

    def _keep(self, response: httpx.Response) -> JobStatus:
        self._status = _wire.parse(JobStatus, response)
        return self._status

    # -- its files

    def output(self) -> str:
        """What it has written to its standard output so far, as text; bytes that are not UTF-8 are replaced."""
        return (self.read("stdout")).decode(errors="replace")

    def errors(self) -> str:
        """The same for its standard error."""
        return (self.read("stderr")).decode(errors="replace")

    def follow_output(self, which: str = "stdout") -> Iterator[bytes]:
        """What it writes, piece by piece as it comes, until the job is over.

        :param which: ``stdout``, ``stderr``, or the path of a file below the job's directory
        """
        path, seen = self._file(which), 0
        same: dict[str, str] = {}
        while True:
            response = self._gate._request(
                "GET",
                path,
                params={"wait": "20"},
                headers={"Range": f"bytes={seen}-", "Accept": "*/*", **same},
                patience=20,
                accept=(404, 416),
            )
            complete = response.headers.get("Jobgate-Complete") == "true"
            if response.status_code in (404, 416):
                status = self.refresh()
                if response.status_code == 416 and not status.final:
                    raise JobgateError(f"{which} of job {self.id} was cut while it was read")
                if status.final:
                    return
                continue
            if response.content:
                seen += len(response.content)
                yield response.content
            if name := response.headers.get("Jobgate-File"):
                same = {"Jobgate-File": name}
            if complete:
                return

    def read(self, path: str) -> bytes:
        """A file of the job: ``stdout``, ``stderr``, or the path of a file below the job's directory.

        :raises NotFoundError: there is no such file, yet
        """
        return (self._gate._request("GET", self._file(path), headers={"Accept": "*/*"})).content

    def download(self, path: str, to: str | os.PathLike[str]) -> Path:
        """Fetch a file of the job to a file here, which has its name only when it is whole.

        A connection that breaks is made again.
        """
        target = Path(to)
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            with part.open("wb") as out:
                fetch(self._gate, self._file(path), f"{path} of job {self.id}", out)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
        return target

    @contextmanager
    def open(self, path: str) -> Iterator[BinaryIO]:
        """A file of the job for the length of a block, to read: ``with job.open("result.csv") as file``.

        It is fetched whole to a temporary file here, which is gone after the block.

        :raises NotFoundError: there is no such file, yet
        """
        with TemporaryFile() as file:
            fetch(self._gate, self._file(path), f"{path} of job {self.id}", file)
            file.seek(0)
            yield file

    def upload(self, source: str | os.PathLike[str] | bytes, path: str, *, program: bool = False) -> None:
        """Put a file, or bytes, below the job's directory. A job sees it only when it is whole.

        :param program: whether it is to be executable
        """
        if isinstance(source, bytes):
            self._put(path, source, program)
            return
        size = Path(source).stat().st_size
        if size <= _PART:
            self._put(path, Path(source).read_bytes(), program)
            return
        with Path(source).open("rb") as file:
            at = 0
            while at < size:
                file.seek(at)
                piece = file.read(min(_PART, size - at))
                if not piece:
                    raise JobgateError(f"{os.fspath(source)} became shorter while it was sent")
                self._put(path, piece, program, f"bytes {at}-{at + len(piece) - 1}/{size}")
                at += len(piece)

    def _put(self, path: str, content: bytes, program: bool, part: str | None = None) -> None:
        self._gate._request(
            "PUT",
            self._file(path, always_below=True),
            params={"program": "true"} if program else None,
            content=content,
            headers={"Content-Type": "application/octet-stream"} | ({"Content-Range": part} if part else {}),
        )

    def make_directory(self) -> None:
        """Make the job's directory, and those on the way to it."""
        self._gate._request("PUT", self._file("", always_below=True))

    def remove(self, path: str) -> None:
        """Remove a file below the job's directory; one that is not there is no error."""
        self._gate._request("DELETE", self._file(path, always_below=True), accept=(404,))

    def exists(self, path: str) -> bool:
        """Whether there is such a file."""
        try:
            self._gate._request(
                "GET", self._file(path), headers={"Range": "bytes=0-0", "Accept": "*/*"}, accept=(416,)
            )
        except NotFoundError:
            return False
        return True

    def _file(self, path: str, always_below: bool = False) -> str:
        root = f"/jobs/{_wire.segment(self.id)}/"
        if path in ("stdout", "stderr") and not always_below:
            return root + path
        return root + "files/" + _wire.file_path(path)
