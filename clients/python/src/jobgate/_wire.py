# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""What both clients, with and without async, say on the wire in the same way."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from email.utils import parsedate_to_datetime
from enum import Enum
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit
from uuid import NAMESPACE_OID, uuid4, uuid5

import httpx
from pydantic import BaseModel, ValidationError

from .errors import JobgateError, RefusedError, refusal
from .models import JobRequest, Problem, State

_M = TypeVar("_M", bound=BaseModel)

API = "/api/v1"
#: Where jobs get directories of their own, below the home of their account.
OWN = ".jobgate-jobs"
#: The longest wait that one request asks for, in seconds: proxies on the way cut connections that are silent longer.
LONGEST_WAIT = 45
#: The pause before the first repetition, in seconds; it doubles with each.
FIRST_PAUSE = 0.2
LONGEST_PAUSE = 10.0
#: Statuses after which a request that may be repeated is repeated.
PASSING = frozenset({429, 502, 503, 504})


def base_url(url: str) -> str:
    """The gateway's address without a path: ``https://HOST[:PORT]``.

    :raises ValueError: it is no address of that form
    """
    text = url if "://" in url else "https://" + url
    parts = urlsplit(text)
    if parts.scheme not in ("https", "http") or not parts.hostname or parts.query or parts.fragment or parts.username:
        raise ValueError(f"{url!r} is no address of a gateway; it has the form https://HOST:PORT")
    if parts.scheme == "http" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        raise ValueError(f"{url!r}: a gateway is reached by https")
    if parts.path.rstrip("/") not in ("", API):
        raise ValueError(f"{url!r} has a path; a gateway's address is https://HOST:PORT")
    return f"{parts.scheme}://{parts.netloc}"


def segment(text: str) -> str:
    """One segment of a path. Refuses what would be read as another path."""
    if text in ("", ".", ".."):
        raise ValueError(f"{text!r} is no name")
    return quote(text, safe="")


def file_path(path: str | bytes) -> str:
    """A path below a directory, each name percent-encoded; bytes for names that are not UTF-8.

    Refuses what would be read as another path: ``..`` would lead from a file of a job to the job itself, because
    addresses are shortened before they are sent.
    """
    raw = path.encode("utf-8", "surrogateescape") if isinstance(path, str) else path
    if {b".", b".."} & set(raw.split(b"/")):
        raise ValueError(f"{path!r} has a part that is no name")
    return "/".join(quote(part, safe="-._~") for part in raw.split(b"/"))


def parameters(**values: Any) -> dict[str, str]:
    """Query parameters without those that are None."""
    return {name: _text(value) for name, value in values.items() if value is not None}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone")
        return value.isoformat()
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ",".join(_text(item) for item in value)
    return str(value)


def request_of(
    job: JobRequest | str | Mapping[str, Any], arguments: Sequence[str] | None, members: Mapping[str, Any]
) -> JobRequest:
    """The job that ``submit`` was asked for, with an idempotency key.

    A program that is given by its path alone, with neither a directory nor a file for its output, gets a directory of
    its own below the account's home, so that its output can be read. Until that is made the job is held.
    """
    if isinstance(job, JobRequest):
        if arguments is not None:
            raise ValueError("A JobRequest has its arguments in itself")
        request = JobRequest.model_validate({**job.model_dump(exclude_unset=True), **members})
    elif isinstance(job, str):
        request = JobRequest(executable=job, arguments=list(arguments or ()), **members)
    else:
        if arguments is not None:
            raise ValueError("A description has its arguments in itself")
        request = JobRequest.model_validate({**job, **members})
    key = request.idempotency_key or str(uuid4())
    change: dict[str, Any] = {"idempotency_key": key}
    if isinstance(job, str) and not (request.directory or request.stdout or request.stderr):
        # from the key, so that the same submission made again is the same request
        change |= own_directory(str(uuid5(NAMESPACE_OID, key)))
        change["hold_at"] = request.hold_at or State.STAGE_IN
    return request.model_copy(update=change)


def own_directory(name: str) -> dict[str, str]:
    """A directory of this name, below the account's home, and files for both outputs in it."""
    return {"directory": f"{OWN}/{name}", "stdout": "stdout", "stderr": "stderr"}


def retry_after(response: httpx.Response) -> float | None:
    """How long the answer asks to wait, in seconds."""
    value = response.headers.get("Retry-After")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now().astimezone()).total_seconds())
    except ValueError:
        return None


def pause(attempt: int, asked: float | None) -> float:
    """How long to wait before repeating, in seconds: what was asked for, else twice as long each time, less a part by
    chance.
    """
    usual = min(LONGEST_PAUSE, FIRST_PAUSE * 2**attempt)
    return min(60.0, asked) if asked is not None else usual * random.uniform(0.5, 1.0)


def parse(model: type[_M], response: httpx.Response) -> _M:
    """What an answer says.

    :raises JobgateError: it is no answer of a gateway
    """
    try:
        return model.model_validate_json(response.content)
    except ValueError as e:
        raise JobgateError(
            f"{response.request.url} answered what is no {model.__name__}; is it a Jobgate gateway? {e}"
        ) from e


def refusal_of(response: httpx.Response) -> RefusedError:
    """The error that an answer with a status of 400 or more means; its body has been read."""
    problem: dict[str, Any] = {}
    try:
        body = response.json()
        if isinstance(body, dict):
            # the files of jobs answer with an older form
            inner = body.get("error")
            problem = inner if isinstance(inner, dict) else body
            if "sentence" in problem:
                problem = {**problem, "detail": problem["sentence"]}
    except (json.JSONDecodeError, UnicodeDecodeError):
        problem = {"detail": response.text[:500]}
    problem["status"] = response.status_code
    problem.setdefault("title", response.reason_phrase)
    try:
        told = Problem.model_validate(problem)
    except ValidationError:
        # JSON of something else on the way
        told = Problem(status=response.status_code, title=response.reason_phrase, detail=response.text[:500])
    return refusal(told, retry_after(response))
