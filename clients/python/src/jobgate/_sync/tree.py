# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Files outside of jobs: a tree that the site exports."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, BinaryIO
from uuid import uuid4

from .. import _wire
from .._sleep import sleep
from ..errors import ConflictError, JobgateError, NotFoundError, RefusedError
from ..models import Checksum, FileEntries, FileEntry
from .fetch import fetch

if TYPE_CHECKING:
    from .client import Jobgate

_PART = 4 * 1024 * 1024


def _below(path: str | bytes) -> str:
    """A path in a tree as addresses have it; a slash at its beginning or end changes nothing."""
    return _wire.file_path(path).strip("/")


class Tree:
    """A tree of files that the site exports, such as homes or a scratch file system, used as the caller's account.

    Paths begin at the top of the tree; ``""`` is the top itself. A name that is not UTF-8 is given as bytes, or as
    Python has it from :func:`os.fsdecode`.
    """

    def __init__(self, gate: Jobgate, name: str) -> None:
        """For this package; callers get trees from the gateway's object."""
        self._gate = gate
        self.name = name

    def __repr__(self) -> str:
        return f"<Tree {self.name}>"

    def _path(self, action: str, path: str | bytes) -> str:
        return f"{_wire.API}/trees/{_wire.segment(self.name)}/{action}/{_below(path)}"

    # -- names

    def list(self, path: str | bytes = "", *, page: int = 1000) -> Iterator[FileEntry]:
        """What is in a directory, by name, fetched page by page.

        :raises NotFoundError: there is no such directory
        :raises ConflictError: it is no directory
        """
        cursor: str | None = None
        while True:
            response = self._gate._request(
                "GET", self._path("list", path), params=_wire.parameters(limit=page, cursor=cursor)
            )
            found = _wire.parse(FileEntries, response)
            for entry in found.entries:
                yield entry
            if found.next is None:
                return
            cursor = found.next

    def stat(self, path: str | bytes) -> FileEntry:
        """What a file is; of a symbolic link the link itself.

        :raises NotFoundError: there is nothing of that name
        """
        response = self._gate._request("GET", self._path("stat", path))
        return _wire.parse(FileEntry, response)

    def exists(self, path: str | bytes) -> bool:
        """Whether there is something of that name."""
        try:
            self.stat(path)
        except NotFoundError:
            return False
        return True

    def make_directory(self, path: str | bytes, *, parents: bool = False) -> bool:
        """Make a directory; answers whether it was not there before.

        :param parents: whether to make those on the way to it, too
        """
        response = self._gate._request(
            "POST", self._path("mkdir", path), params=_wire.parameters(parents=parents), repeatable=True
        )
        return response.status_code == 201

    def rename(self, path: str | bytes, to: str | bytes, *, replace: bool = False) -> None:
        """Give a file another name, or another place in this tree.

        :param replace: whether it may take the place of another file
        :raises ConflictError: there is something of that name already
        """
        self._gate._request("POST", self._path("rename", path), json={"to": _below(to), "replace": replace})

    def remove(self, path: str | bytes, *, recursive: bool = False) -> None:
        """Remove a file or an empty directory; one that is not there is no error.

        :param recursive: whether to remove a directory with all that is in it
        """
        self._gate._request(
            "DELETE", self._path("content", path), params=_wire.parameters(recursive=recursive), accept=(404,)
        )

    def chmod(self, path: str | bytes, mode: int) -> None:
        """Change the permissions, such as ``0o640``."""
        self._gate._request("POST", self._path("chmod", path), json={"mode": f"{mode:04o}"}, repeatable=True)

    def checksum(self, path: str | bytes, algorithm: str = "sha256") -> str:
        """The checksum of a file in hexadecimal, computed at the site.

        :param algorithm: ``adler32``, ``crc32``, ``md5``, ``sha1``, ``sha256`` or ``sha512``
        """
        response = self._gate._request(
            "GET", self._path("checksum", path), params={"algorithm": algorithm}, patience=600
        )
        return _wire.parse(Checksum, response).value

    # -- content

    def read(self, path: str | bytes) -> bytes:
        """A whole file; use :meth:`download` for large ones."""
        response = self._gate._request("GET", self._path("content", path), headers={"Accept": "*/*"})
        return response.content

    def download(self, path: str | bytes, to: str | os.PathLike[str]) -> Path:
        """Fetch a file to a file here, which has its name only when it is whole.

        A connection that breaks is made again, and goes on where it broke; where the file is another one by then it
        is fetched from its beginning.
        """
        target = Path(to)
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            with part.open("wb") as out:
                fetch(self._gate, self._path("content", path), f"{path!r} of {self!r}", out)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
        return target

    @contextmanager
    def open(self, path: str | bytes) -> Iterator[BinaryIO]:
        """A file of the tree for the length of a block, to read: ``with tree.open("a.csv") as file``.

        It is fetched whole to a temporary file here, which is gone after the block.
        """
        with TemporaryFile() as file:
            fetch(self._gate, self._path("content", path), f"{path!r} of {self!r}", file)
            file.seek(0)
            yield file

    def upload(
        self, source: str | os.PathLike[str] | bytes, path: str | bytes, *, only_new: bool = False
    ) -> None:
        """Put a file, or bytes, into the tree. Others see it only when it is whole.

        A connection that breaks is made again, and goes on where it broke.

        :param only_new: whether to refuse to replace a file. The last request is sent once then: where its answer is
            lost, the error is :class:`GatewayUnreachableError` and the file may be there
        :raises ConflictError: with ``only_new``, there is a file of that name already
        """
        if isinstance(source, bytes):
            self._put(path, source, {}, only_new)
            return
        size = Path(source).stat().st_size
        if size <= _PART:
            self._put(path, Path(source).read_bytes(), {}, only_new)
            return
        upload = str(uuid4())
        with Path(source).open("rb") as file:
            try:
                self._send(file, size, path, upload, only_new)
            except RefusedError:
                # nobody goes on with it: the part would stay until the site removes it
                with suppress(JobgateError):
                    self._gate._request(
                        "DELETE",
                        self._path("content", path),
                        params={"upload": ""},
                        headers={"Jobgate-Upload": upload},
                    )
                raise

    def _send(self, file: BinaryIO, size: int, path: str | bytes, upload: str, only_new: bool) -> None:
        at = 0
        returns = 0
        while at < size:
            file.seek(at)
            piece = file.read(min(_PART, size - at))
            if not piece:
                raise JobgateError(f"{file.name} became shorter while it was sent")
            end = at + len(piece)
            headers = {"Jobgate-Upload": upload, "Content-Range": f"bytes {at}-{end - 1}/{size}"}
            try:
                self._put(path, piece, headers, only_new and end == size)
            except ConflictError as e:
                if e.problem.code != "UPLOAD_SHORTER" or returns >= self._gate._retries:
                    raise
                # the answer to the last piece was lost and the file is there, or the site has removed the part
                if end == size and self._is_there(file, size, path):
                    return
                returns += 1
                at = self._kept(path, upload)
            else:
                at = end

    def _kept(self, path: str | bytes, upload: str) -> int:
        """How many bytes of an upload the site has."""
        response = self._gate._request(
            "GET", self._path("content", path), params={"upload": ""}, headers={"Jobgate-Upload": upload}
        )
        return int(response.headers.get("Upload-Offset", "0"))

    def _is_there(self, file: BinaryIO, size: int, path: str | bytes) -> bool:
        """Whether the file at the site is the one here."""
        try:
            if (self.stat(path)).size != size:
                return False
            there = self.checksum(path)
        except NotFoundError:
            return False
        file.seek(0)
        here = hashlib.sha256()
        while piece := file.read(_PART):
            here.update(piece)
        return here.hexdigest() == there

    def _put(self, path: str | bytes, content: bytes, headers: dict[str, str], only_new: bool) -> None:
        """One piece. Where a request broke the gateway may still read it for a moment: it is waited for."""
        attempt = 0
        while True:
            try:
                self._gate._request(
                    "PUT",
                    self._path("content", path),
                    content=content,
                    headers={
                        "Content-Type": "application/octet-stream",
                        **headers,
                        **({"If-None-Match": "*"} if only_new else {}),
                    },
                    repeatable=not only_new,
                )
                return
            except ConflictError as e:
                if e.problem.code != "UPLOAD_RUNS" or attempt >= self._gate._retries:
                    raise
            sleep(_wire.pause(attempt, None))
            attempt += 1
