# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""The account's own Chirp server: its files below ~/.chirp, its rights, its tickets.

Everything is done by the programs of the Cooperative Computing Tools (chirp_server, chirp); data goes unencrypted, a ticket's key never does.
"""

import os
import pwd
import re
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass

from . import Mistake

TICKET_BITS = 2048
_ANSWER_SECONDS = 20


def directory():
    """Where the files of the server are: ~/.chirp, as ever, or what SKELETON_KEY_CHIRP_DIR names."""
    return os.environ.get("SKELETON_KEY_CHIRP_DIR") or os.path.join(os.path.expanduser("~"), ".chirp")


def account():
    """The name under which the server knows this account."""
    return "unix:" + pwd.getpwuid(os.getuid()).pw_name


def options():
    """The NAME=VALUE lines of chirp_options: EXPORT_DIR, CHIRP_HOST, CCTOOLS_BINDIR."""
    found = {}
    path = os.path.join(directory(), "chirp_options")
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            for number, line in enumerate(file, 1):
                name, mark, value = line.strip().partition("=")
                if mark and not name.startswith("#"):
                    found[name.strip()] = value.strip().strip("\"'")
                elif line.strip() and not line.startswith("#"):
                    raise Mistake(f"{path}, line {number}: no NAME=VALUE: {line.strip()[:60]}")
    except FileNotFoundError:
        pass
    except OSError as error:
        raise Mistake(f"cannot read {path}: {error.strerror}") from None
    return found


def program(name):
    """The path of a program of the Cooperative Computing Tools."""
    place = options().get("CCTOOLS_BINDIR")
    found = shutil.which(name, path=place) if place else shutil.which(name)
    if not found:
        where = f"in {place} (CCTOOLS_BINDIR in {directory()}/chirp_options)" if place else "on PATH"
        raise Mistake(f"there is no {name} {where}; on Debian: apt-get install coop-computing-tools")
    return found


def environment():
    """What the programs run with: no catalog far away is asked or told anything."""
    return dict(os.environ, CATALOG_HOST="127.0.0.1")


@dataclass
class Server:
    """A Chirp server of this account that answers at HOST:PORT."""

    host: str
    port: int

    @property
    def address(self):
        return f"{self.host}:{self.port}"

    def ask(self, *words):
        """Runs one command of the program chirp as this account; (exit status, what it said)."""
        command = [program("chirp"), "-a", "unix", "-t", "10", self.address, *words]
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment(), timeout=_ANSWER_SECONDS
            )
        except subprocess.TimeoutExpired:
            return 124, f"no answer within {_ANSWER_SECONDS} s"
        return done.returncode, done.stdout.decode("utf-8", "surrogateescape").strip()

    def told(self, *words):
        status, said = self.ask(*words)
        if status:
            raise Mistake(f"the Chirp server at {self.address} refused '{' '.join(words)}': {said}")
        return said

    def answers(self):
        """Whether it is there and knows this account."""
        return self.ask("whoami") == (0, account())

    def rights(self, path):
        """Who may do what in a directory: {subject: letters}."""
        found = {}
        for line in self.told("getacl", path).splitlines():
            subject, _, letters = line.rpartition(" ")
            if subject:
                found[subject] = letters
        return found

    def ensure(self, path, needed):
        """Gives this account the rights that a ticket is to pass on, where it lacks them; the letters added.

        A directory without rights of its own has those of the server, which are the owner's; it gets none that would be less.
        """
        have = self.rights(path).get(account(), "")
        missing = "".join(letter for letter in needed if letter not in have)
        if missing:
            self.told("setacl", path, account(), have + missing)
        return missing

    def ticket(self, file, seconds, directories):
        """Makes a ticket, {path: rights}, in a new file; when it ends, in seconds of the epoch."""
        began = int(time.time())
        words = [word for path, rights in directories.items() for word in (path, rights)]
        said = self.told("ticket_create", "-output", file, "-bits", str(TICKET_BITS), "-duration", str(seconds), *words)
        os.chmod(file, 0o600)
        with open(file, encoding="utf-8", errors="surrogateescape") as opened:
            text = opened.read()
        if "PRIVATE KEY-----" not in text or not re.search(r"Registered with ", text):
            raise Mistake(f"the Chirp server at {self.address} made no ticket: {said}")
        for path, rights in directories.items():
            if f"directory = '{path}' mask = '{rights}'" not in text:
                raise Mistake(f"the ticket was not given '{rights}' for {path}: {said}")
        return began + seconds


def running():
    """The server that chirp_control started, if it answers; else None."""
    path = os.path.join(directory(), "chirp.port")
    try:
        with open(path, encoding="ascii") as file:
            text = file.read(100).strip()
    except (OSError, ValueError):
        return None
    host, _, port = text.rpartition(":")
    if not port.isdigit() or not 0 < int(port) < 65536:
        return None
    server = Server(host or options().get("CHIRP_HOST") or own_host()[0], int(port))
    return server if server.answers() else None


def own_host():
    """A name or address of this machine that other machines can reach, and how it was found."""
    name = socket.getfqdn()
    try:
        addresses = {info[4][0] for info in socket.getaddrinfo(name, None, socket.AF_INET)}
    except OSError:
        addresses = set()
    if addresses and not any(address.startswith("127.") for address in addresses):
        return name, "the name of this machine"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # sends nothing: asks the kernel from which address it would send
            probe.connect(("192.0.2.1", 9))
            address = probe.getsockname()[0]
        except OSError:
            address = "127.0.0.1"
    if address.startswith("127.") or address == "0.0.0.0":
        return "127.0.0.1", "this machine has no other address: only jobs on it can reach the server"
    return address, f"the address towards other networks, since the name {name} leads to this machine only"


def inside(export, base):
    """The path of base below the export, '' for the export itself; a Mistake where it is outside."""
    export, base = os.path.realpath(export), os.path.realpath(base)
    if base == export:
        return ""
    if not base.startswith(export.rstrip("/") + "/"):
        raise Mistake(f"[Directories] export_base {base} is outside of what the Chirp server exports, which is {export}; chirp_control export {base} changes that")
    return base[len(export.rstrip("/")):]
