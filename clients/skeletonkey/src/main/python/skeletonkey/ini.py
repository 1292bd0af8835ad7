# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the configuration file and keeps the line of every key.

Python's configparser forgets line numbers and expands '%', which URLs and arguments are full of.
"""

import re
from dataclasses import dataclass

from . import Mistake

MOST_BYTES = 1 << 20
_SECTION = re.compile(r"\[([^\]]*)\]\s*\Z")
_KEY = re.compile(r"([^=:\s][^=:]*?)\s*[=:]\s*(.*)\Z", re.DOTALL)


@dataclass(frozen=True)
class Value:
    """What a key is set to, and where."""

    text: str
    line: int


def read(path):
    """The sections of a file: {name: {key in lower case: Value}}, and {name: line}.

    A line that begins with a blank goes on with the value before it; # and ; begin a comment at the start of a line only. Bytes that are
    not UTF-8 are kept (as surrogates). A section or key that stands twice, and a line that is neither, are Mistakes.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise Mistake(f"cannot read the configuration file {path}: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise Mistake(f"the configuration file {path} has more than {MOST_BYTES} bytes")
    if b"\0" in data:
        raise Mistake(f"the configuration file {path} is no text: it has a NUL byte in line {data[: data.index(0)].count(10) + 1}")
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    sections, begun = {}, {}
    keys = last = None
    for number, line in enumerate(data.decode("utf-8", "surrogateescape").split("\n"), 1):
        line = line.rstrip("\r")
        stripped = line.strip(" \t")
        if not stripped or stripped[0] in "#;":
            if not stripped:
                last = None
            continue
        if line[0] in " \t" and last is not None:
            keys[last] = Value((keys[last].text + " " + stripped).strip(), keys[last].line)
            continue
        section = _SECTION.match(stripped)
        if section:
            name = section.group(1).strip()
            if name in sections:
                raise Mistake(f"{path}, line {number}: the section [{name}] stands there a second time (first in line {begun[name]})")
            keys = sections[name] = {}
            begun[name] = number
            last = None
            continue
        pair = _KEY.match(stripped)
        if not pair:
            raise Mistake(f"{path}, line {number}: neither a [Section] nor a 'key = value': {shown(stripped)}")
        if keys is None:
            raise Mistake(f"{path}, line {number}: '{shown(pair.group(1))}' stands before any [Section]; begin with [Application]")
        last = pair.group(1).lower()
        if last in keys:
            raise Mistake(f"{path}, line {number}: {shown(last)} stands there a second time (first in line {keys[last].line})")
        keys[last] = Value(pair.group(2), number)
    return sections, begun


def shown(text, most=60):
    """A text as it may stand in a message: short, printable, bytes that are not UTF-8 as \\xHH."""
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return text if len(text) <= most else text[: most - 3] + "..."
