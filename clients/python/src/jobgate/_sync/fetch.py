# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""A file of a gateway, fetched although connections break."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

import httpx

from .. import _wire
from .._sleep import sleep
from ..errors import GatewayUnreachableError, JobgateError, RefusedError

if TYPE_CHECKING:
    from .client import Jobgate


def fetch(gate: Jobgate, path: str, what: str, out: BinaryIO) -> None:
    """Fetch the file at a path below the gateway's address into ``out``, which is empty and can be sought in.

    A connection that breaks is made again. It goes on where it broke if the file is still the same, else from the
    beginning.

    :param what: the file, as an error calls it
    """
    tag: str | None = None
    failures = 0
    farthest = 0
    while True:
        # as it is: the range of the next request counts the bytes of the file
        headers = {"Accept": "*/*", "Accept-Encoding": "identity", **gate._authorization()}
        if tag is not None and out.tell() > 0:
            headers |= {"Range": f"bytes={out.tell()}-", "If-Range": tag}
        asked: float | None = None
        try:
            with gate._http.stream("GET", gate._address(path), headers=headers) as it:
                # all of it came, only its end was not told
                if it.status_code == 416 and it.headers.get("Content-Range") == f"bytes */{out.tell()}":
                    return
                if it.status_code >= 400:
                    it.read()
                    raise _wire.refusal_of(it)
                if it.status_code != 206:
                    out.seek(0)
                    out.truncate()
                tag = it.headers.get("ETag")
                for piece in it.iter_bytes():
                    out.write(piece)
                    # from the beginning again and again is no progress
                    if out.tell() > farthest:
                        farthest = out.tell()
                        failures = 0
            return
        except httpx.TransportError as e:
            if failures >= gate._retries:
                raise GatewayUnreachableError(f"{what} broke off: {e or type(e).__name__}") from e
        except httpx.DecodingError as e:
            raise JobgateError(f"{what} cannot be unpacked: {e}") from e
        except RefusedError as e:
            if e.problem.status not in _wire.PASSING or failures >= gate._retries:
                raise
            asked = e.retry_after
        sleep(_wire.pause(failures, asked))
        failures += 1
