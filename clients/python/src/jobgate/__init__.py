# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Run jobs on a site's batch systems through a Jobgate gateway.

::

    from jobgate import Jobgate

    with Jobgate("https://ce.example.org:8443") as gate:
        job = gate.submit("/bin/echo", ["Hello"])
        job.wait(check=True)
        print(job.output())

:class:`AsyncJobgate` is the same for ``async`` code. :class:`JobgateExecutor` runs Python functions as jobs.
"""

from ._async.array import AsyncArray
from ._async.client import AsyncJobgate
from ._async.delegation import AsyncDelegation
from ._async.job import AsyncJob
from ._async.transfer import AsyncTransferJob
from ._async.tree import AsyncTree
from ._sync.array import Array
from ._sync.client import Jobgate
from ._sync.delegation import Delegation
from ._sync.job import Job
from ._sync.map import Mapped
from ._sync.transfer import TransferJob
from ._sync.tree import Tree
from .credentials import Certificate, Token, discover, proxy, token
from .errors import (
    BadRequestError,
    ChangedError,
    ConflictError,
    CredentialError,
    CursorGoneError,
    GatewayUnreachableError,
    JobFailedError,
    JobgateError,
    NotAuthenticatedError,
    NotAuthorizedError,
    NotFoundError,
    RefusedError,
    TooManyError,
    UnavailableError,
    WaitTimeoutError,
)
from .executor import JobgateExecutor, RemoteError
from .models import (
    After,
    ArrayRequest,
    ChirpAccess,
    DelegationStatus,
    Extension,
    FileEntry,
    JobRequest,
    JobStatus,
    Mail,
    Resources,
    State,
    SubJob,
    Transfer,
    TransferState,
    TransferStatus,
    TreeStatus,
)

__all__ = [
    "After",
    "Array",
    "ArrayRequest",
    "AsyncArray",
    "AsyncDelegation",
    "AsyncJob",
    "AsyncJobgate",
    "AsyncTransferJob",
    "AsyncTree",
    "BadRequestError",
    "Certificate",
    "ChangedError",
    "ChirpAccess",
    "ConflictError",
    "CredentialError",
    "CursorGoneError",
    "Delegation",
    "DelegationStatus",
    "Extension",
    "FileEntry",
    "GatewayUnreachableError",
    "Job",
    "JobFailedError",
    "JobRequest",
    "JobStatus",
    "Jobgate",
    "JobgateError",
    "JobgateExecutor",
    "Mail",
    "Mapped",
    "NotAuthenticatedError",
    "NotAuthorizedError",
    "NotFoundError",
    "RefusedError",
    "RemoteError",
    "Resources",
    "State",
    "SubJob",
    "Token",
    "TooManyError",
    "Transfer",
    "TransferJob",
    "TransferState",
    "TransferStatus",
    "Tree",
    "TreeStatus",
    "UnavailableError",
    "WaitTimeoutError",
    "discover",
    "proxy",
    "token",
]
