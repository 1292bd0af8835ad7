# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""A request to the gateway to move files."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import httpx

from .. import _wire
from ..errors import WaitTimeoutError
from ..models import TransferStatus

if TYPE_CHECKING:
    from .client import AsyncJobgate


class AsyncTransferJob:
    """Files that the gateway moves between servers, those of a request that came by RFT as well."""

    def __init__(self, gate: AsyncJobgate, status: TransferStatus) -> None:
        """For this package; callers get requests from the gateway's object."""
        self._gate = gate
        self.id = status.id
        self.status = status

    def __repr__(self) -> str:
        return f"<TransferJob {self.id}: {self.status.state.value}, {self.status.done} of {self.status.files} files>"

    @property
    def _path(self) -> str:
        return _wire.API + "/transfers/" + _wire.segment(self.id)

    async def refresh(self) -> TransferStatus:
        """Ask how it stands."""
        return self._keep(await self._gate._request("GET", self._path))

    async def wait(self, timeout: float | None = None) -> TransferStatus:
        """Wait until it is over, well or not: ``state`` and ``failure`` of the answer say which.

        :raises WaitTimeoutError: it is not within ``timeout`` seconds; the gateway goes on with it
        """
        end = None if timeout is None else time.monotonic() + timeout
        while not self.status.state.is_final:
            left = _wire.LONGEST_WAIT if end is None else min(_wire.LONGEST_WAIT, end - time.monotonic())
            if left <= 0:
                raise WaitTimeoutError(f"{self!r} is not over after {timeout} s")
            response = await self._gate._request(
                "GET",
                self._path,
                params=_wire.parameters(seen=self.status.state, wait=max(1, round(left))),
                patience=left,
            )
            self._keep(response)
        return self.status

    async def cancel(self) -> TransferStatus:
        """Stop what is not over; what was moved stays."""
        return self._keep(await self._gate._request("POST", self._path + "/cancel", repeatable=True))

    async def delete(self) -> None:
        """Stop it, and forget it."""
        await self._gate._request("DELETE", self._path, accept=(404,))

    def _keep(self, response: httpx.Response) -> TransferStatus:
        self.status = _wire.parse(TransferStatus, response)
        return self.status
