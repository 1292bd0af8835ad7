# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the wrapper: one file with the settings of a job, its ticket and proxy, and what wrapper.sh does with them."""

import base64
import os
import posixpath
import stat
import tempfile
from dataclasses import dataclass

from . import VERSION, Mistake

MOST_BUNDLE_BYTES = 64 << 20


@dataclass
class Access:
    """How a job reaches its owner's data: the server, the ticket's text, its end, and the paths on the server. Without a text the gateway makes the ticket."""

    server: str
    ticket: str
    expires: int
    prefix: str


def quoted(text):
    """A text as one word of a shell, whatever is in it."""
    return "'" + text.replace("'", "'\\''") + "'"


def _document(name, text):
    """A function that prints a text."""
    mark = "END_OF_TEXT"
    while mark in text:
        mark += "_"
    return f"{name}() {{\n    cat <<'{mark}'\n{text.rstrip(chr(10))}\n{mark}\n}}\n"


def _function(name, lines):
    return f"{name}() {{\n" + "".join(f"    {line}\n" for line in lines or [":"]) + "}\n"


def text(settings, access=None, proxy_text="", bundle=b""):
    """The wrapper's text.

    access is the Access to the directories, None where there are none; proxy_text the PEM of the user's proxy, bundle a tar archive of tools.
    """
    paths = {name: [(access.prefix if access else "") + p for p in getattr(settings, name)] for name in ("read", "write", "fetch")}
    values = {
        "script": settings.script,
        "app_url": settings.location,
        "app_sha256": settings.location_sha256,
        "http_proxy_named": settings.http_proxy,
        "parrot_url": settings.parrot,
        "parrot_sha256": settings.parrot_sha256,
        "access": " ".join(settings.access),
        "chirp_server": access.server if access else "",
        "ticket_expires": str(access.expires) if access and access.ticket else "",
        "first_directory": (paths["read"] + paths["write"])[0] if access else "",
        "has_ticket": "1" if access else "",
        "of_gateway": "1" if access and not access.ticket else "",
        "has_user_proxy": "1" if proxy_text else "",
        "has_bundle": "1" if bundle else "",
        "has_read": "1" if paths["read"] else "",
        "has_fetch": "1" if paths["fetch"] else "",
    }
    words = [quoted(argument) for argument in settings.arguments]
    written = [quoted(path) for path in paths["write"]]
    parts = [
        "#!/bin/sh\n",
        f"# Made by skeleton_key {VERSION} (Jobgate); do not change, make it anew.\n",
        "# It holds a key to its owner's data: keep it readable by you alone.\n" if access and access.ticket or proxy_text else "",
        "# shellcheck disable=SC2034,SC2016\n",
        "".join(f"{name}={quoted(value)}\n" for name, value in values.items()),
        _document("write_ticket", access.ticket) if access and access.ticket else "",
        _document("write_user_proxy", proxy_text) if proxy_text else "",
        _document("write_bundle", base64.encodebytes(bundle).decode("ascii")) if bundle else "",
        _function(
            "cvmfs_repositories",
            [
                "cvmfs_repository " + " ".join(quoted(word) for word in (r.name, r.key_url, r.key_sha256, r.options, r.key_file))
                for r in settings.repositories
            ],
        ),
        _function("copy_in_named", ["copy_in " + " ".join(quoted(path) for path in paths["fetch"])]),
        # the shortest first: what lies below a link is there already
        _function("link_named", [f"link_into {quoted(path)}" for path in sorted({*paths["read"], *paths["write"]}, key=lambda path: (len(path), path))]),
        _function("make_written", [f'mkdir -p "$CHIRP_MOUNT"{path}' for path in written]),
        _function("copy_out_written", ["copy_out " + " ".join(written)] if written else []),
        _function("run_with_arguments", [" ".join(["set_arguments_and_run", *words, '"$@"'])]),
    ]
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "wrapper.sh"), encoding="utf-8") as body:
        parts.append(body.read())
    return "".join(parts)


def read_bundle(path):
    """A bundle: the bytes of a tar archive with bin/ (and lib/) in it, one level down at most."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BUNDLE_BYTES + 1)
    except OSError as error:
        raise Mistake(f"cannot read the bundle {path}: {error.strerror}") from None
    if len(data) > MOST_BUNDLE_BYTES:
        raise Mistake(f"the bundle {path} has more than {MOST_BUNDLE_BYTES >> 20} MiB; put it on a web server and name it in [Parrot] location")
    import io
    import tarfile

    try:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            names = archive.getnames()
    except (tarfile.TarError, EOFError, OSError, ValueError) as error:
        raise Mistake(f"the bundle {path} is no tar archive: {error}") from None
    if not any(posixpath.basename(posixpath.dirname(posixpath.normpath(name))) == "bin" for name in names):
        raise Mistake(f"the bundle {path} has no directory bin with programs in it")
    return data


def write(path, content):
    """Writes the wrapper, mode 0700, all or nothing: no other account ever sees it, and a link at its place is not followed."""
    place = os.path.dirname(os.path.abspath(path))
    try:
        old = os.lstat(path)
        if not stat.S_ISREG(old.st_mode) and not stat.S_ISLNK(old.st_mode):
            raise Mistake(f"{path} is there and is no file")
    except FileNotFoundError:
        pass
    try:
        handle, temporary = tempfile.mkstemp(prefix=".skeleton_key.", dir=place)
    except OSError as error:
        raise Mistake(f"cannot write to {place}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode("utf-8", "surrogateescape"))
            file.flush()
            os.fchmod(file.fileno(), 0o700)
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        os.unlink(temporary)
        raise Mistake(f"cannot write {path}: {error.strerror}") from None
