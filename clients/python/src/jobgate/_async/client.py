# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""The gateway as an object."""

from __future__ import annotations

import os
import ssl
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any
from uuid import uuid4

import httpx
from httpx_sse import ServerSentEvent, aconnect_sse
from pydantic import ValidationError

from .. import _wire
from .._sleep import async_sleep
from ..credentials import Certificate, Credential, Token, discover, tls
from ..errors import ConflictError, GatewayUnreachableError, JobgateError, RefusedError, refusal
from ..models import (
    ArrayList,
    ArrayRequest,
    ArrayStatus,
    BulkAnswer,
    Change,
    Changes,
    DelegationList,
    DelegationStatus,
    Info,
    JobList,
    JobRequest,
    JobStatus,
    Limits,
    LimitUse,
    Lrm,
    Lrms,
    State,
    Transfer,
    TransferList,
    TransferRequest,
    TransferStatus,
    TreeList,
    TreeStatus,
    Whoami,
)
from .array import AsyncArray
from .delegation import AsyncDelegation, begin, signer
from .job import AsyncJob
from .map import Mapped, run_map
from .transfer import AsyncTransferJob
from .tree import AsyncTree

#: Answers for many jobs hold the fields that were asked for of each job.
_ALL_FIELDS = ",".join(field.alias or name for name, field in JobStatus.model_fields.items())
_BEFORE_ITS_DIRECTORY = (State.UNSUBMITTED, State.STAGE_IN)


class AsyncJobgate:
    """A gateway, and what the caller can do there.

    Use it as a context manager, or call :meth:`aclose` when done. One object may be used by many tasks or threads at
    once. Requests that cannot do harm when they arrive twice are repeated where a connection breaks or the gateway is
    busy; a submission has an idempotency key, so that it is one of those and no job runs twice.

    :param url: ``https://HOST[:PORT]``
    :param credential: a :class:`Certificate` or a :class:`Token`; without it :func:`jobgate.credentials.discover` looks
    :param trust: the CA certificates that the gateway's is checked by, see :func:`jobgate.credentials.tls`
    :param timeout: seconds to wait for a connection, and for each piece of an answer
    :param retries: how many times a request is repeated at the most
    :param transport: what carries the requests, for tests
    :raises CredentialError: the certificate, the token or the trusted certificates cannot be used
    """

    def __init__(
        self,
        url: str,
        *,
        credential: Credential | None = None,
        trust: str | os.PathLike[str] | ssl.SSLContext | None = None,
        timeout: float = 30.0,
        retries: int = 6,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.url = _wire.base_url(url)
        self._retries = retries
        known = credential if credential is not None else discover()
        self._token = known if isinstance(known, Token) else None
        self._certificate = known if isinstance(known, Certificate) else None
        verify: ssl.SSLContext | bool = True
        if transport is None and self.url.startswith("https:"):
            verify = tls(trust, self._certificate)
        self._http = httpx.AsyncClient(
            verify=verify,
            timeout=timeout,
            transport=transport,
            follow_redirects=False,
            headers={"Accept": "application/json", "User-Agent": "jobgate-python/0.1"},
            limits=httpx.Limits(max_connections=32, max_keepalive_connections=16),
        )

    async def __aenter__(self) -> AsyncJobgate:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections. Jobs go on."""
        await self._http.aclose()

    # -- jobs

    async def submit(
        self, job: JobRequest | str | Mapping[str, Any], arguments: Sequence[str] | None = None, /, **members: Any
    ) -> AsyncJob:
        """Run a job. When this returns, the job is stored durably at the gateway.

        ``submit("/bin/echo", ["Hello"])`` runs a program; its output goes to a directory of its own unless
        ``directory``, ``stdout`` or ``stderr`` is given. ``submit(JobRequest(...))`` runs what it describes.
        More members of :class:`JobRequest` may be given by name.

        :raises BadRequestError: the description is wrong, or the LRM cannot do what it asks for
        :raises TooManyError: a limit is reached
        :raises ConflictError: the idempotency key was used for another job
        """
        request = _wire.request_of(job, arguments, members)
        key = request.idempotency_key
        response = await self._request(
            "POST",
            _wire.API + "/jobs",
            json=request.model_copy(update={"idempotency_key": None}).wire(),
            headers={"Idempotency-Key": str(key)},
            repeatable=True,
        )
        made = AsyncJob(self, _wire.parse(JobStatus, response))
        is_own = isinstance(job, str) and str(request.directory).startswith(_wire.OWN + "/")
        is_new = response.status_code == 201
        # one that was made before may have been left here: its first answer was lost, or its program ended
        if is_own and (is_new or made.state in _BEFORE_ITS_DIRECTORY):
            await self._make_room(made, goes_on="hold_at" not in members, is_new=is_new)
        return made

    async def _make_room(self, job: AsyncJob, *, goes_on: bool, is_new: bool) -> None:
        """Make the directory of a job that is held until it is there, and let the job go on."""
        try:
            await job.make_directory()
            if goes_on:
                await job.release()
        except JobgateError as e:
            if is_new:
                # without this no one would know of the job, which would stay held
                with suppress(JobgateError):
                    await job.delete()
            elif isinstance(e, ConflictError) and (await job.refresh()).state not in _BEFORE_ITS_DIRECTORY:
                # who submitted it first has let it go on meanwhile, so that it needs nothing of this
                return
            raise

    async def submit_many(self, jobs: Sequence[JobRequest]) -> list[AsyncJob | RefusedError]:
        """Run many jobs by one request; one answer for each, in order. A refusal of one does not touch the others."""
        keyed = [_wire.request_of(job, None, {}) for job in jobs]
        response = await self._request(
            "POST",
            _wire.API + "/bulk/jobs",
            params={"fields": _ALL_FIELDS},
            json={"jobs": [job.wire() for job in keyed]},
            repeatable=True,
        )
        return self._each(_wire.parse(BulkAnswer, response), len(keyed))

    async def act(self, action: str, ids: Sequence[str]) -> list[AsyncJob | RefusedError]:
        """Do one thing with many jobs: ``get``, ``cancel``, ``hold``, ``release``, ``suspend``, ``resume``,
        ``restart`` or ``delete``; one answer for each, in order.
        """
        response = await self._request(
            "POST",
            _wire.API + "/bulk/jobs/" + _wire.segment(action),
            params={"fields": _ALL_FIELDS},
            json={"ids": list(ids)},
            repeatable=action != "restart",
        )
        return self._each(_wire.parse(BulkAnswer, response), len(ids))

    def _each(self, answer: BulkAnswer, asked: int) -> list[AsyncJob | RefusedError]:
        if len(answer.results) != asked:
            raise JobgateError(f"{self.url} answered for {len(answer.results)} of {asked} jobs")
        results: list[AsyncJob | RefusedError] = []
        for result in answer.results:
            if result.job is not None:
                results.append(AsyncJob(self, result.job))
            elif result.problem is not None:
                results.append(refusal(result.problem))
            else:
                results.append(AsyncJob(self, result.id or ""))
        return results

    async def job(self, job_id: str) -> AsyncJob:
        """The job of this id.

        :raises NotFoundError: there is no such job of the caller's
        """
        job = AsyncJob(self, job_id)
        await job.refresh()
        return job

    async def jobs(
        self,
        *,
        state: State | Sequence[State] | None = None,
        final: bool | None = None,
        lrm: str | None = None,
        account: str | None = None,
        holding: bool | None = None,
        created_after: datetime | None = None,
        created_before: datetime | None = None,
        newest_first: bool = True,
        page: int = 100,
    ) -> AsyncIterator[AsyncJob]:
        """The caller's jobs that match all that is given, fetched page by page as they are asked for."""
        cursor: str | None = None
        while True:
            response = await self._request(
                "GET",
                _wire.API + "/jobs",
                params=_wire.parameters(
                    state=state,
                    final=final,
                    lrm=lrm,
                    account=account,
                    holding=holding,
                    createdAfter=created_after,
                    createdBefore=created_before,
                    order=None if newest_first else "oldest",
                    limit=page,
                    cursor=cursor,
                ),
            )
            found = _wire.parse(JobList, response)
            for status in found.jobs:
                yield AsyncJob(self, status)
            if found.next is None:
                return
            cursor = found.next

    # -- what happens

    async def changes(self, since: str | None = None, wait: int | None = None, limit: int | None = None) -> Changes:
        """The changes of the caller's jobs behind a cursor.

        :param since: ``next`` of the answer before; without it nothing is told but where to go on
        :param wait: seconds to wait where there is none
        :raises CursorGoneError: the gateway does not keep changes for that long; list the jobs and begin anew
        """
        response = await self._request(
            "GET",
            _wire.API + "/changes",
            params=_wire.parameters(since=since, wait=wait, limit=limit),
            patience=wait or 0,
        )
        return _wire.parse(Changes, response)

    async def events(self, since: str | None = None, path: str = "/events") -> AsyncIterator[Change]:
        """The changes of the caller's jobs as they happen, without end.

        A connection that breaks is made again, and goes on where it ended: no change is left out or told twice.
        """
        last = since
        failures = 0
        while True:
            try:
                headers = {"Last-Event-ID": last} if last else {}
                headers |= self._authorization()
                async with aconnect_sse(
                    self._http, "GET", self.url + _wire.API + path, headers=headers, timeout=httpx.Timeout(60.0)
                ) as source:
                    if source.response.status_code >= 400:
                        await source.response.aread()
                        raise _wire.refusal_of(source.response)
                    async for event in source.aiter_sse():
                        failures = 0
                        last = event.id or last
                        change = _change(event)
                        if change is not None:
                            yield change
                # the gateway ended it, as it does when it stops
                await async_sleep(_wire.pause(failures, None))
            except RefusedError as e:
                if e.problem.status not in _wire.PASSING or failures >= self._retries:
                    raise
                await async_sleep(_wire.pause(failures, e.retry_after))
            except httpx.TransportError as e:
                if failures >= self._retries:
                    raise GatewayUnreachableError(f"{self.url} does not answer: {e}") from e
                await async_sleep(_wire.pause(failures, None))
            failures += 1

    # -- arrays

    async def submit_array(self, array: ArrayRequest, *, idempotency_key: str | None = None) -> AsyncArray:
        """Run many jobs of one description as one object."""
        response = await self._request(
            "POST",
            _wire.API + "/arrays",
            json=array.wire(),
            headers={"Idempotency-Key": idempotency_key or str(uuid4())},
            repeatable=True,
        )
        return AsyncArray(self, _wire.parse(ArrayStatus, response))

    async def array(self, array_id: str) -> AsyncArray:
        """The array of this id."""
        response = await self._request("GET", _wire.API + "/arrays/" + _wire.segment(array_id))
        return AsyncArray(self, _wire.parse(ArrayStatus, response))

    async def arrays(self, page: int = 100) -> AsyncIterator[AsyncArray]:
        """The caller's arrays, newest first."""
        cursor: str | None = None
        while True:
            response = await self._request(
                "GET", _wire.API + "/arrays", params=_wire.parameters(limit=page, cursor=cursor)
            )
            found = _wire.parse(ArrayList, response)
            for status in found.arrays:
                yield AsyncArray(self, status)
            if found.next is None:
                return
            cursor = found.next

    async def map(
        self,
        executable: str,
        values: Iterable[object],
        arguments: Sequence[str] = ("{value}",),
        *,
        max_running: int | None = None,
        progress: bool = True,
        **members: Any,
    ) -> AsyncIterator[Mapped]:
        """Run a program once for each value, as one array, and give the results in the order of the values.

        :param arguments: of the program; ``{value}`` and ``{index}`` in them are replaced
        :param max_running: how many may run at once
        :param progress: show a bar, where tqdm is installed
        :param members: more members of :class:`JobRequest`
        :raises BadRequestError: the gateway refuses the array
        """
        texts = [str(value) for value in values]
        async for result in run_map(self, executable, texts, arguments, max_running, progress, members):
            yield result

    # -- files between servers

    async def transfer(
        self,
        files: Sequence[Transfer] | Transfer,
        *,
        options: Mapping[str, str] | None = None,
        credential: str | None = None,
        idempotency_key: str | None = None,
    ) -> AsyncTransferJob:
        """Have files moved. When this returns, the gateway has the request on its disk and has begun.

        :param files: from where to where, as URLs; ``file:///PATH`` is a file of the caller's account
        :param options: for all files, as of RFT
        :param credential: the id of a delegated one, where a server wants it
        :raises BadRequestError: a file or an option cannot be used
        """
        all_files = [files] if isinstance(files, Transfer) else list(files)
        given = None if options is None else dict(options)
        response = await self._request(
            "POST",
            _wire.API + "/transfers",
            json=TransferRequest(files=all_files, options=given, credential=credential).wire(),
            headers={"Idempotency-Key": idempotency_key or str(uuid4())},
            repeatable=True,
        )
        return AsyncTransferJob(self, _wire.parse(TransferStatus, response))

    async def transfer_job(self, transfer_id: str) -> AsyncTransferJob:
        """The request to move files of this id.

        :raises NotFoundError: there is no such request of the caller's
        """
        response = await self._request("GET", _wire.API + "/transfers/" + _wire.segment(transfer_id))
        return AsyncTransferJob(self, _wire.parse(TransferStatus, response))

    async def transfers(self, page: int = 100) -> AsyncIterator[AsyncTransferJob]:
        """The caller's requests to move files, newest first, fetched page by page."""
        cursor: str | None = None
        while True:
            response = await self._request(
                "GET", _wire.API + "/transfers", params=_wire.parameters(limit=page, cursor=cursor)
            )
            found = _wire.parse(TransferList, response)
            for status in found.transfers:
                yield AsyncTransferJob(self, status)
            if found.next is None:
                return
            cursor = found.next

    # -- credentials

    async def delegate(
        self, credential: Certificate | None = None, *, lifetime: timedelta | None = None
    ) -> AsyncDelegation:
        """Delegate a proxy to the gateway, for jobs and transfers that act in the caller's name.

        The gateway makes the key, which never leaves it; the proxy is signed here. Use the answer as a context manager
        (``with gate.delegate() as mine``), or destroy it when it is not needed; at the latest it ends with its chain.
        Needs the package cryptography: ``pip install 'jobgate[delegation]'``.

        :param credential: what signs, without it the certificate or proxy that this object talks with
        :param lifetime: how long the proxy is to last, where that is less than the credential does
        :raises CredentialError: there is no certificate, or it cannot sign a proxy
        :raises BadRequestError: the gateway does not take the proxy, with the reason
        """
        return await begin(self, signer(self, credential), lifetime)

    async def delegation(self, delegation_id: str) -> AsyncDelegation:
        """The delegation of this id.

        :raises NotFoundError: there is no such delegation of the caller's
        """
        response = await self._request("GET", _wire.API + "/delegations/" + _wire.segment(delegation_id))
        return AsyncDelegation(self, _wire.parse(DelegationStatus, response))

    async def delegations(self, page: int = 100) -> AsyncIterator[AsyncDelegation]:
        """The caller's delegations by their ids, fetched page by page."""
        cursor: str | None = None
        while True:
            response = await self._request(
                "GET", _wire.API + "/delegations", params=_wire.parameters(limit=page, cursor=cursor)
            )
            found = _wire.parse(DelegationList, response)
            for status in found.delegations:
                yield AsyncDelegation(self, status)
            if found.next is None:
                return
            cursor = found.next

    # -- files outside of jobs

    def tree(self, name: str) -> AsyncTree:
        """A tree of files that the site exports, by its name; :meth:`trees` tells which there are. Asks nothing."""
        return AsyncTree(self, name)

    async def trees(self) -> list[TreeStatus]:
        """The trees of files that the site exports to the caller's account."""
        return _wire.parse(TreeList, await self._request("GET", _wire.API + "/trees")).trees

    # -- the service

    async def whoami(self) -> Whoami:
        """How the gateway sees the caller."""
        return _wire.parse(Whoami, await self._request("GET", _wire.API + "/whoami"))

    async def info(self) -> Info:
        """What the gateway is."""
        return _wire.parse(Info, await self._request("GET", _wire.API + "/info"))

    async def lrms(self) -> list[Lrm]:
        """The batch systems behind the gateway, the default first."""
        response = await self._request("GET", _wire.API + "/lrms")
        return _wire.parse(Lrms, response).lrms

    async def limits(self) -> list[LimitUse]:
        """The limits that hold for the caller."""
        response = await self._request("GET", _wire.API + "/limits")
        return _wire.parse(Limits, response).limits

    # -- the wire

    def _authorization(self) -> dict[str, str]:
        return {"Authorization": "Bearer " + self._token.value()} if self._token else {}

    async def _request(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        json: Any = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        repeatable: bool | None = None,
        patience: float = 0,
        accept: Sequence[int] = (),
    ) -> httpx.Response:
        """One request, repeated where that does no harm; the answer has been read.

        :param path: below the gateway's address, or a whole address there
        :param repeatable: whether it may arrive twice; without it GET, PUT and DELETE may
        :param patience: seconds that the gateway may take beyond the usual
        :param accept: statuses of 400 or more that are no errors
        """
        again = method in ("GET", "PUT", "DELETE") if repeatable is None else repeatable
        attempt = 0
        while True:
            asked: float | None = None
            try:
                response = await self._http.request(
                    method,
                    self._address(path),
                    params=params,
                    json=json,
                    content=content,
                    headers={**(headers or {}), **self._authorization()},
                    timeout=httpx.Timeout(self._http.timeout.connect or 30.0, read=self._patience(patience)),
                )
            except httpx.TransportError as e:
                never_sent = isinstance(e, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
                if attempt >= self._retries or not (again or never_sent) or "CERTIFICATE" in str(e).upper():
                    raise GatewayUnreachableError(f"{self.url} does not answer: {e or type(e).__name__}") from e
            except httpx.DecodingError as e:
                raise JobgateError(f"What {self.url} answered cannot be unpacked: {e}") from e
            else:
                if response.status_code < 400 or response.status_code in accept:
                    return response
                refused = _wire.refusal_of(response)
                if response.status_code not in _wire.PASSING or attempt >= self._retries or not again:
                    raise refused
                asked = refused.retry_after
            await async_sleep(_wire.pause(attempt, asked))
            attempt += 1

    def _patience(self, more: float) -> float:
        return (self._http.timeout.read or 30.0) + more

    def _address(self, path: str) -> str:
        if "://" not in path:
            return self.url + path
        # a link of an answer never leads a credential to another server
        if not path.startswith(self.url + "/"):
            raise JobgateError(f"{path} is not at the gateway {self.url}")
        return path


def _change(event: ServerSentEvent) -> Change | None:
    """The change that an event tells; None for a sign of life."""
    if event.event != "change" or not event.data:
        return None
    try:
        return Change.model_validate_json(event.data)
    except ValidationError as e:
        raise JobgateError(f"An event of the gateway cannot be read: {e}") from e
