# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Makes src/jobgate/_sync from src/jobgate/_async. With --check it only says whether it would change anything."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / "src" / "jobgate"
WORDS = {
    "AsyncJobgate": "Jobgate",
    "AsyncJob": "Job",
    "AsyncArray": "Array",
    "AsyncTransferJob": "TransferJob",
    "AsyncTree": "Tree",
    "AsyncDelegation": "Delegation",
    "AsyncClient": "Client",
    "AsyncBaseTransport": "BaseTransport",
    "AsyncIterator": "Iterator",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "aclose": "close",
    "aread": "read",
    "aiter_bytes": "iter_bytes",
    "aiter_sse": "iter_sse",
    "aconnect_sse": "connect_sse",
    "async_sleep": "sleep",
    "asynccontextmanager": "contextmanager",
}
PATTERN = re.compile(r"\b(" + "|".join(map(re.escape, WORDS)) + r")\b")


def sync(text: str) -> str:
    """The text without async."""
    text = re.sub(r"\b(async|await) ", "", text)
    return PATTERN.sub(lambda match: WORDS[match[1]], text)


def main() -> int:
    """Write the files, or compare them."""
    stale = []
    for source in sorted((ROOT / "_async").glob("*.py")):
        made = source.read_text() if source.name == "__init__.py" else sync(source.read_text())
        target = ROOT / "_sync" / source.name
        if not target.exists() or target.read_text() != made:
            stale.append(target.name)
            if "--check" not in sys.argv:
                target.write_text(made)
    if stale and "--check" in sys.argv:
        print("not as tools/make_sync.py makes them:", *stale)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
