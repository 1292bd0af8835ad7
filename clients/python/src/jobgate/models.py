# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""The values that the REST API takes and answers with, named as in its OpenAPI document.

In Python the members have names with underscores (``exit_code``); on the wire they have those of the document
(``exitCode``). Requests refuse members that the document does not have. Answers keep members that a newer gateway
may add: ``model_extra`` has them.
"""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import Any
from urllib.parse import unquote_to_bytes

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class State(str, Enum):
    """Where a job is in its life. ``DONE``, ``FAILED`` and ``CANCELLED`` are final."""

    UNSUBMITTED = "Unsubmitted"
    STAGE_IN = "StageIn"
    PENDING = "Pending"
    ACTIVE = "Active"
    SUSPENDED = "Suspended"
    STAGE_OUT = "StageOut"
    CLEAN_UP = "CleanUp"
    DONE = "Done"
    FAILED = "Failed"
    CANCELLED = "Cancelled"

    @property
    def is_final(self) -> bool:
        """Whether nothing happens to the job any more."""
        return self in (State.DONE, State.FAILED, State.CANCELLED)


class ElementState(str, Enum):
    """Where an element of an array is: ``WAITING`` until it is its turn to become a job, then where its job is."""

    WAITING = "Waiting"
    HELD = "Held"
    UNSUBMITTED = "Unsubmitted"
    STAGE_IN = "StageIn"
    PENDING = "Pending"
    ACTIVE = "Active"
    SUSPENDED = "Suspended"
    STAGE_OUT = "StageOut"
    CLEAN_UP = "CleanUp"
    DONE = "Done"
    FAILED = "Failed"
    CANCELLED = "Cancelled"

    @property
    def is_final(self) -> bool:
        """Whether nothing happens to the element any more."""
        return self in (ElementState.DONE, ElementState.FAILED, ElementState.CANCELLED)


class _Request(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")

    def wire(self) -> dict[str, Any]:
        """The members that were given, as they go to the gateway."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


class _Answer(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="allow", frozen=True)


class Transfer(_Request):
    """One file to be copied. Both ends are URLs; ``file:///PATH`` is a file of the job's account."""

    source: str
    destination: str
    options: dict[str, str] | None = None


class Extension(_Request):
    """Something that only the LRM's adapter reads."""

    name: str
    attributes: dict[str, str] | None = None
    text: str | None = None
    children: list[Extension] | None = None


class Mail(_Request):
    """Mail that the LRM is to send."""

    addresses: list[str] | None = None
    events: list[str] | None = None


class Resources(_Request):
    """What a job asks of its LRM beside its processes; memory in MiB, ``cpu_time`` in seconds, sizes in bytes."""

    slots: int | None = None
    slots_per_host: int | None = None
    threads_per_process: int | None = None
    whole_nodes: bool | None = None
    gpus: int | None = None
    gpu_model: str | None = None
    gpu_mode: str | None = None
    memory_per_slot: int | None = None
    memory: int | None = None
    cpu_time: int | None = None
    file_size: int | None = None
    core_size: int | None = None
    stack_size: int | None = None
    open_files: int | None = None
    processes: int | None = None
    data_size: int | None = None
    locked_memory: int | None = None
    address_space: int | None = None
    node_features: list[str] | None = None
    hosts: list[str] | None = None
    architecture: str | None = None
    operating_system: str | None = None
    reservation: str | None = None
    pre_command: list[str] | None = None
    post_command: list[str] | None = None
    mail: Mail | None = None


class ChirpAccess(_Request):
    """Directories of a Chirp server of the site that the job is to reach by a ticket: to read, and to write."""

    server: str | None = None
    read: list[str] | None = None
    write: list[str] | None = None


class _Described(_Request):
    """What is to run: the members of one job's description. Times are in seconds, memory in MiB."""

    executable: str | None = None
    arguments: list[str] | None = None
    directory: str | None = None
    environment: dict[str, str] | None = None
    stdin: str | None = None
    stdout: str | None = None
    stderr: str | None = None
    count: int | None = None
    host_count: int | None = None
    job_type: str | None = None
    library_path: list[str] | None = None
    queue: str | None = None
    project: str | None = None
    max_time_seconds: int | None = None
    max_wall_time_seconds: int | None = None
    max_cpu_time_seconds: int | None = None
    max_memory_mi_b: int | None = Field(default=None, alias="maxMemoryMiB")
    min_memory_mi_b: int | None = Field(default=None, alias="minMemoryMiB")
    hold_at: State | None = None
    hold_again: State | None = None
    stage_in: list[Transfer] | None = None
    stage_out: list[Transfer] | None = None
    clean_up: list[str] | None = None
    stage_in_options: dict[str, str] | None = None
    stage_out_options: dict[str, str] | None = None
    clean_up_options: dict[str, str] | None = None
    stage_out_on_failure: bool | None = None
    incremental_output: bool | None = None
    credentials: dict[str, str] | None = None
    extensions: list[Extension] | None = None
    resources: Resources | None = None
    chirp: ChirpAccess | None = None
    lrm: str | None = None
    account: str | None = None


class After(_Request):
    """What a job waits for: the one with this id, ended as ``when`` says: ``ok``, ``failed`` or ``any``.

    The id is that of a job of the same flow, or of an earlier job of the same owner.
    """

    id: str
    when: str | None = None


class SubJob(_Described):
    """One job of a multi-job; with ``after``, of a flow."""

    id: str | None = None
    after: list[After] | None = None


class JobRequest(_Described):
    """A job to be run. It has an ``executable`` or ``sub_jobs``, never both; with neither it moves ``stage_in``."""

    sub_jobs: list[SubJob] | None = None
    after: list[After] | None = None
    termination_time: datetime | None = None
    keep_seconds: int | None = None
    idempotency_key: str | None = None


class Fault(_Answer):
    """What went wrong with a job: the sentence says it, the remedy says what to do."""

    code: str
    origin: str
    sentence: str
    remedy: str
    attribute: str | None = None
    value: str | None = None
    destination: str | None = None
    during: State | None = None
    evidence: dict[str, Any] | None = None


class JobStatus(_Answer):
    """A job as it stood when the gateway answered. The document calls it ``Job``."""

    id: str
    version: int
    state: State
    holding: bool
    hold_at: State | None = None
    final: bool
    lrm: str
    account: str
    owner: str
    idempotency_key: str | None = None
    local_ids: list[str]
    created: datetime
    changed: datetime
    queued: datetime | None = None
    started: datetime | None = None
    ended: datetime | None = None
    termination_time: datetime | None = None
    exit_code: int | None = None
    signal: int | None = None
    wall_time_seconds: float | None = None
    outcome: State | None = None
    fault: Fault | None = None
    waiting: dict[str, Any] | None = None
    array: str | None = None
    index: int | None = None
    door: str | None = None
    language: str | None = None
    suspend_wish: str | None = None
    links: dict[str, str]

    @property
    def succeeded(self) -> bool:
        """Whether the job is over, was not cancelled, did not fail and its program ended with 0."""
        return self.state is State.DONE and not self.exit_code and self.signal is None


class JobList(_Answer):
    """A page of jobs; ``next`` is the cursor of the page behind it, absent on the last."""

    jobs: list[JobStatus]
    next: str | None = None


class FlowJob(_Answer):
    """One job of a multi-job or flow: its id in the flow, what it waits for, and how it stands."""

    id: str | None = None
    after: list[After] | None = None
    job: JobStatus


class SubJobs(_Answer):
    """The jobs of a multi-job or flow, in the order of the request."""

    sub_jobs: list[FlowJob]


class Problem(_Answer):
    """Why a request was refused (RFC 9457): ``detail`` says it, ``remedy`` says what to do."""

    type: str = "about:blank"
    title: str = ""
    status: int = 0
    detail: str = ""
    code: str = ""
    remedy: str = ""
    limit: str | None = None
    limit_value: int | None = None
    use: int | None = None
    attribute: str | None = None
    value: str | None = None
    unknown: list[str] | None = None
    job: str | None = None
    differences: list[str] | None = None
    request: str | None = None


class BulkResult(_Answer):
    """The answer for one of many: a job, or a problem."""

    status: int
    id: str | None = None
    is_new: bool | None = None
    job: JobStatus | None = None
    problem: Problem | None = None


class BulkAnswer(_Answer):
    """One result for each item, in the order of the request."""

    results: list[BulkResult]
    accepted: int
    refused: int


class Change(_Answer):
    """One change of one job. ``cursor`` is where to go on behind it."""

    cursor: str | None = None
    job: str
    version: int
    at: datetime
    event: str | None = None
    from_: State | None = Field(default=None, alias="from")
    to: State
    holding: bool
    note: str | None = None


class History(_Answer):
    """The changes of one job, oldest first."""

    changes: list[Change]


class Changes(_Answer):
    """Changes of the caller's jobs behind a cursor; ``next`` is where to go on."""

    changes: list[Change]
    next: str
    more: bool


class Explanation(_Answer):
    """Why a job is where it is, in sentences."""

    id: str
    state: State
    summary: str
    waits_for: str | None = None
    lines: list[dict[str, Any]]
    fault: Fault | None = None


class ArrayRequest(_Request):
    """Many jobs of one description. ``{index}`` and ``{value}`` in its texts are replaced in each element."""

    job: JobRequest
    indices: str | None = None
    values: list[str] | None = None
    max_running: int | None = None


class ArrayStatus(_Answer):
    """An array as it stood when the gateway answered: how many elements are in which state."""

    id: str
    version: int | None = None
    size: int
    states: dict[str, int]
    final: bool
    failed: int | None = None
    max_running: int | None = None
    created: datetime
    changed: datetime | None = None
    ended: datetime | None = None
    idempotency_key: str | None = None
    indices: str | None = None
    lrm: str
    account: str
    links: dict[str, str] | None = None


class ArrayList(_Answer):
    """A page of arrays."""

    arrays: list[ArrayStatus]
    next: str | None = None


class Element(_Answer):
    """One element of an array; ``job`` is absent until it has one."""

    index: int
    value: str | None = None
    job: str | None = None
    attempt: int
    state: ElementState
    exit_code: int | None = None
    fault: Fault | None = None


class Elements(_Answer):
    """A page of elements, ordered by index."""

    elements: list[Element]
    next: str | None = None


class DelegationRequest(_Answer):
    """A delegation that waits for its proxy: ``csr`` is the certificate request to sign, in PEM."""

    id: str
    csr: str


class DelegationStatus(_Answer):
    """A credential that jobs and transfers of the caller may use; ``kind`` is ``proxy`` or ``token``.

    When it ``expires`` it can still be renewed for a while; when it ``terminates`` it is forgotten.
    """

    id: str
    kind: str
    expires: datetime
    terminates: datetime


class DelegationList(_Answer):
    """A page of delegations."""

    delegations: list[DelegationStatus]
    next: str | None = None


class TransferRequest(_Request):
    """Files to be moved, with what holds for all of them."""

    files: list[Transfer]
    options: dict[str, str] | None = None
    credential: str | None = None


class TransferState(str, Enum):
    """How a request to move files stands. ``DONE``, ``FAILED`` and ``CANCELLED`` are final."""

    PENDING = "Pending"
    ACTIVE = "Active"
    DONE = "Done"
    FAILED = "Failed"
    CANCELLED = "Cancelled"

    @property
    def is_final(self) -> bool:
        """Whether nothing is moved any more."""
        return self in (TransferState.DONE, TransferState.FAILED, TransferState.CANCELLED)


class TransferStatus(_Answer):
    """A request to move files as it stood when the gateway answered; ``failure`` says what failed last."""

    id: str
    state: TransferState
    files: int
    done: int
    failed: int
    bytes: int
    created: datetime
    terminates: datetime
    failure: str | None = None


class TransferList(_Answer):
    """A page of requests to move files."""

    transfers: list[TransferStatus]
    next: str | None = None


class TreeStatus(_Answer):
    """A tree of files that the site exports: its name, where it is there, and whether the caller may write in it."""

    name: str
    path: str | None = None
    writable: bool


class TreeList(_Answer):
    """The trees that the site exports to the caller's account."""

    trees: list[TreeStatus]


class FileEntry(_Answer):
    """A file in a tree. ``kind`` is ``file``, ``directory``, ``link`` or ``other``; ``mode`` is octal, as text.

    ``name`` is for people: what is not UTF-8 in it is shown by other characters. :attr:`raw_name` has each byte.
    """

    name: str
    encoded_name: str | None = None
    kind: str
    size: int | None = None
    modified: datetime | None = None
    mode: str | None = None
    owner: str | None = None
    group: str | None = None
    target: str | None = None

    @property
    def raw_name(self) -> bytes:
        """The name as it is, to make paths of."""
        return self.name.encode() if self.encoded_name is None else unquote_to_bytes(self.encoded_name)


class FileEntries(_Answer):
    """A page of a directory."""

    entries: list[FileEntry]
    next: str | None = None


class Checksum(_Answer):
    """The checksum of a file, in hexadecimal."""

    algorithm: str
    value: str


class Queue(_Answer):
    """A queue of an LRM: what is free, and what it allows."""

    name: str
    whole: bool
    default: bool
    processors: int | None = None
    free_processors: int | None = None
    running_jobs: int | None = None
    waiting_jobs: int | None = None
    max_running_jobs: int | None = None
    max_wall_time_seconds: int | None = None
    max_processors: int | None = None
    state: str | None = None
    architecture: str | None = None
    memory_mi_b: int | None = Field(default=None, alias="memoryMiB")


class Lrm(_Answer):
    """A batch system behind the gateway."""

    name: str
    default: bool
    kind: str | None = None
    queues: list[Queue]
    job_types: list[str] | None = None
    suspends: list[State] | None = None
    resources: list[str] | None = None
    fresh_until: datetime | None = None


class Lrms(_Answer):
    """The batch systems behind the gateway, the default first."""

    lrms: list[Lrm]


class LimitUse(_Answer):
    """A limit by name, and how much of it the caller uses."""

    name: str
    value: int
    use: int | None = None
    what: str


class Limits(_Answer):
    """The limits that hold for the caller."""

    limits: list[LimitUse]


class Whoami(_Answer):
    """How the gateway sees the caller, and whether it lets them run jobs."""

    subject: str
    method: str
    limited: bool
    administrator: bool | None = None
    attributes: list[str] | None = None
    scopes: list[str] | None = None
    may_submit: bool
    accounts: list[str]
    reason: str | None = None


class Info(_Answer):
    """What the gateway is."""

    service: str
    api: str
    version: str | None = None
    time: datetime
    #: The languages in which jobs can be described, by name, with their media types.
    languages: dict[str, list[str]] = {}
    links: dict[str, str]
