# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""A bar on the terminal where tqdm is installed."""

from __future__ import annotations

from types import TracebackType
from typing import Any


class Bar:
    """Shows how many of a number are done; shows nothing where tqdm is not installed or no bar is wanted."""

    def __init__(self, total: int, wanted: bool) -> None:
        self._bar: Any = None
        if wanted:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self._bar = tqdm(total=total, unit="job")

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def at(self, count: int) -> None:
        """So many are done."""
        if self._bar is not None and count > self._bar.n:
            self._bar.update(count - self._bar.n)
