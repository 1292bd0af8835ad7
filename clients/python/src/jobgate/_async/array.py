# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Many jobs of one description as one object."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import httpx

from .. import _wire
from ..errors import JobgateError, WaitTimeoutError
from ..models import ArrayStatus, Element, Elements, ElementState
from .job import AsyncJob

if TYPE_CHECKING:
    from .client import AsyncJobgate


class AsyncArray:
    """An array at a gateway. Elements are named by index; a part of it by a text such as ``3,7,10-20``."""

    def __init__(self, gate: AsyncJobgate, status: ArrayStatus) -> None:
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

    async def refresh(self) -> ArrayStatus:
        """Ask how it stands."""
        return self._keep(await self._gate._request("GET", self._path))

    async def wait(self, timeout: float | None = None) -> ArrayStatus:
        """Wait until all elements are over.

        :raises WaitTimeoutError: they are not within ``timeout`` seconds; the jobs go on
        """
        end = None if timeout is None else time.monotonic() + timeout
        while not self.status.final:
            left = _wire.LONGEST_WAIT if end is None else min(_wire.LONGEST_WAIT, end - time.monotonic())
            if left <= 0:
                raise WaitTimeoutError(f"{self!r} is not over after {timeout} s")
            response = await self._gate._request(
                "GET",
                self._path,
                params=_wire.parameters(version=self.status.version or 0, wait=max(1, round(left))),
                patience=left,
            )
            self._keep(response)
        return self.status

    async def elements(
        self, *, state: ElementState | None = None, elements: str | None = None, page: int = 1000
    ) -> AsyncIterator[Element]:
        """Its elements by index, fetched page by page."""
        cursor: str | None = None
        while True:
            response = await self._gate._request(
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

    async def job(self, index: int) -> AsyncJob:
        """The job of one element.

        :raises JobgateError: it has no job yet
        """
        async for element in self.elements(elements=str(index)):
            if element.job is not None:
                return await self._gate.job(element.job)
        raise JobgateError(f"Element {index} of array {self.id} has no job")

    async def cancel(self, elements: str | None = None) -> ArrayStatus:
        """End all, or a part."""
        return await self._act("cancel", {"elements": elements})

    async def hold(self, elements: str | None = None) -> ArrayStatus:
        """Hold the elements that wait, or those of them that ``elements`` names."""
        return await self._act("hold", {"elements": elements})

    async def release(self, elements: str | None = None) -> ArrayStatus:
        """Let held elements go on."""
        return await self._act("release", {"elements": elements})

    async def suspend(self, elements: str | None = None) -> ArrayStatus:
        """Suspend the jobs of elements; those that have none yet get none before ``resume``."""
        return await self._act("suspend", {"elements": elements})

    async def resume(self, elements: str | None = None) -> ArrayStatus:
        """Let suspended elements go on."""
        return await self._act("resume", {"elements": elements})

    async def restart(self, elements: str | None = None) -> ArrayStatus:
        """Run those that failed once more; with ``elements`` only of that part."""
        return await self._act("restart", {"elements": elements}, repeatable=False)

    async def set_max_running(self, count: int | None) -> ArrayStatus:
        """How many may run at once; None for no such limit."""
        return self._keep(await self._gate._request("PATCH", self._path, json={"maxRunning": count}, repeatable=True))

    async def delete(self) -> None:
        """End its jobs, and forget it."""
        await self._gate._request("DELETE", self._path, accept=(404,))

    async def _act(self, action: str, body: dict[str, Any], repeatable: bool = True) -> ArrayStatus:
        given = {name: value for name, value in body.items() if value is not None}
        return self._keep(
            await self._gate._request("POST", f"{self._path}/{action}", json=given, repeatable=repeatable)
        )

    def _keep(self, response: httpx.Response) -> ArrayStatus:
        self.status = _wire.parse(ArrayStatus, response)
        return self.status
