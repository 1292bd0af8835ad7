# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""One program over many values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from .. import _wire
from .._progress import Bar
from ..errors import NotFoundError, WaitTimeoutError
from ..models import ArrayRequest, Element, ElementState, JobRequest, State

if TYPE_CHECKING:
    from .client import Jobgate

#: How many elements are asked for at once; results behind them wait for these.
_WINDOW = 500


@dataclass(frozen=True)
class Mapped:
    """How the job for one value ended: its element, and what it wrote to its standard output."""

    value: str
    element: Element
    output: str

    @property
    def succeeded(self) -> bool:
        """Whether the program ended with 0."""
        return self.element.state is ElementState.DONE and not self.element.exit_code


def run_map(
    gate: Jobgate,
    executable: str,
    values: Sequence[str],
    arguments: Sequence[str],
    max_running: int | None,
    progress: bool,
    members: dict[str, Any],
) -> Iterator[Mapped]:
    """See :meth:`Jobgate.map`."""
    if not values:
        return
    place = {**_wire.own_directory(str(uuid4())), "stdout": "stdout.{index}", "stderr": "stderr.{index}"}
    if not {"directory", "stdout"} & members.keys():
        # elements find their directory made, by a job that does nothing else
        first = gate.submit(
            JobRequest(executable="/bin/true", **where(members), hold_at=State.STAGE_IN, directory=place["directory"])
        )
        first.make_directory()
        first.release()
    job = JobRequest(executable=executable, arguments=list(arguments), **{**place, **members})
    array = gate.submit_array(ArrayRequest(job=job, values=list(values), max_running=max_running))
    order = [element.index for element in array.elements()]
    given = 0
    with Bar(len(order), progress) as bar:
        while given < len(order):
            status = array.refresh()
            bar.at(sum(count for state, count in status.states.items() if ElementState(state).is_final))
            last = order[min(given + _WINDOW, len(order)) - 1]
            before = given
            for element in array.elements(elements=f"{order[given]}-{last}"):
                if not element.state.is_final or element.index != order[given]:
                    break
                yield Mapped(values[given], element, _output(gate, element))
                given += 1
            if given == before:
                with suppress(WaitTimeoutError):
                    array.wait(timeout=1)


def where(members: dict[str, Any]) -> dict[str, Any]:
    """The members that say at which LRM and as which account."""
    return {name: members[name] for name in ("lrm", "account") if name in members}


def _output(gate: Jobgate, element: Element) -> str:
    """What the element wrote; nothing where it never ran."""
    if element.job is None:
        return ""
    try:
        return (gate.job(element.job)).output()
    except NotFoundError:
        return ""
