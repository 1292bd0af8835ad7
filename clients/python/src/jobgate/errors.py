# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""What can go wrong. Everything that this package raises on its own is a :class:`JobgateError`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .models import Problem

if TYPE_CHECKING:
    from .models import JobStatus


class JobgateError(Exception):
    """The root of all errors of this package."""


class GatewayUnreachableError(JobgateError):
    """No answer came: the gateway is down, not found, or is not trusted."""


class CredentialError(JobgateError):
    """A certificate, proxy or token cannot be used."""


class RefusedError(JobgateError):
    """The gateway refused the request. :attr:`problem` is what it said."""

    def __init__(self, problem: Problem, retry_after: float | None = None) -> None:
        """Keep the problem; ``retry_after`` is how many seconds the gateway asks to wait."""
        super().__init__(problem.detail or problem.title, problem.remedy)
        self.problem = problem
        self.retry_after = retry_after

    def __str__(self) -> str:
        p = self.problem
        text = p.detail or p.title or f"HTTP status {p.status}"
        return f"{text} {p.remedy}".strip() + f" [{p.status} {p.code}]".replace(" ]", "]")


class BadRequestError(RefusedError):
    """The request is wrong: 400, 413, 415 or 422."""


class NotAuthenticatedError(RefusedError):
    """The gateway does not know the caller: 401."""


class NotAuthorizedError(RefusedError):
    """The caller may not do this: 403."""


class NotFoundError(RefusedError):
    """There is no such thing, or it belongs to somebody else; both look the same: 404."""


class ConflictError(RefusedError):
    """The job is not in a state for this, or a key was used for another request: 409."""


class CursorGoneError(RefusedError):
    """The cursor is older than the changes that the gateway keeps: 410. List the jobs, then go on without a cursor."""


class ChangedError(RefusedError):
    """The job changed since the caller saw it: 412."""


class TooManyError(RefusedError):
    """A limit is reached: 429. :attr:`RefusedError.problem` names it."""


class UnavailableError(RefusedError):
    """The gateway cannot do this now: 5xx. Try again later."""


_BY_STATUS: Mapping[int, type[RefusedError]] = {
    400: BadRequestError,
    401: NotAuthenticatedError,
    403: NotAuthorizedError,
    404: NotFoundError,
    409: ConflictError,
    410: CursorGoneError,
    412: ChangedError,
    413: BadRequestError,
    415: BadRequestError,
    422: BadRequestError,
    429: TooManyError,
}


def refusal(problem: Problem, retry_after: float | None = None) -> RefusedError:
    """The error that fits the problem's status."""
    kind = _BY_STATUS.get(problem.status)
    if kind is None:
        kind = UnavailableError if problem.status >= 500 else RefusedError
    return kind(problem, retry_after)


class JobFailedError(JobgateError):
    """A job did not end well. :attr:`job` is how it ended."""

    def __init__(self, job: JobStatus) -> None:
        """Say what the gateway knows about the end."""
        self.job = job
        super().__init__(job.id)

    def __str__(self) -> str:
        job = self.job
        if job.fault is not None:
            return f"Job {job.id}: {job.fault.sentence} {job.fault.remedy}"
        if job.signal is not None:
            return f"Job {job.id} was ended by signal {job.signal}."
        if job.exit_code:
            return f"Job {job.id} ended with exit code {job.exit_code}."
        return f"Job {job.id} is {job.state.value}."


class WaitTimeoutError(JobgateError, TimeoutError):
    """A job was not over within the time that the caller gave."""
