# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""The keys of a configuration file, what they may be, and all that is wrong with them, each with its line."""

import difflib
import os
import posixpath
import re
import shlex
import stat
from dataclasses import dataclass, field

from . import Mistake, ini

KEYS = {
    "Application": ("script", "location", "location_sha256", "arguments", "http_proxy", "user_proxy"),
    "Directories": ("export_base", "chirp_base", "read", "write", "fetch", "access", "write_rights", "ticket_lifetime", "ticket", "server"),
    "CVMFS": ("repo1", "repo1_key", "repo1_key_sha256", "repo1_options"),
    "Parrot": ("location", "location_sha256"),
}
WAYS = ("parrot", "fuse", "copy")
MOST_REPOSITORIES = 100
MOST_DIRECTORIES = 100
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_REPOSITORY_KEY = re.compile(r"repo([1-9][0-9]*)(|_key|_key_sha256|_options)\Z")


@dataclass
class Repository:
    """A CVMFS repository: its name, the address of its public key, and parrot's options for it without the key."""

    name: str
    key_url: str
    key_sha256: str
    key_file: str
    options: str


@dataclass
class Settings:
    """What a configuration file says, checked. Paths in read, write and fetch begin with a slash and are below export_base."""

    script: str = ""
    location: str = ""
    location_sha256: str = ""
    arguments: list = field(default_factory=list)
    http_proxy: str = ""
    user_proxy: str = ""
    export_base: str = ""
    read: list = field(default_factory=list)
    write: list = field(default_factory=list)
    fetch: list = field(default_factory=list)
    access: tuple = WAYS
    write_rights: str = "rwld"
    ticket_lifetime: int = 86400
    of_gateway: bool = False
    server: str = ""
    repositories: list = field(default_factory=list)
    parrot: str = ""
    parrot_sha256: str = ""
    warnings: list = field(default_factory=list)


class _Checker:
    def __init__(self, path):
        self.path = path
        self.sections, self.begun = ini.read(path)
        self.problems = []
        self.settings = Settings()

    def problem(self, section, key, text, line=None):
        value = self.sections.get(section, {}).get(key)
        line = value.line if value else line or self.begun.get(section)
        place = f"{self.path}, line {line}" if line else self.path
        self.problems.append(f"{place}: [{section}] {key}: {text}" if key else f"{place}: {text}")

    def text(self, section, key):
        value = self.sections.get(section, {}).get(key)
        return value.text if value else ""

    def names(self):
        for section, keys in self.sections.items():
            if section not in KEYS:
                self.problem("", "", f"there is no section [{ini.shown(section)}]{_nearest(section, KEYS)}", self.begun[section])
                continue
            for key in keys:
                if key not in KEYS[section] and not (section == "CVMFS" and _REPOSITORY_KEY.match(key)):
                    self.problem(section, key, f"there is no such key{_nearest(key, KEYS[section])}")
                elif "\0" in keys[key].text:
                    self.problem(section, key, "a NUL byte cannot be part of it")

    def application(self):
        if "Application" not in self.sections:
            self.problem("", "", "the section [Application] is missing; it needs at least: script = PROGRAM")
            return
        found = self.settings
        found.script = self.text("Application", "script")
        if not found.script:
            self.problem("Application", "script", "must be given: the program to run, such as ./myapp/run.sh in the archive, or a command of the node")
        elif found.script.startswith("-"):
            self.problem("Application", "script", "a program's name cannot begin with '-'")
        elif ".." in found.script.split("/"):
            self.problem("Application", "script", "'..' leads out of the working directory")
        found.location = self.url("Application", "location", ("http", "https", "file"))
        found.location_sha256 = self.sha256("Application", "location_sha256", found.location)
        try:
            found.arguments = shlex.split(self.text("Application", "arguments"))
        except ValueError as error:
            self.problem("Application", "arguments", f"{str(error).lower()}: each quote needs a second one; \\\" is a quote itself")
        if " ;" in self.text("Application", "arguments"):
            found.warnings.append("[Application] arguments: ' ;' is part of the arguments; in SkeletonKey 0.10 it began a comment")
        found.http_proxy = self.proxy()
        found.user_proxy = self.user_proxy()

    def url(self, section, key, schemes):
        text = self.text(section, key)
        if not text or text == '""':
            return ""
        match = re.match(r"([a-z]+)://([^/\s]*)(/\S*)?\Z", text)
        if not match or match.group(1) not in schemes or (not match.group(2)) == (match.group(1) != "file"):
            self.problem(section, key, f"is no URL of the form {' or '.join(s + ('://HOST/PATH' if s != 'file' else ':///PATH') for s in schemes)}: {ini.shown(text)}")
            return ""
        if "@" in match.group(2):
            self.problem(section, key, "a name or password in a URL would be readable by everybody on the node; leave it out")
            return ""
        return text

    def sha256(self, section, key, of):
        text = self.text(section, key)
        if not text:
            return ""
        if not re.match(r"[0-9a-fA-F]{64}\Z", text):
            self.problem(section, key, f"is no SHA-256, which has 64 digits of 0-9 and a-f (sha256sum prints it): {ini.shown(text)}")
            return ""
        if not of:
            self.problem(section, key, f"is the checksum of nothing: there is no {key[: -len('_sha256')]}")
        return text.lower()

    def proxy(self):
        text = self.text("Application", "http_proxy")
        if not text:
            return ""
        match = re.match(r"(?:https?://)?([A-Za-z0-9._-]+|\[[0-9A-Fa-f:]+\]):([0-9]{1,5})/?\Z", text)
        if not match or not 0 < int(match.group(2)) < 65536:
            self.problem("Application", "http_proxy", f"is no proxy of the form http://HOST:PORT: {ini.shown(text)}")
            return ""
        return text if "://" in text else "http://" + text

    def user_proxy(self):
        text = self.text("Application", "user_proxy")
        if not text:
            return ""
        path = f"/tmp/x509up_u{os.getuid()}" if text == "DEFAULT" else os.path.expanduser(text)
        try:
            with open(path, "rb") as file:
                found, data = os.fstat(file.fileno()), file.read((1 << 18) + 1)
        except OSError as error:
            self.problem("Application", "user_proxy", f"cannot read the proxy {path}: {error.strerror}")
            return ""
        if found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077:
            self.problem("Application", "user_proxy", f"{path} must be yours and readable by you alone: chmod 600 {shlex.quote(path)}")
        elif len(data) > 1 << 18 or b"-----BEGIN CERTIFICATE-----" not in data or b"PRIVATE KEY-----" not in data:
            self.problem("Application", "user_proxy", f"{path} is no proxy: it must hold a certificate and its key (PEM)")
        return path

    def directories(self):
        if "Directories" not in self.sections:
            return
        found = self.settings
        if self.gateway_ticket():
            self.ways()
            return
        old, new = self.text("Directories", "chirp_base"), self.text("Directories", "export_base")
        if old and new:
            self.problem("Directories", "chirp_base", "is the older name of export_base, which is there too; leave one out")
        key = "chirp_base" if old and not new else "export_base"
        base = os.path.expanduser(new or old)
        if not base:
            self.problem("Directories", "export_base", "must be given: the directory that chirp_control exports, or one below it")
        elif not os.path.isabs(base):
            self.problem("Directories", key, f"must begin with a slash: {ini.shown(base)}")
        elif not os.path.isdir(base):
            self.problem("Directories", key, f"{base} is no directory of this machine")
        else:
            found.export_base = os.path.realpath(base)
        self.ways()
        if self.text("Directories", "write_rights"):
            found.write_rights = self.text("Directories", "write_rights")
            if not re.match(r"[rwldp]+\Z", found.write_rights) or "w" not in found.write_rights:
                self.problem("Directories", "write_rights", "must be some of r (read), w (write), l (list), d (delete, rename), p (add only), with w among them")
        if "ticket_lifetime" in self.sections["Directories"]:
            found.ticket_lifetime = self.duration("ticket_lifetime")

    def ways(self):
        """What is to be reached, and the ways to it."""
        found = self.settings
        found.read = self.paths("read", directories=True)
        found.write = self.paths("write", directories=True)
        if not found.read and not found.write and not self.problems:
            self.problem("Directories", "", "[Directories] names neither read nor write")
        found.fetch = self.paths("fetch", directories=False)
        for path in found.fetch:
            if not any(path == d or path.startswith(d.rstrip("/") + "/") for d in found.read + found.write):
                self.problem("Directories", "fetch", f"{path} is in none of the directories of read and write")
        if "access" in self.sections["Directories"]:
            found.access = tuple(_listed(self.text("Directories", "access")))
            for way in found.access:
                if way not in WAYS:
                    self.problem("Directories", "access", f"there is no way '{ini.shown(way)}'{_nearest(way, WAYS)}; there are: {', '.join(WAYS)}")
            if not found.access:
                self.problem("Directories", "access", f"names no way; there are: {', '.join(WAYS)}")

    def gateway_ticket(self):
        """Whether the gateway makes the ticket, to a server of its site."""
        found = self.settings
        text = self.text("Directories", "ticket")
        if not text:
            if self.text("Directories", "server"):
                self.problem("Directories", "server", "goes with ticket = gateway; chirp_control finds your own server")
            return False
        if text != "gateway":
            self.problem("Directories", "ticket", f"must be gateway, or not there: {ini.shown(text)}")
        for key in ("export_base", "chirp_base", "write_rights", "ticket_lifetime"):
            if key in self.sections["Directories"]:
                self.problem("Directories", key, "is of a server of yours, and with ticket = gateway the server is the site's; leave it out")
        found.of_gateway = True
        found.server = self.text("Directories", "server")
        if found.server and not re.match(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z", found.server):
            self.problem("Directories", "server", f"is no name of a server: {ini.shown(found.server)}")
        return True

    def paths(self, key, directories):
        result = []
        for text in _listed(self.text("Directories", key)):
            path = posixpath.normpath("/" + text.lstrip("/"))
            if ".." in text.split("/"):
                self.problem("Directories", key, f"'{ini.shown(text)}' leads out of export_base by '..'")
            elif any(not 32 <= ord(c) < 127 for c in text):
                # Debian's tools turn every byte beyond ASCII into the same one
                self.problem("Directories", key, f"'{ini.shown(text)}' has a character beyond ASCII, or a control character, which Chirp's tools cannot carry")
            elif self.settings.of_gateway:
                if not re.match(r"/[A-Za-z0-9._+=@,:/-]{0,1023}\Z", path):
                    self.problem("Directories", key, f"'{ini.shown(text)}' has a character that a ticket of a gateway cannot name; letters, digits and . _ + = @ , : / - are possible")
                elif path not in result:
                    result.append(path)
            elif self.settings.export_base:
                here = os.path.realpath(self.settings.export_base + path)
                base = self.settings.export_base.rstrip("/") + "/"
                if not (here + "/").startswith(base):
                    self.problem("Directories", key, f"{path} is a link that leads out of export_base ({base[:-1] or '/'}), to {here}")
                elif directories and not os.path.isdir(here):
                    self.problem("Directories", key, f"there is no directory {here}")
                elif not os.path.exists(here):
                    self.problem("Directories", key, f"there is no {here}")
                elif path not in result:
                    result.append(path)
        if len(result) > MOST_DIRECTORIES:
            self.problem("Directories", key, f"names {len(result)}, and {MOST_DIRECTORIES} are the most")
        return result

    def duration(self, key):
        text = self.text("Directories", key)
        match = re.match(r"([1-9][0-9]{0,8})\s*([smhd]?)\Z", text)
        seconds = int(match.group(1)) * _UNITS[match.group(2) or "s"] if match else 0
        if not 60 <= seconds <= 366 * 86400:
            self.problem("Directories", key, f"must be a time from 60s to 366d, such as 24h: {ini.shown(text)}")
        return seconds

    def cvmfs(self):
        if "CVMFS" not in self.sections:
            return
        numbers = sorted({int(m.group(1)) for m in map(_REPOSITORY_KEY.match, self.sections["CVMFS"]) if m})
        if not numbers:
            self.problem("CVMFS", "", "[CVMFS] names no repository; it needs: repo1, repo1_key and repo1_options")
        if len(numbers) > MOST_REPOSITORIES:
            self.problem("CVMFS", "", f"[CVMFS] names {len(numbers)} repositories, and {MOST_REPOSITORIES} are the most")
            return
        for expected, number in enumerate(numbers, 1):
            if number != expected:
                self.problem("CVMFS", f"repo{number}", f"the numbers must follow one another from 1: there is no repo{expected}")
                return
            self.repository(f"repo{number}")
        files = [repository.key_file for repository in self.settings.repositories]
        for name in sorted({name for name in files if files.count(name) > 1}):
            urls = {repository.key_url for repository in self.settings.repositories if repository.key_file == name}
            if len(urls) > 1:
                self.problem("CVMFS", "", f"two keys of repositories have the same file name {name}; they would overwrite each other")

    def repository(self, key):
        name = self.text("CVMFS", key)
        if not re.match(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z", name):
            self.problem("CVMFS", key, f"is no name of a repository, such as atlas.example.org: {ini.shown(name) or '(nothing)'}")
        url = self.url("CVMFS", key + "_key", ("http", "https", "file"))
        if not url and not self.text("CVMFS", key + "_key"):
            self.problem("CVMFS", key + "_key", "must be given: the URL of the repository's public key")
        options = self.text("CVMFS", key + "_options")
        if not options:
            self.problem("CVMFS", key + "_options", "must be given: url=...,pubkey=...,proxies=...,quota_limit=...")
        parts = [part.strip() for part in options.split(",") if part.strip()]
        for part in parts:
            if "=" not in part or " " in part:
                self.problem("CVMFS", key + "_options", f"'{ini.shown(part)}' is no NAME=VALUE without blanks")
        if options and not any(part.startswith("url=") for part in parts):
            self.problem("CVMFS", key + "_options", "has no url=, the address of the repository's server")
        file = posixpath.basename(url)
        if url and not re.match(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z", file):
            self.problem("CVMFS", key + "_key", f"the last part of the URL is to be a file name: {ini.shown(url)}")
        kept = ",".join(part for part in parts if not part.startswith("pubkey="))
        checksum = self.sha256("CVMFS", key + "_key_sha256", url)
        self.settings.repositories.append(Repository(name, url, checksum, file, kept))

    def parrot(self):
        self.settings.parrot = self.url("Parrot", "location", ("http", "https", "file")).rstrip("/")
        self.settings.parrot_sha256 = self.sha256("Parrot", "location_sha256", self.settings.parrot)
        if "Parrot" in self.sections and not self.text("Parrot", "location"):
            self.problem("Parrot", "location", "must be given: the URL below which parrot's archives are, or that of one archive")


def _listed(text):
    return [part.strip() for part in text.split(",") if part.strip()]


def _nearest(name, names):
    by_small = {known.lower(): known for known in names}
    near = difflib.get_close_matches(name.lower(), by_small, 1, 0.5)
    if near:
        return f"; did you mean {by_small[near[0]]}?"
    return "; there are: " + ", ".join(names)


def load(path):
    """Reads and checks a configuration file.

    Raises Mistake with a line for each problem; every problem is told at once.
    """
    checker = _Checker(path)
    checker.names()
    checker.application()
    checker.directories()
    checker.cvmfs()
    checker.parrot()
    if checker.problems:
        raise Mistake("\n".join(checker.problems))
    return checker.settings
