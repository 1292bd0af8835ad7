# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Files outside of jobs, by a transport that stands in for the network and breaks where a test says."""

import hashlib

import httpx
import pytest

from jobgate import ConflictError, GatewayUnreachableError, Jobgate, NotFoundError, Token, _wire
from jobgate._sync import tree as trees

HOME = "/api/v1/trees/home/"


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr(_wire, "FIRST_PAUSE", 0.0)


class Site:
    """A tree with one file, which is kept as the gateway keeps it; ``breaks`` has what befalls each request."""

    def __init__(self, *breaks, content=b""):
        self.breaks = list(breaks)
        self.content = content
        self.kept = b""
        self.asked = []
        self.tag = '"1"'

    def __call__(self, request):
        self.asked.append(request)
        what = self.breaks.pop(0) if self.breaks else None
        if what == "lost":
            raise httpx.ReadError("gone")
        if isinstance(what, httpx.Response):
            return what
        answer = self.answer(request)
        if what == "answer lost":
            raise httpx.ReadError("gone")
        if what == "cut":
            return httpx.Response(answer.status_code, headers=answer.headers, stream=Cut(answer.content))
        if callable(what):
            what(self)
        return answer

    def answer(self, request):
        action = request.url.path.removeprefix(HOME).split("/")[0]
        if action == "stat":
            if not self.content:
                return refused(404, "NOT_FOUND")
            return httpx.Response(200, json={"name": "f", "kind": "file", "size": len(self.content)})
        if action == "checksum":
            return httpx.Response(200, json={"algorithm": "sha256", "value": hashlib.sha256(self.content).hexdigest()})
        if request.method == "PUT":
            return self.put(request)
        if request.method == "GET" and "upload" in request.url.params:
            return httpx.Response(204, headers={"Upload-Offset": str(len(self.kept))})
        if request.method == "DELETE":
            self.kept = b""
            return httpx.Response(204)
        begin = 0
        if request.headers.get("If-Range") == self.tag:
            begin = int(request.headers["Range"].removeprefix("bytes=").removesuffix("-"))
        return httpx.Response(206 if begin else 200, headers={"ETag": self.tag}, content=self.content[begin:])

    def put(self, request):
        written = request.headers.get("Content-Range")
        if written is None:
            self.content = request.content
            return httpx.Response(204)
        place, size = written.removeprefix("bytes ").split("/")
        begin = int(place.split("-")[0])
        if begin > len(self.kept):
            return refused(409, "UPLOAD_SHORTER")
        self.kept = self.kept[:begin] + request.content
        if len(self.kept) < int(size):
            return httpx.Response(202)
        self.content, self.kept = self.kept, b""
        return httpx.Response(204)


class Cut(httpx.SyncByteStream):
    """The first half, and then nothing any more."""

    def __init__(self, content):
        self.content = content

    def __iter__(self):
        yield self.content[: len(self.content) // 2]
        raise httpx.RemoteProtocolError("peer closed connection")


def refused(status, code):
    return httpx.Response(status, json={"status": status, "code": code, "detail": "No."})


def home(site, **more):
    gate = Jobgate(
        "https://ce.example:8443", credential=Token("none"), transport=httpx.MockTransport(site), retries=3, **more
    )
    return gate.tree("home")


def big(folder, monkeypatch):
    monkeypatch.setattr(trees, "_PART", 1000)
    file = folder / "big"
    file.write_bytes(bytes(range(256)) * 10)
    return file


def test_a_fetch_that_breaks_goes_on_where_it_broke(tmp_path):
    site = Site("cut", "lost", "cut", content=b"0123456789abcdef")
    assert home(site).download("a b", tmp_path / "f").read_bytes() == site.content
    assert [request.headers.get("Range") for request in site.asked] == [None, "bytes=8-", "bytes=8-", "bytes=12-"]
    assert {request.url.raw_path for request in site.asked} == {HOME.encode() + b"content/a%20b"}
    assert [entry.name for entry in tmp_path.iterdir()] == ["f"]


def test_a_file_that_is_another_one_meanwhile_is_fetched_from_its_beginning(tmp_path):
    site = Site("cut", content=b"the old one, which is long")

    def replace(request):
        if len(site.asked) == 1:
            site.content, site.tag = b"new", '"2"'
        return site(request)

    gate = Jobgate("https://ce.example", credential=Token("none"), transport=httpx.MockTransport(replace))
    assert gate.tree("home").download("f", tmp_path / "f").read_bytes() == b"new"


def test_a_fetch_that_breaks_for_ever_leaves_nothing(tmp_path):
    with pytest.raises(GatewayUnreachableError, match="broke off"):
        home(Site(*["lost"] * 9)).download("f", tmp_path / "f")
    with pytest.raises(NotFoundError):
        home(Site(refused(404, "NOT_FOUND"))).download("f", tmp_path / "f")
    assert list(tmp_path.iterdir()) == []


def test_a_large_file_goes_in_parts_over_broken_connections(tmp_path, monkeypatch):
    file = big(tmp_path, monkeypatch)
    site = Site("lost", None, "answer lost", refused(409, "UPLOAD_RUNS"), refused(503, "BUSY"))
    home(site).upload(file, "d/f")
    assert site.content == file.read_bytes()
    puts = [request for request in site.asked if request.method == "PUT"]
    assert len(puts) == len(site.asked)
    assert len({request.headers["Jobgate-Upload"] for request in puts}) == 1
    assert puts[-1].headers["Content-Range"] == "bytes 2000-2559/2560"


def test_a_lost_answer_to_the_last_part_is_no_second_upload(tmp_path, monkeypatch):
    file = big(tmp_path, monkeypatch)
    site = Site(None, None, "answer lost")
    home(site).upload(file, "f")
    assert site.content == file.read_bytes()
    assert [request.method for request in site.asked] == ["PUT"] * 4 + ["GET"] * 2


def test_parts_that_the_site_has_removed_are_sent_again(tmp_path, monkeypatch):
    file = big(tmp_path, monkeypatch)

    def forget(site):
        site.kept = b""

    site = Site(None, forget, content=b"of another size")
    home(site).upload(file, "f")
    assert site.content == file.read_bytes()


def test_what_is_refused_leaves_no_part(tmp_path, monkeypatch):
    site = Site(None, refused(507, "NO_SPACE"), *[refused(507, "NO_SPACE")] * 9)
    file = big(tmp_path, monkeypatch)
    with pytest.raises(Exception, match="NO_SPACE"):
        home(site).upload(file, "f")
    assert site.asked[-1].method == "DELETE"
    assert "upload" in site.asked[-1].url.params


def test_only_a_new_file_is_never_sent_twice():
    site = Site("answer lost")
    with pytest.raises(GatewayUnreachableError):
        home(site).upload(b"x", "f", only_new=True)
    assert [request.headers.get("If-None-Match") for request in site.asked] == ["*"]
    with pytest.raises(ConflictError):
        home(Site(refused(409, "EXISTS"))).upload(b"x", "f", only_new=True)


def test_names_come_page_by_page_and_have_all_their_bytes():
    site = Site(
        httpx.Response(200, json={"entries": [{"name": "a", "kind": "file"}], "next": "a"}),
        httpx.Response(
            200, json={"entries": [{"name": "caf?", "encodedName": "caf%E9", "kind": "directory", "mode": "0750"}]}
        ),
        httpx.Response(204),
    )
    first, second = home(site).list("/data/")
    assert (first.raw_name, second.raw_name) == (b"a", b"caf\xe9")
    assert site.asked[1].url.params["cursor"] == "a"
    assert site.asked[1].url.path == HOME + "list/data"
    home(site).chmod(b"data/" + second.raw_name, 0o40)
    assert site.asked[2].url.raw_path.endswith(b"/chmod/data/caf%E9")
    assert site.asked[2].content == b'{"mode":"0040"}'
