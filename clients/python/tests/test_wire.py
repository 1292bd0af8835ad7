# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""What goes over the wire, by a transport that stands in for the network."""

import asyncio
import json

import httpx
import pytest

from jobgate import (
    AsyncJobgate,
    BadRequestError,
    ConflictError,
    GatewayUnreachableError,
    Job,
    Jobgate,
    JobgateError,
    JobRequest,
    NotFoundError,
    Token,
    TooManyError,
    Transfer,
    TransferState,
    WaitTimeoutError,
    _wire,
)

ID = "0190a1b2-0000-7000-8000-000000000001"
NONE = Token("none")


def job(version=1, state="Pending", **more):
    return {
        "id": ID, "version": version, "state": state, "holding": False, "final": state in ("Done", "Failed"),
        "lrm": "fork", "account": "a", "owner": "/CN=a", "localIds": [], "created": "2026-11-25T10:00:00Z",
        "changed": "2026-11-25T10:00:00Z", "links": {}, **more,
    }  # fmt: skip


class Line:
    """Answers with what it was given, in turn, and keeps what was asked."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def __call__(self, request):
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr(_wire, "FIRST_PAUSE", 0.0)


def gate(line, **more):
    return Jobgate("https://ce.example:8443", credential=NONE, transport=httpx.MockTransport(line), **more)


def problem(status, **members):
    return httpx.Response(status, json={"type": "t", "title": "T", "status": status, **members})


def test_a_submission_whose_answer_is_lost_is_repeated_with_the_same_key():
    line = Line(
        httpx.ReadError("gone"),
        problem(503),
        httpx.Response(201, json=job()),
        httpx.Response(201),
        httpx.Response(200, json=job()),
    )
    made = gate(line).submit("/bin/echo", ["a b", ""], count=2)
    assert made.id == ID
    directory, release = line.asked[3:]
    assert (directory.method, directory.url.path) == ("PUT", f"/jobs/{ID}/files/")
    assert release.url.path == f"/api/v1/jobs/{ID}/release"
    del line.asked[3:]
    assert len({request.headers["Idempotency-Key"] for request in line.asked}) == 1
    body = json.loads(line.asked[0].content)
    assert body["arguments"] == ["a b", ""]
    assert body["count"] == 2
    assert body["stdout"] == "stdout"
    assert body["directory"].startswith(".jobgate-jobs/")
    assert body["holdAt"] == "StageIn"
    assert "idempotencyKey" not in body
    assert {request.content for request in line.asked} == {line.asked[0].content}


def test_the_same_submission_made_again_is_the_same_request():
    answers = [httpx.Response(201, json=job()), httpx.Response(201), httpx.Response(200, json=job())]
    line = Line(*answers, httpx.Response(200, json=job(5, "Active")))
    for _ in range(2):
        gate(line).submit("/bin/echo", ["a"], idempotency_key="mine")
    assert line.asked[0].content == line.asked[3].content
    assert line.asked[0].headers["Idempotency-Key"] == "mine"


def test_a_submission_that_was_cut_off_is_gone_on_with_and_its_job_never_deleted():
    held = job(2, "StageIn", holding=True)
    line = Line(
        httpx.Response(200, json=held),
        httpx.Response(201),
        httpx.Response(200, json=job(3)),
        httpx.Response(200, json=job(1, "Unsubmitted")),
        problem(409, detail="It cannot be let go on."),
        httpx.Response(200, json=job(1, "Unsubmitted")),
    )
    it = gate(line)
    it.submit("/bin/echo", idempotency_key="mine")
    assert line.asked[2].url.path.endswith("/release")
    with pytest.raises(ConflictError):
        it.submit("/bin/echo", idempotency_key="mine")
    assert len(line.asked) == 6


def test_a_submission_made_again_while_its_job_ends_is_that_job():
    line = Line(
        httpx.Response(200, json=job(1, "StageIn")),
        problem(409, detail="The job is over.", code="JOB_OVER"),
        httpx.Response(200, json=job(5, "Done")),
    )
    made = gate(line).submit("/bin/echo", idempotency_key="mine")
    assert (made.id, made.state) == (ID, "Done")
    assert len(line.asked) == 3


def test_a_job_whose_directory_cannot_be_made_is_not_left_held():
    line = Line(
        httpx.Response(201, json=job()),
        httpx.Response(507, json={"error": {"code": "NO_SPACE", "sentence": "The file system is full."}}),
        httpx.Response(204),
    )
    with pytest.raises(JobgateError, match="full"):
        gate(line).submit("/bin/echo")
    assert (line.asked[2].method, line.asked[2].url.path) == ("DELETE", f"/api/v1/jobs/{ID}")


def test_a_restart_is_never_repeated():
    line = Line(httpx.ReadError("gone"))
    with pytest.raises(GatewayUnreachableError):
        Job(gate(line), ID).restart()
    assert len(line.asked) == 1


def test_a_refusal_says_what_the_gateway_says():
    line = Line(
        problem(422, detail="There is no queue x.", remedy="Use a or b.", code="UNKNOWN_QUEUE", attribute="queue"),
        problem(409, detail="Another job.", remedy="New key.", code="KEY_USED", differences=["count"]),
        problem(404, detail="No such job.", remedy="", code="JOB_UNKNOWN"),
    )
    with gate(line) as it:
        with pytest.raises(BadRequestError, match=r"There is no queue x\. Use a or b\. \[422 UNKNOWN_QUEUE\]") as e:
            it.submit("/bin/true")
        assert e.value.problem.attribute == "queue"
        with pytest.raises(ConflictError) as e:
            it.submit("/bin/true", idempotency_key="k")
        assert e.value.problem.differences == ["count"]
        with pytest.raises(NotFoundError):
            it.job(ID)


def test_a_limit_is_waited_for_as_the_gateway_asks_and_given_up_at_last(monkeypatch):
    slept = []
    monkeypatch.setattr("jobgate._sync.client.sleep", slept.append)
    refused = httpx.Response(429, headers={"Retry-After": "7"}, json={"limit": "maxJobs", "detail": "Too many."})
    line = Line(*[refused] * 3)
    with pytest.raises(TooManyError) as e:
        gate(line, retries=2).submit("/bin/true")
    assert slept == [7.0, 7.0]
    assert e.value.problem.limit == "maxJobs"


def test_waiting_goes_on_from_the_version_that_was_seen():
    line = Line(
        httpx.Response(200, json=job(1)),
        httpx.Response(200, json=job(3, "Active")),
        httpx.Response(200, json=job(4, "Done", exitCode=0)),
    )
    assert gate(line).job(ID).wait().succeeded
    assert [request.url.params.get("version") for request in line.asked] == [None, "1", "3"]


def test_a_wait_with_a_time_ends_with_the_state():
    line = Line(httpx.Response(200, json=job(1)))
    with pytest.raises(WaitTimeoutError, match="Pending"):
        gate(line).job(ID).wait(timeout=0)


def test_pages_are_fetched_as_they_are_needed():
    line = Line(
        httpx.Response(200, json={"jobs": [job()], "next": "c"}),
        httpx.Response(200, json={"jobs": [job(2)]}),
    )
    found = gate(line).jobs(final=False, state=["Active", "Pending"])
    next(found)
    assert len(line.asked) == 1
    assert [j.status.version for j in found] == [2]
    assert line.asked[1].url.params["cursor"] == "c"
    assert line.asked[1].url.params["state"] == "Active,Pending"
    assert line.asked[1].url.params["final"] == "false"


def test_output_is_followed_to_its_end_and_never_read_twice():
    line = Line(
        httpx.Response(404, json={"error": {"code": "NOT_FOUND", "sentence": "Not yet."}}),
        httpx.Response(200, json=job()),
        httpx.Response(206, content=b"one\n", headers={"Jobgate-File": "f"}),
        httpx.Response(204, headers={"Jobgate-File": "f"}),
        httpx.Response(206, content=b"two\n", headers={"Jobgate-File": "f", "Jobgate-Complete": "true"}),
    )
    assert b"".join(Job(gate(line), ID).follow_output()) == b"one\ntwo\n"
    asked = [r.headers["Range"] for r in line.asked if "Range" in r.headers]
    assert asked == ["bytes=0-", "bytes=0-", "bytes=4-", "bytes=4-"]
    assert line.asked[-1].headers["Jobgate-File"] == "f"


def test_events_go_on_after_a_broken_connection_behind_the_last_one():
    def change(n):
        text = {"job": ID, "version": n, "at": "2026-11-25T10:00:00Z", "to": "Active", "holding": False}
        return f"id: {n}\nevent: change\ndata: {json.dumps(text)}\n\n"

    kind = {"Content-Type": "text/event-stream"}
    line = Line(
        httpx.Response(200, headers=kind, content=change(1) + ": alive\n\n" + change(2)),
        httpx.ConnectError("gone"),
        httpx.Response(200, headers=kind, content=change(3)),
    )
    events = gate(line).events()
    assert [next(events).version for _ in range(3)] == [1, 2, 3]
    assert [r.headers.get("Last-Event-ID") for r in line.asked] == [None, "2", "2"]


def test_a_link_never_takes_a_token_to_another_server():
    it = Jobgate("https://ce.example", credential=Token("secret"), transport=httpx.MockTransport(Line()))
    for other in ("https://evil.example/x", "https://ce.example.evil.example/x", "https://ce.example@evil.example/"):
        with pytest.raises(JobgateError, match="not at the gateway"):
            it._request("GET", other)


def test_a_token_is_read_anew_for_each_request_and_never_shown(tmp_path):
    file = tmp_path / "token"
    line = Line(*[httpx.Response(200, json=job())] * 2)
    it = Jobgate("https://ce.example", credential=Token(file), transport=httpx.MockTransport(line))
    for text in ("first", "second"):
        file.write_text(text + "\n")
        it.job(ID)
    assert [r.headers["Authorization"] for r in line.asked] == ["Bearer first", "Bearer second"]
    assert "secret" not in repr(Token("secret"))


@pytest.mark.parametrize("url", ["", "ftp://x", "http://ce.example", "https://u:p@x", "https://x/other", "https://x?q"])
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(ValueError, match=r"."):
        _wire.base_url(url)


def test_names_of_files_are_encoded_once():
    assert _wire.file_path("a b/100%/ä\n") == "a%20b/100%25/%C3%A4%0A"
    assert _wire.file_path(b"caf\xe9") == "caf%E9"
    with pytest.raises(ValueError, match="no name"):
        _wire.segment("..")


@pytest.mark.parametrize("path", ["..", "../../../api/v1/jobs/x", "a/../b", "a/./b", b"a/..", "a/.."])
def test_no_path_leads_from_a_file_to_something_else(path):
    line = Line()
    for act in (Job(gate(line), ID).remove, gate(line).tree("home").remove):
        with pytest.raises(ValueError, match="no name"):
            act(path)
    assert line.asked == []


def moving(state="Active", **more):
    return {
        "id": ID, "state": state, "files": 2, "done": 1, "failed": 0, "bytes": 7, "created": "2026-11-27T10:00:00Z",
        "terminates": "2026-11-28T10:00:00Z", **more,
    }  # fmt: skip


def test_files_are_moved_once_though_the_answer_is_lost_and_waited_for_by_state():
    line = Line(
        httpx.ReadError("gone"),
        httpx.Response(201, json=moving("Pending")),
        httpx.Response(200, json=moving()),
        httpx.Response(200, json=moving("Failed", failure="there is no gsiftp://a/x")),
        httpx.Response(200, json=moving("Failed")),
        httpx.Response(204),
    )
    made = gate(line).transfer(
        [Transfer(source="gsiftp://a/x", destination="file:///tmp/x"), Transfer(source="a:b", destination="c:d")],
        options={"parallelStreams": "2"},
        credential="d1",
    )
    first, again = line.asked
    assert first.headers["Idempotency-Key"] == again.headers["Idempotency-Key"]
    assert json.loads(again.content) == {
        "files": [
            {"source": "gsiftp://a/x", "destination": "file:///tmp/x"},
            {"source": "a:b", "destination": "c:d"},
        ],
        "options": {"parallelStreams": "2"},
        "credential": "d1",
    }
    end = made.wait()
    assert (end.state, end.failure) == (TransferState.FAILED, "there is no gsiftp://a/x")
    assert [request.url.params["seen"] for request in line.asked[2:]] == ["Pending", "Active"]
    assert made.cancel().state is TransferState.FAILED
    made.delete()
    assert [(r.method, r.url.path) for r in line.asked[4:]] == [
        ("POST", f"/api/v1/transfers/{ID}/cancel"),
        ("DELETE", f"/api/v1/transfers/{ID}"),
    ]


def test_requests_to_move_files_are_listed_page_by_page_and_a_wait_for_one_ends():
    line = Line(
        httpx.Response(200, json={"transfers": [moving()], "next": "c"}),
        httpx.Response(200, json={"transfers": [moving("Done")]}),
        httpx.Response(200, json=moving()),
    )
    assert [t.status.state.value for t in gate(line).transfers()] == ["Active", "Done"]
    assert line.asked[1].url.params["cursor"] == "c"
    with pytest.raises(WaitTimeoutError, match="1 of 2 files"):
        gate(line).transfer_job(ID).wait(timeout=0)


def test_the_same_without_threads():
    line = Line(httpx.Response(201, json=job()), httpx.Response(200, json=job(2, "Done", exitCode=0)))

    async def run():
        async with AsyncJobgate("https://ce.example", credential=NONE, transport=httpx.MockTransport(line)) as it:
            made = await it.submit(JobRequest(executable="/bin/true"))
            return await made.wait(check=True)

    assert asyncio.run(run()).exit_code == 0


def test_bulk_answers_stand_in_the_order_of_the_request():
    line = Line(
        httpx.Response(
            200,
            json={
                "accepted": 1, "refused": 1,
                "results": [{"status": 422, "problem": {"status": 422}}, {"status": 201, "job": job()}],
            },
        )
    )  # fmt: skip
    refused, made = gate(line).submit_many([JobRequest(executable="x"), JobRequest(executable="y")])
    assert isinstance(refused, BadRequestError)
    assert made.id == ID
    assert "exitCode" in line.asked[0].url.params["fields"].split(",")
    keys = [item["idempotencyKey"] for item in json.loads(line.asked[0].content)["jobs"]]
    assert len(set(keys)) == 2


class Cut(httpx.SyncByteStream):
    def __iter__(self):
        yield b"0123"
        raise httpx.ReadError("gone")


def test_a_file_of_a_job_is_fetched_on_where_its_connection_broke(tmp_path):
    line = Line(
        httpx.Response(201, json=job()),
        httpx.Response(200, headers={"ETag": '"1"'}, stream=Cut()),
        httpx.ConnectError("down"),
        httpx.Response(206, headers={"ETag": '"1"'}, content=b"456"),
        httpx.Response(200, headers={"ETag": '"1"'}, stream=Cut()),
        httpx.Response(200, headers={"ETag": '"2"'}, content=b"another"),
        problem(404),
    )
    made = gate(line).submit({"executable": "/bin/true"})
    assert made.download("a", tmp_path / "a").read_bytes() == b"0123456"
    with made.open("a") as file:
        assert file.read() == b"another"
    asked = [(request.headers.get("Range"), request.headers.get("If-Range")) for request in line.asked[1:]]
    rest = ("bytes=4-", '"1"')
    assert asked == [(None, None), rest, rest, (None, None), rest]
    with pytest.raises(NotFoundError), made.open("absent"):
        pass
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]


def test_a_file_that_is_another_one_after_each_break_is_not_fetched_for_ever(tmp_path):
    cuts = [httpx.Response(200, headers={"ETag": f'"{i}"'}, stream=Cut()) for i in range(50)]
    line = Line(httpx.Response(201, json=job()), *cuts)
    made = gate(line).submit({"executable": "/bin/true"})
    with pytest.raises(GatewayUnreachableError, match="broke off"):
        made.download("a", tmp_path / "a")
    assert len(line.asked) < 20
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_which_only_the_end_was_lost_is_whole(tmp_path):
    line = Line(
        httpx.Response(201, json=job()),
        httpx.Response(200, headers={"ETag": '"1"'}, stream=Cut()),
        httpx.Response(416, headers={"Content-Range": "bytes */4"}),
    )
    made = gate(line).submit({"executable": "/bin/true"})
    assert made.download("a", tmp_path / "a").read_bytes() == b"0123"
