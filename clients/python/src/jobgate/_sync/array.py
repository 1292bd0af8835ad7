# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Many jobs of one description as one object."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import httpx

from .. import _wire
from ..errors import JobgateError, WaitTimeoutError
from ..models import ArrayStatus, Element, Elements, ElementState
from .job import Job

if TYPE_CHECKING:
    from .client import Jobgate


class Array:
    """An array at a gateway. Elements are named by index; a part of it by a text such as ``3,7,10-20``."""

    def __init__(self, gate: Jobgate, status: ArrayStatus) -> None:
        """For this package; callers get arrays from the gateway's object."""
        self._gate = gate
        self.id = status.id
        self.status = status

    def __repr__(self) -> str:
        counts = ", ".join(f"{state} {count}" for state, count in self.status.states.items() if count)
        return f"<Array {self.id} of {self.status.size}: {counts}>"

    @property
    def _path(self) -> str:
        return _wire.API + "/arrays/" + _wire.segment(self.id)

    def refresh(self) -> ArrayStatus:
        """Ask how it stands."""
        return self._keep(self._gate._request("GET", self._path))

    def wait(self, timeout: float | None = None) -> ArrayStatus:
        """Wait until all elements are over.

        :raises WaitTimeoutError: they are not within ``timeout`` seconds; the jobs go on
        """
        end = None if timeout is None else time.monotonic() + timeout
        while not self.status.final:
            left = _wire.LONGEST_WAIT if end is None else min(_wire.LONGEST_WAIT, end - time.monotonic())
            if left <= 0:
                raise WaitTimeoutError(f"{self!r} is not over after {timeout} s")
            response = self._gate._request(
                "GET",
                self._path,
                params=_wire.parameters(version=self.status.version or 0, wait=max(1, round(left))),
                patience=left,
            )
            self._keep(response)
        return self.status

    def elements(
        self, *, state: ElementState | None = None, elements: str | None = None, page: int = 1000
    ) -> Iterator[Element]:
        """Its elements by index, fetched page by page."""
        cursor: str | None = None
        while True:
            response = self._gate._request(
                "GET",
                self._path + "/elements",
                params=_wire.parameters(state=state, elements=elements, limit=page, cursor=cursor),
            )
            found = _wire.parse(Elements, response)
            for element in found.elements:
                yield element
            if found.next is None:
                return
            cursor = found.next

    def job(self, index: int) -> Job:
        """The job of one element.

        :raises JobgateError: it has no job yet
        """
        for element in self.elements(elements=str(index)):
            if element.job is not None:
                return self._gate.job(element.job)
        raise JobgateError(f"Element {index} of array {self.id} has no job")

    def cancel(self, elements: str | None = None) -> ArrayStatus:
        """End all, or a part."""
        return self._act("cancel", {"elements": elements})

    def hold(self, elements: str | None = None) -> ArrayStatus:
        """Hold the elements that wait, or those of them that ``elements`` names."""
        return self._act("hold", {"elements": elements})

    def release(self, elements: str | None = None) -> ArrayStatus:
        """Let held elements go on."""
        return self._act("release", {"elements": elements})

    def suspend(self, elements: str | None = None) -> ArrayStatus:
        """Suspend the jobs of elements; those that have none yet get none before ``resume``."""
        return self._act("suspend", {"elements": elements})

    def resume(self, elements: str | None = None) -> ArrayStatus:
        """Let suspended elements go on."""
        return self._act("resume", {"elements": elements})

    def restart(self, elements: str | None = None) -> ArrayStatus:
        """Run those that failed once more; with ``elements`` only of that part."""
        return self._act("restart", {"elements": elements}, repeatable=False)

    def set_max_running(self, count: int | None) -> ArrayStatus:
        """How many may run at once; None for no such limit."""
        return self._keep(self._gate._request("PATCH", self._path, json={"maxRunning": count}, repeatable=True))

    def delete(self) -> None:
        """End its jobs, and forget it."""
        self._gate._request("DELETE", self._path, accept=(404,))

    def _act(self, action: str, body: dict[str, Any], repeatable: bool = True) -> ArrayStatus:
        given = {name: value for name, value in body.items() if value is not None}
        return self._keep(
            self._gate._request("POST", f"{self._path}/{action}", json=given, repeatable=repeatable)
        )

    def _keep(self, response: httpx.Response) -> ArrayStatus:
        self.status = _wire.parse(ArrayStatus, response)
        return self.status
