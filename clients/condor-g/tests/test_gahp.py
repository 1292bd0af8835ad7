# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""The GAHP's text protocol, its reading of HTCondor's ClassAds, and what it does with the gateway's answers."""

import http.client
import importlib.machinery
import importlib.util
import io
import os
import queue
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

PROGRAM = Path(__file__).resolve().parent.parent / "jobgate-gahp"
LOADER = importlib.machinery.SourceFileLoader("jobgate_gahp", str(PROGRAM))
gahp = importlib.util.module_from_spec(importlib.util.spec_from_loader("jobgate_gahp", LOADER))
LOADER.exec_module(gahp)

# What HTCondor 23.9.6 sent.
SUBMIT = (
    r'BLAH_JOB_SUBMIT 3 [\ In\ =\ "/dev/null";\ Cmd\ =\ "/home/griduser/run.sh";\ Err\ =\ "e.err";\ Iwd\ =\ "/home/griduser";'
    r'\ Out\ =\ "e.out";\ Queue\ =\ "q1";\ gridtype\ =\ "mygw3";\ Arguments\ =\ "x\ y'
    r"'\ 'z"
    r'";\ GPUNumber\ =\ 1;\ ClientJobId\ =\ "cid-7.0";\ Environment\ =\ "BAZ=q\ FOO=bar";\ BatchProject\ =\ "acct";'
    r'\ BatchRuntime\ =\ 600;\ JobDirectory\ =\ "home_bl_127.0.0.1_29618_vm.local.test_7.0_1795183984";\ RequestMemory\ =\ 100;'
    r'\ TransferInput\ =\ "data.txt";\ x509userproxy\ =\ "/tmp/x509up_u1000";\ TransferOutput\ =\ "result.txt"\ ]'
)


class Protocol(unittest.TestCase):
    def test_words_are_split_at_blanks_that_are_not_escaped(self):
        self.assertEqual(gahp.split_line(r"A b\ c d\\e  f"), ["A", "b c", "d\\e", "f"])
        self.assertEqual(gahp.split_line(""), [])

    def test_what_is_escaped_is_one_word_and_the_same(self):
        for text in ("a b", "back\\slash", "", " ", "ä  ö", "a\nb"):
            words = gahp.split_line("1 " + gahp.escape(text))
            self.assertEqual(words[1], text.replace("\n", " ") or " ")

    def test_a_captured_ad_is_read(self):
        ad = gahp.parse_ad(gahp.split_line(SUBMIT)[2])
        self.assertEqual(ad["cmd"], "/home/griduser/run.sh")
        self.assertEqual(ad["arguments"], "x y' 'z")
        self.assertEqual(ad["gpunumber"], 1)
        self.assertEqual(ad["jobdirectory"], "home_bl_127.0.0.1_29618_vm.local.test_7.0_1795183984")

    def test_strings_and_expressions_of_an_ad(self):
        ad = gahp.parse_ad('[ A = "q\\"; [x\\\\"; B = C == "a;b" && (D; E); F = true; G = -3 ]')
        self.assertEqual(ad, {"a": 'q"; [x\\', "b": 'C == "a;b" && (D; E)', "f": True, "g": -3})

    def test_an_ad_that_is_none_is_refused(self):
        for text in ("", "[", "A = 1", '[ A = "x ]', "[ = 1 ]", "[ A ]"):
            with self.assertRaises(gahp.Refused, msg=text):
                gahp.parse_ad(text)

    def test_what_is_written_is_read_again(self):
        ad = {"JobStatus": 4, "HoldReason": 'a "b" \\ c; d', "ExitBySignal": False}
        self.assertEqual(gahp.parse_ad(gahp.write_ad(ad)), {name.lower(): value for name, value in ad.items()})

    def test_arguments_in_quotes(self):
        self.assertEqual(gahp.split_arguments("a 'b c' d''e 'it''s' ''"), ["a", "b c", "de", "it's", ""])
        with self.assertRaises(gahp.Refused):
            gahp.split_arguments("a 'b")

    def test_the_options_of_the_submit_script(self):
        with tempfile.NamedTemporaryFile("w", suffix=".in") as files:
            files.write("/a\n/b\n")
            files.flush()
            ad = gahp.submit_options(
                ["-c", "/run.sh", "-w", "/w", "-D", "key", "-I", files.name, "-V", '"A=1 2" "B=\\"q\\""', "-s", "no", "--", "x y", "it's"]
            )
        self.assertEqual(gahp.submit_options(["-V", '"A=1 2"'])["environment"], "'A=1 2'")
        plan = gahp.Plan(ad)
        self.assertEqual(plan.request["arguments"], ["x y", "it's"])
        self.assertEqual(plan.request["environment"], {"A": "1 2", "B": '"q"'})
        self.assertEqual([name for name, _, _ in plan.uploads], ["a", "b"])
        self.assertEqual(plan.request["executable"], "/run.sh")


class Plans(unittest.TestCase):
    def plan(self, **more):
        ad = {"cmd": "/bin/sh", "iwd": "/w", "jobdirectory": "key", "out": "o", "err": "e"}
        ad.update(more)
        return gahp.Plan(ad)

    def test_a_captured_job(self):
        ad = gahp.parse_ad(gahp.split_line(SUBMIT)[2])
        with mock.patch("os.path.exists", return_value=True):
            plan = gahp.Plan(ad)
        self.assertEqual(
            plan.request,
            {
                "executable": "run.sh",
                "arguments": ["x", "y z"],
                "environment": {"BAZ": "q", "FOO": "bar"},
                "directory": plan.request["directory"],
                "keepSeconds": 604800,
                "stdout": "_condor_stdout",
                "stderr": "_condor_stderr",
                "queue": "q1",
                "project": "acct",
                "maxWallTimeSeconds": 600,
                "maxMemoryMiB": 100,
                "resources": {"gpus": 1},
                "holdAt": "StageIn",
                "holdAgain": "CleanUp",
            },
        )
        self.assertEqual(plan.uploads, [("run.sh", "/home/griduser/run.sh", True), ("data.txt", "/home/griduser/data.txt", None)])
        self.assertEqual(plan.fetches[-1], ("result.txt", "/home/griduser/result.txt"))

    def test_the_same_key_is_the_same_request(self):
        self.assertEqual(self.plan().request, self.plan().request)
        self.assertNotEqual(self.plan().request["directory"], self.plan(jobdirectory="other").request["directory"])

    def test_one_file_for_both_outputs(self):
        plan = self.plan(err="o")
        self.assertEqual(plan.request["stderr"], plan.request["stdout"])
        self.assertEqual(plan.fetches, [("_condor_stdout", "/w/o")])

    def test_a_job_without_files_is_not_held(self):
        plan = self.plan(out="/dev/null", err="/dev/null", stagecmd=False)
        self.assertNotIn("holdAt", plan.request)
        self.assertNotIn("directory", plan.request)

    def test_outputs_are_renamed(self):
        plan = self.plan(transferoutput="a,d/b", transferoutputremaps="a=/elsewhere/x;d/b=y")
        self.assertEqual(plan.fetches[2:], [("a", "/elsewhere/x"), ("d/b", "/w/y")])

    def test_little_memory_is_not_said(self):
        self.assertNotIn("maxMemoryMiB", self.plan(requestmemory=1).request)

    def test_what_cannot_be_had_is_refused(self):
        for more in (
            {"jobdirectory": ""},
            {"cmd": ""},
            {"transferinput": "https://x.example/a"},
            {"transferoutput": "../a"},
            {"transferoutput": "/etc/x"},
            {"cerequirements": "Memory > 1"},
            {"environment": "no equals sign"},
        ):
            with self.assertRaises(gahp.Refused, msg=str(more)):
                self.plan(**more)

    def test_the_old_syntax_has_no_quotes(self):
        plan = self.plan(args="a 'b c'", env="A=1 2;B='")
        self.assertEqual(plan.request["arguments"], ["a", "'b", "c'"])
        self.assertEqual(plan.request["environment"], {"A": "1 2", "B": "'"})

    def test_a_program_that_is_not_here_is_of_the_other_side(self):
        plan = self.plan(cmd="/no/such/program")
        self.assertEqual((plan.request["executable"], plan.uploads), ("/no/such/program", []))

    def test_a_file_that_is_not_there_is_named(self):
        with self.assertRaisesRegex(gahp.Refused, "/w/none"):
            self.plan(stagecmd=False, transferinput="none").check_files()


def http_answer(status, body, length=None):
    """What http.client makes of an answer; a longer length is that of one which was cut off."""
    head = "HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n" % (status, len(body) if length is None else length)
    answer = http.client.HTTPResponse(mock.Mock(makefile=lambda *_: io.BytesIO(head.encode() + body)))
    answer.begin()
    return answer


class FakeWire:
    """A gateway of one job."""

    def __init__(self):
        self.calls, self.job, self.files = [], {"id": "j1", "state": "Unsubmitted", "holding": False, "holdAt": "StageIn"}, {}

    def call(self, method, path, json_body=None, headers=None, body=None):
        self.calls.append((method, path.split("?")[0], (headers or {}).get("Idempotency-Key")))
        if path.endswith("/release"):
            self.job.update(holding=False, holdAt="CleanUp")
        if method == "GET" and path.startswith("/jobs/"):
            raise gahp.Refused("no such directory", 404)
        return 200, dict(self.job)

    def send(self, method, path, body=None, headers=None):
        name = path.rsplit("/", 1)[1]
        return http_answer(200 if name in self.files else 404, self.files.get(name, b""))

    def close(self):
        pass


class Jobs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.account = gahp.Account.__new__(gahp.Account)
        self.account.gateway = gahp.Settings("jobgate", {"url": "https://gw.example:8443"})
        self.account.records = gahp.Records(os.path.join(self.folder.name, "state"))
        self.account.lock, self.account.jobs, self.account.cancelled = threading.Lock(), {}, set()
        self.account.follow = lambda: None
        self.wire = FakeWire()
        Path(self.folder.name, "x").write_text("#!/bin/sh\n")
        self.ad = {"cmd": "x", "iwd": self.folder.name, "jobdirectory": "key", "out": "o", "err": "e"}

    def judged(self, **job):
        self.wire.job.update(job)
        return self.account.judged(self.wire, "j1", self.wire.job)

    def submit(self):
        return self.account.submit_now(self.wire, gahp.Plan(self.ad))

    def test_a_ping_needs_no_proxy_beside_those_of_the_jobs(self):
        told = []

        class Tasks:
            def put(inner, task):
                task(self.wire)

        self.account.work = mock.Mock(tasks=Tasks())

        def call(*_):
            raise gahp.Refused("Who are you?", 401)

        self.wire.call = call
        for is_known in (False, True):
            self.wire.speaks_for_somebody = lambda: is_known
            self.account.ping(lambda code, text: told.append((code, text)))
        self.assertEqual(told, [(0, "No error"), (1, "Who are you?")])

    def test_a_submission_brings_the_files_and_lets_the_job_go_on(self):
        handle = self.submit()
        self.assertRegex(handle, r"jobgate/\d{8}/j1")
        self.assertEqual(
            [call[:2] for call in self.wire.calls],
            [("POST", "/api/v1/jobs"), ("PUT", "/jobs/j1/files/"), ("PUT", "/jobs/j1/files/x"), ("POST", "/api/v1/jobs/j1/release")],
        )
        self.assertEqual(self.wire.calls[0][2], "key")

    def test_a_repeated_submission_of_a_running_job_brings_nothing(self):
        self.wire.job.update(state="Active", holdAt="CleanUp")
        self.submit()
        self.assertEqual(len(self.wire.calls), 1)

    def test_a_submission_after_a_cancellation_is_a_new_job(self):
        calls = []

        def call(method, path, json_body=None, headers=None, body=None):
            calls.append(headers["Idempotency-Key"])
            return 200, {"id": "j%d" % len(calls), "state": "Cancelled" if len(calls) == 1 else "Pending"}

        self.wire.call = call
        self.assertTrue(self.submit().endswith("/j2"))
        self.assertEqual(calls, ["key", "key#2"])

    def cancel(self):
        """Cancels the job at once, and answers what HTCondor is told."""
        told = []
        self.account.work = mock.Mock()
        self.account.work.tasks.put = lambda task: task(self.wire)
        with mock.patch.object(gahp, "log"):
            self.account.cancel("j1", lambda code, text: told.append((code, text)))
        return told

    def test_a_job_that_has_ended_is_not_cancelled_and_is_the_same_when_it_is_submitted_again(self):
        self.submit()
        self.wire.files = {"_condor_stdout": b"out", "_condor_stderr": b""}
        self.wire.job.update(state="CleanUp", holding=True, exitCode=3)
        call = self.wire.call

        def released(method, path, *more, **others):
            answer = call(method, path, *more, **others)
            if path.endswith("/release"):
                self.wire.job.update(state="Done")
            return answer

        self.wire.call = released
        self.assertEqual(self.cancel(), [(0, "No error")])
        self.assertFalse([one for one in self.wire.calls if one[1].endswith("/cancel") or one[0] == "DELETE" and one[1].startswith("/api")])
        self.assertEqual(Path(self.folder.name, "o").read_bytes(), b"out")
        self.wire.files = {}
        self.assertTrue(self.submit().endswith("/j1"))
        self.assertEqual([one[2] for one in self.wire.calls if one[:2] == ("POST", "/api/v1/jobs")], ["key", "key"])
        self.assertIn("ExitCode=3", self.account.jobs["j1"].status)

    def test_a_job_that_ended_before_it_could_be_cancelled_is_not_forgotten(self):
        self.submit()
        self.wire.files = {"_condor_stdout": b"out", "_condor_stderr": b""}
        self.wire.job.update(state="Active")
        call = self.wire.call

        def ended(method, path, *more, **others):
            if path.endswith("/cancel"):
                self.wire.job.update(state="Done", exitCode=3)
            return call(method, path, *more, **others)

        self.wire.call = ended
        self.assertEqual(self.cancel(), [(0, "No error")])
        self.assertNotIn(("DELETE", "/api/v1/jobs/j1"), [one[:2] for one in self.wire.calls])
        self.assertTrue(self.submit().endswith("/j1"))

    def test_a_job_that_could_not_run_and_was_given_up_is_followed_by_a_new_one(self):
        keys = []

        def call(method, path, json_body=None, headers=None, body=None):
            if method == "GET":
                raise gahp.Refused("There is no such job.", 404)
            keys.append(headers["Idempotency-Key"])
            return 200, {"id": "j%d" % len(keys), "state": "Failed" if len(keys) == 1 else "Pending"}

        self.wire.call = call
        self.assertTrue(self.submit().endswith("/j2"))
        self.assertEqual(keys, ["key", "key#2"])

    def test_the_output_is_fetched_before_the_job_is_cleaned_up(self):
        self.submit()
        self.wire.files = {"_condor_stdout": b"out", "_condor_stderr": b""}
        self.assertEqual(self.judged(state="CleanUp", holding=True), ({"JobStatus": gahp.RUNNING}, False))
        self.assertEqual(Path(self.folder.name, "o").read_bytes(), b"out")
        self.assertEqual(self.wire.calls[-1][1], "/api/v1/jobs/j1/release")

    def test_output_that_is_cut_off_is_neither_kept_nor_removed_on_the_other_side(self):
        self.submit()
        self.wire.send = lambda *_: http_answer(200, b"half", 10)
        with self.assertRaisesRegex(gahp.Unreachable, "_condor_stdout broke off: 6 bytes"):
            self.judged(state="CleanUp", holding=True)
        self.assertEqual(os.listdir(self.folder.name).count("o"), 0)
        self.assertNotIn("DELETE", [call[0] for call in self.wire.calls])

    def test_an_answer_that_is_cut_off_says_nothing(self):
        wire = gahp.Wire(self.account.gateway, None)
        wire.send = lambda *_: http_answer(200, b'{"state":', 30)
        with self.assertRaises(gahp.Unreachable):
            wire.call("GET", "/api/v1/jobs/j1")

    def test_output_that_was_fetched_is_not_missed_when_its_release_is_repeated(self):
        self.ad["transferoutput"] = "result"
        self.submit()
        self.wire.files = {"_condor_stdout": b"out", "_condor_stderr": b"", "result": b"r"}
        self.judged(state="CleanUp", holding=True)
        self.wire.files = {}  # it was emptied, and the release did not come through
        self.submit()  # nor did HTCondor hear that there is a job
        self.judged(state="CleanUp", holding=True)
        self.assertEqual(self.judged(state="Done", exitCode=0)[0]["JobStatus"], gahp.COMPLETED)

    def test_a_directory_of_more_than_one_page_is_fetched_whole(self):
        pages = {"": ({"kind": "file", "name": "a"}, "a"), "after=a": ({"kind": "file", "name": "b"}, None)}

        def call(method, path, *_, **__):
            entry, after = pages[path.partition("?")[2]]
            return 200, {"entries": [entry] * 10_001, "encodedNext": after}

        self.wire.call = call
        self.wire.files = {"a": b"1", "b": b"2"}
        self.account.fetch_one = mock.Mock()
        self.assertTrue(self.account.fetch_folder(self.wire, "j1", "d", os.path.join(self.folder.name, "d")))
        self.assertEqual({one.args[2] for one in self.account.fetch_one.call_args_list}, {"d/a", "d/b"})

    def test_a_poll_is_answered_also_where_the_notes_cannot_be_written(self):
        self.submit()
        self.wire.job.update(state="CleanUp", holding=True)
        self.account.records.write = mock.Mock(side_effect=OSError(28, "No space left on device"))
        job, answers = gahp.Job("j1"), []
        job.waiting.append(lambda *words: answers.append(words))
        with mock.patch.object(gahp, "log"):
            self.account.look_now(self.wire, job)
        self.assertEqual(answers[0][0], 1)
        self.assertIn("No space left", answers[0][1])

    def test_an_exit_code(self):
        status, is_over = self.judged(state="Done", exitCode=3, wallTimeSeconds=2.5)
        self.assertTrue(is_over)
        self.assertEqual(status, {"JobStatus": 4, "ExitBySignal": False, "ExitCode": 3, "RemoteWallClockTime": 2.5})

    def test_a_signal(self):
        status, _ = self.judged(state="Failed", exitCode=137, signal=9, fault={"code": "KILLED_BY_SIGNAL"})
        self.assertEqual((status["JobStatus"], status["ExitBySignal"], status["ExitSignal"]), (4, True, 9))

    def test_a_job_that_did_not_run_is_held_with_the_gateways_sentence(self):
        status, _ = self.judged(state="Failed", fault={"code": "LRM_REFUSED", "sentence": "The queue is closed.", "remedy": "Wait."})
        self.assertEqual(status, {"JobStatus": 5, "HoldReason": "The queue is closed. Wait."})

    def test_a_job_that_its_batch_system_broke_off_is_held_whatever_exit_code_is_told_of_it(self):
        preempted = {"code": "PREEMPTED", "sentence": "The LRM ended the job in favour of another.", "remedy": "Submit it again."}
        held = {"JobStatus": 5, "HoldReason": "The LRM ended the job in favour of another. Submit it again."}
        self.assertEqual(self.judged(state="Failed", exitCode=0, fault=preempted), (held, True))
        self.assertEqual(self.judged(state="Failed", exitCode=143, signal=15, fault=preempted), (held, True))
        preempted["code"] = "CANCELLED_BY_ADMINISTRATOR"
        self.assertEqual(self.judged(state="Cancelled", exitCode=0, signal=None, fault=preempted), (held, True))

    def test_a_job_that_its_batch_system_broke_off_is_given_up_when_it_is_cancelled_and_followed_by_a_new_one(self):
        self.wire.job.update(state="Failed", holdAt=None, exitCode=0, fault={"code": "PREEMPTED"})
        self.submit()
        self.assertEqual(self.cancel(), [(0, "No error")])
        self.assertIn(("DELETE", "/api/v1/jobs/j1"), [one[:2] for one in self.wire.calls])

        def call(method, path, json_body=None, headers=None, body=None):
            if method == "GET":
                raise gahp.Refused("There is no such job.", 404)
            return 200, dict(self.wire.job) if headers["Idempotency-Key"] == "key" else {"id": "j2", "state": "Pending"}

        self.account.cancelled = set()  # it is another run of this program
        self.wire.call = call
        self.assertTrue(self.submit().endswith("/j2"))

    def test_output_that_a_good_job_has_not_written_is_named(self):
        self.ad["transferoutput"] = "result"
        self.submit()
        self.wire.files = {"_condor_stdout": b"", "_condor_stderr": b""}
        status, _ = self.judged(state="Done", exitCode=0)
        self.assertEqual(status["JobStatus"], 5)
        self.assertIn("result", status["HoldReason"])

    def test_a_cancelled_job(self):
        self.assertEqual(self.judged(state="Cancelled")[0], {"JobStatus": 3})

    def test_waiting_and_running(self):
        self.assertEqual(self.judged(state="Pending", holding=False)[0], {"JobStatus": 1})
        self.assertEqual(self.judged(state="Active", holding=False)[0], {"JobStatus": 2})


    def test_submissions_that_the_gateway_puts_off_leave_the_workers_to_what_frees_its_quota(self):
        answers, calls = queue.Queue(), []
        self.account.delegated = lambda *_: None

        class Full(FakeWire):
            def call(wire, method, path, *_, **__):
                calls.append(path)
                if path == "/api/v1/whoami":
                    return 200, {"maySubmit": True}
                raise gahp.Unreachable("You have too many jobs.")

        with mock.patch.object(gahp, "Wire", lambda *_: Full()), mock.patch.object(gahp, "PATIENCE", 3.0):
            self.account.work = gahp.Work(self.account.gateway, None)
            for _ in range(gahp.WORKERS + 1):
                self.account.submit(self.ad, lambda *words: answers.put(words))
            self.account.ping(lambda *words: answers.put(words))
            self.assertEqual(answers.get(timeout=60), (0, "No error"))
            for _ in range(gahp.WORKERS + 1):
                self.assertEqual(answers.get(timeout=60), (1, "You have too many jobs.", "N/A"))
        self.assertGreater(calls.count("/api/v1/jobs"), gahp.WORKERS + 1)  # each was tried again

    def finish(self, refusal):
        """Cancels a job that has ended, whose output cannot be had; answers the pauses, and how often the gateway was asked."""
        self.submit()
        self.wire.job.update(state="Done", exitCode=0)
        self.wire.send = mock.Mock(side_effect=refusal)
        now, pauses = [0.0], []

        def sleep(seconds):
            pauses.append(seconds)
            now[0] += seconds

        with mock.patch.object(gahp.time, "sleep", sleep), mock.patch.object(gahp.time, "monotonic", lambda: now[0]):
            with mock.patch.object(gahp.threading, "Timer") as timer:
                self.assertEqual(self.cancel(), [(0, "No error")])
        timer.assert_not_called()
        self.assertIsNone(self.account.jobs["j1"].status)  # the next poll asks again
        return pauses

    def test_output_that_is_refused_is_asked_for_once(self):
        self.assertEqual(self.finish(gahp.Refused("Your disk is full.", 403)), [])

    def test_a_gateway_that_is_away_is_asked_for_output_more_and_more_seldom(self):
        pauses = self.finish(gahp.Unreachable("away"))
        self.assertEqual(pauses[:4], [0.2, 0.4, 0.8, 1.6])
        self.assertLess(len(pauses), 15)

    def test_a_job_is_looked_at_again_by_one_timer_however_often_it_could_not_be(self):
        self.account.jobs["j1"] = gahp.Job("j1")
        self.account.work = mock.Mock()
        self.account.work.tasks.put = lambda task: task(self.wire)
        self.wire.call = mock.Mock(side_effect=gahp.Unreachable("away"))
        self.account.look("j1")
        self.account.look("j1")
        self.assertEqual(self.account.work.later.call_count, 1)
        self.account.work.later.call_args.args[1](self.wire)
        self.assertEqual(self.account.work.later.call_count, 2)

    def test_htcondor_is_answered_also_where_a_cancellation_or_a_renewal_fails_unexpectedly(self):
        self.wire.call = mock.Mock(side_effect=OSError(28, "No space left on device"))
        told = self.cancel()
        self.account.records.read = lambda _: {"credential": "c"}
        self.account.delegated = self.wire.call
        self.account.renew("j1", lambda code, text: told.append((code, text)))
        self.assertEqual([code for code, _ in told], [1, 1])
        for _, text in told:
            self.assertIn("No space left", text)

    def test_an_older_answer_never_comes_after_a_newer_one(self):
        job = gahp.Job("j1")
        self.account.jobs["j1"] = job
        queued = []
        self.account.work = mock.Mock()
        self.account.work.tasks.put = queued.append
        self.wire.job.update(state="Active", holdAt=None)
        self.account.look("j1")
        self.account.look("j1")
        self.assertEqual(len(queued), 1)
        queued.pop()(self.wire)
        self.assertEqual(len(queued), 0)  # the change came before the gateway was asked
        self.account.look("j1")

        def changes_meanwhile(method, path, *more, **others):
            self.account.look("j1")
            return 200, {"id": "j1", "state": "Active"}

        self.wire.call = changes_meanwhile
        queued.pop()(self.wire)
        self.assertEqual(len(queued), 1)  # it is looked at once more


class Conversation(unittest.TestCase):
    def talk(self, *lines):
        out = io.StringIO()
        with tempfile.TemporaryDirectory() as state:
            gahp.Gahp(out, gahp.Records(state)).run(iter(line + "\r\n" for line in lines))
            time.sleep(0.05)
        return out.getvalue().split("\r\n")[1:-1]

    def test_commands_that_are_answered_at_once(self):
        said = self.talk("COMMANDS", "RESPONSE_PREFIX GAHP:", "ASYNC_MODE_ON", "NONSENSE", "RESULTS", "QUIT", "COMMANDS")
        self.assertEqual(said[1:], ["S", "GAHP:S", "GAHP:E", "GAHP:S 0", "GAHP:S"])
        self.assertIn("BLAH_JOB_SUBMIT", said[0].split())

    def test_a_failure_is_a_result_that_is_announced_once(self):
        os.environ.pop("JOBGATE_URL", None)
        os.environ["JOBGATE_GAHP_CONFIG"] = "/dev/null"
        said = self.talk("ASYNC_MODE_ON", "BLAH_PING 2 none", "BLAH_JOB_CANCEL 3 x", "RESULTS", "RESULTS")
        self.assertEqual(said[:5], ["S", "S", "R", "S", "S 2"])
        self.assertTrue(said[5].startswith("2 1 No\\ gateway\\ is\\ known"))
        self.assertTrue(said[6].startswith("3 1 x\\ is\\ no\\ job"))
        self.assertEqual(said[7], "S 0")

    def test_events_of_a_stream(self):
        lines = [b": hello\n", b"event: ready\n", b"id: 5\n", b"\n", b"event: change\r\n", b'data: {"job":"x"}\r\n', b"\r\n", b"event: cut"]
        self.assertEqual(list(gahp.events(lines)), [{"event": "ready", "id": "5"}, {"event": "change", "data": '{"job":"x"}'}])


if __name__ == "__main__":
    unittest.main()
