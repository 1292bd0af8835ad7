# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests share: a directory of one's own, configuration files, wrappers that run, servers on this machine."""

import functools
import hashlib
import http.server
import io
import os
import shutil
import signal
import socketserver
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "..", ".."))
SOURCES = os.path.join(ROOT, "clients", "skeletonkey", "src", "main", "python")
sys.path.insert(0, SOURCES)
TOOL = os.path.join(ROOT, "bin", "skeleton_key")
CONTROL = os.path.join(ROOT, "bin", "chirp_control")
SHELLS = [shell for shell in ("dash", "bash", "busybox") if shutil.which(shell)]


class Room(unittest.TestCase):
    """A test with a directory of its own, in which nothing may be left of a wrapper."""

    def setUp(self):
        self.room = tempfile.mkdtemp(prefix="sk test ")
        os.chmod(self.room, 0o755)
        self.addCleanup(shutil.rmtree, self.room, True)
        self.scratch = self.path("scratch")
        os.mkdir(self.scratch)
        os.mkdir(self.path("bin"))
        self.environment = {"PATH": self.path("bin") + ":/usr/bin:/bin", "HOME": self.room, "TMPDIR": self.scratch, "SKELETON_KEY_PAUSE": "0", "LC_ALL": "C.UTF-8"}

    def path(self, *names):
        return os.path.join(self.room, *names)

    def file(self, name, content, mode=0o644):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"))
        os.chmod(path, mode)
        return path

    def program(self, name, text, shell="/bin/sh"):
        return self.file("bin/" + name, f"#!{shell}\n{text}\n", 0o755)

    def command(self, words, **more):
        more.setdefault("env", self.environment)
        more.setdefault("cwd", self.room)
        more.setdefault("timeout", 400)
        more.setdefault("stdin", subprocess.DEVNULL)
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
        done.out = done.stdout.decode("utf-8", "surrogateescape")
        done.err = done.stderr.decode("utf-8", "surrogateescape")
        return done

    def as_owner(self, words):
        """Runs a command as the user who makes wrappers."""
        return self.command(words)

    def make(self, ini, name="job", *options):
        """A wrapper of this configuration."""
        config = self.file(name + ".ini", ini)
        done = self.as_owner([TOOL, "-c", config, "-o", self.path(name), *options])
        self.assertEqual(0, done.returncode, done.err)
        return self.path(name)

    def refused(self, ini, *options):
        """What the tool says against this configuration; it must write nothing."""
        config = self.file("bad.ini", ini)
        done = self.command([TOOL, "-c", config, "-o", self.path("never"), *options])
        self.assertEqual(1, done.returncode, done.err)
        self.assertFalse(os.path.exists(self.path("never")))
        return done.err

    def run_wrapper(self, wrapper, *arguments, shell=None, **more):
        words = [wrapper, *arguments]
        if shell:
            words = (["busybox", "sh"] if shell == "busybox" else [shell]) + words
        done = self.command(words, **more)
        self.assertEqual([], os.listdir(self.scratch), "a wrapper left something behind; it said: " + done.err)
        return done

    def start_wrapper(self, wrapper, *arguments):
        """A wrapper in the background; the test ends it. It gets its signals also where the tests were started by nohup, whose children ignore HUP."""
        process = subprocess.Popen(
            [wrapper, *arguments], env=self.environment, cwd=self.room, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            preexec_fn=lambda: [signal.signal(name, signal.SIG_DFL) for name in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)])
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def wait_until(self, what, condition, seconds=240):
        until = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > until:
                self.fail(f"not within {seconds} s: {what}")
            time.sleep(0.05)

    def archive(self, name="app.tar.gz", **files):
        """A tar archive with these files, executable; (its path, its SHA-256)."""
        data = io.BytesIO()
        with tarfile.open(fileobj=data, mode="w:gz") as archive:
            for file, text in files.items():
                member = tarfile.TarInfo(file.replace("__", "/"))
                member.size, member.mode = len(text.encode()), 0o755
                archive.addfile(member, io.BytesIO(text.encode()))
        return self.file(name, data.getvalue()), hashlib.sha256(data.getvalue()).hexdigest()


class Answers(http.server.BaseHTTPRequestHandler):
    """Serves files of a directory, or whatever `answer` says; as a proxy too, where the request line has the whole URL."""

    def do_GET(self):
        self.server.asked.append(self.path)
        status, body = self.server.answer(self.path, self.headers)
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingTCPServer):
    """An HTTP server on a port of its own, until the test ends."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, test, answer):
        super().__init__(("127.0.0.1", 0), Answers)
        self.answer, self.asked = answer, []
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=functools.partial(self.serve_forever, 0.05), daemon=True).start()
        test.addCleanup(self.server_close)
        test.addCleanup(self.shutdown)

    @staticmethod
    def of(test, **bodies):
        """A server with these files at /NAME; what is not there is 404."""
        return Server(test, lambda path, _: (200, bodies[path[1:]]) if path[1:] in bodies else (404, b"not here"))


def gone(pid):
    """Whether a process has ended (one that nobody has waited for counts as ended)."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def end(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
