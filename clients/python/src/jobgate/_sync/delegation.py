# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""A credential that was delegated to the gateway."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from types import TracebackType
from typing import TYPE_CHECKING

import httpx

from .. import _wire
from ..credentials import Certificate
from ..errors import CredentialError, JobgateError
from ..models import DelegationRequest, DelegationStatus
from ..proxies import signed

if TYPE_CHECKING:
    from .client import Jobgate


class Delegation:
    """A proxy of the caller's whose key the gateway made and keeps: jobs and transfers name it by its ``id``.

    As a context manager it is destroyed at the end of the block: wait in it for the jobs that use it.
    """

    def __init__(self, gate: Jobgate, status: DelegationStatus) -> None:
        """For this package; callers get delegations from the gateway's object."""
        self._gate = gate
        self.id = status.id
        self.status = status

    def __repr__(self) -> str:
        return f"<Delegation {self.id} until {self.status.terminates}>"

    def __enter__(self) -> Delegation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.destroy()
            return
        # what went wrong in the block is what the caller must see
        with suppress(JobgateError):
            self.destroy()

    @property
    def _path(self) -> str:
        return _wire.API + "/delegations/" + _wire.segment(self.id)

    def refresh(self) -> DelegationStatus:
        """Ask when it ends.

        :raises NotFoundError: it is gone
        """
        return self._keep(self._gate._request("GET", self._path))

    def renew(
        self, credential: Certificate | None = None, *, lifetime: timedelta | None = None
    ) -> DelegationStatus:
        """Have it last longer, by a new proxy; jobs that use it go on with that.

        :param credential: what signs, as for :meth:`Jobgate.delegate`
        :raises CredentialError: the credential cannot sign a proxy
        :raises NotFoundError: it is gone
        """
        mine = signer(self._gate, credential)
        request = _wire.parse(DelegationRequest, self._gate._request("POST", self._path + "/renew"))
        return self._keep(answer(self._gate, request, mine, lifetime))

    def destroy(self) -> None:
        """Destroy it; one that is gone already is no error."""
        self._gate._request("DELETE", self._path, accept=(404,))

    def _keep(self, response: httpx.Response) -> DelegationStatus:
        self.status = _wire.parse(DelegationStatus, response)
        return self.status


def signer(gate: Jobgate, credential: Certificate | None) -> Certificate:
    """What signs a proxy for the gateway."""
    mine = credential or gate._certificate
    if mine is None:
        raise CredentialError("Only a certificate or a proxy can be delegated: name one with credential=...")
    return mine


def begin(gate: Jobgate, mine: Certificate, lifetime: timedelta | None) -> Delegation:
    """A new delegation, with nothing left at the gateway where it fails."""
    response = gate._request("POST", _wire.API + "/delegations", repeatable=True)
    request = _wire.parse(DelegationRequest, response)
    try:
        return Delegation(gate, _wire.parse(DelegationStatus, answer(gate, request, mine, lifetime)))
    except BaseException:
        with suppress(JobgateError):
            gate._request("DELETE", f"{_wire.API}/delegations/{_wire.segment(request.id)}", accept=(404,))
        raise


def answer(
    gate: Jobgate, request: DelegationRequest, mine: Certificate, lifetime: timedelta | None
) -> httpx.Response:
    """Bring the chain that the gateway asks for. Once: it takes one chain for each request."""
    return gate._request(
        "PUT",
        f"{_wire.API}/delegations/{_wire.segment(request.id)}",
        content=signed(request.csr, mine, lifetime).encode(),
        headers={"Content-Type": "application/x-pem-file"},
        repeatable=False,
    )
