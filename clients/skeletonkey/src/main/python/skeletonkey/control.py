# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""The command chirp_control: the account's Chirp server, by chirp_server and chirp of the Cooperative Computing Tools."""

import os
import re
import signal
import stat
import subprocess
import sys
import time

from . import Mistake, chirp, options

_START_SECONDS = 20
_RIGHTS = re.compile(r"(none|[rwldap]+)\Z")
_SUBJECT = re.compile(r"(unix|hostname|globus|kerberos|address|ticket):\S+\Z")
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def say(text):
    sys.stderr.write(f"chirp_control: {text}\n".encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"))


def _file(name):
    return os.path.join(chirp.directory(), name)


def _write(name, text):
    temporary = _file(name + ".new")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)
    os.replace(temporary, _file(name))


def _own_directory():
    path = chirp.directory()
    os.makedirs(path, mode=0o700, exist_ok=True)
    found = os.stat(path)
    if found.st_uid != os.getuid() or found.st_mode & 0o022:
        raise Mistake(f"{path} must be yours and writable by you alone: chmod go-w {path}")


def _process():
    """The process of the server that we started, 0 where it is gone; a number that another program has by now is not taken for it."""
    try:
        with open(_file("chirp.pid"), encoding="ascii") as file:
            pid = int(file.read(20))
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().split(b"\0")
        if os.stat(f"/proc/{pid}").st_uid != os.getuid():
            return 0
    except (OSError, ValueError):
        return 0
    return pid if pid > 0 and any(os.path.basename(word) == b"chirp_server" for word in words) else 0


def _checked_export(path):
    real = os.path.realpath(os.path.expanduser(path))
    try:
        found = os.stat(real)
    except OSError as error:
        raise Mistake(f"cannot export {path}: {error.strerror}") from None
    if not stat.S_ISDIR(found.st_mode):
        raise Mistake(f"cannot export {path}: it is no directory")
    if found.st_mode & 0o002:
        raise Mistake(f"will not export {real}: everybody may write to it. Export a directory below it, or: chmod o-w {real}")
    if real == "/" or real == os.path.realpath(os.path.expanduser("~")):
        raise Mistake(f"will not export {real} as a whole: keys and passwords are below it. Export a directory for jobs below it")
    if not os.access(real, os.R_OK | os.X_OK):
        raise Mistake(f"cannot export {real}: you may not read it")
    return real


def _set_options(**changes):
    found = chirp.options()
    found.update({name: value for name, value in changes.items() if value})
    for name, value in found.items():
        if "\n" in value:
            raise Mistake(f"{name} cannot have a line end in it")
    _write("chirp_options", "".join(f"{name}={value}\n" for name, value in found.items()))
    return found


def start(given):
    _own_directory()
    if _process():
        server = chirp.running()
        say(f"runs already{', at ' + server.address if server else ' and does not answer; chirp_control restart'}")
        return 0 if server else 1
    changes = {"EXPORT_DIR": _checked_export(given.export) if given.export else ""}
    if given.host:
        if not re.match(r"[A-Za-z0-9.:_-]+\Z", given.host):
            raise options.UsageMistake(f"--host takes a name or an address, not '{given.host}'")
        changes["CHIRP_HOST"] = given.host
    elif given.interface:
        changes["CHIRP_HOST"] = given.interface
    if given.port and not (given.port.isdigit() and 0 < int(given.port) < 65536):
        raise options.UsageMistake(f"--port takes a number from 1 to 65535, not '{given.port}'")
    found = _set_options(**changes)
    if not found.get("EXPORT_DIR"):
        raise Mistake("nothing is exported yet; say what: chirp_control start --export DIRECTORY")
    export = _checked_export(found["EXPORT_DIR"])
    if not os.path.exists(_file("acl")):
        _write("acl", chirp.account() + " rwlda\n")
    if os.stat(_file("acl")).st_mode & 0o022:
        raise Mistake(f"{_file('acl')} decides who may do what and must be writable by you alone: chmod go-w {_file('acl')}")
    _refuse_everybody(_file("acl"))
    if os.geteuid() == 0:
        raise Mistake("a Chirp server does not run as root, whose every file it could give away; run chirp_control as the account whose jobs these are")
    for name in ("chirp.port", "chirp.pid"):
        if os.path.exists(_file(name)):
            os.unlink(_file(name))
    command = [chirp.program("chirp_server"), "-r", export, "-A", _file("acl"), "-a", "unix", "-a", "ticket", "-u", "127.0.0.1"]
    # the server's own files beside the others, so that it changes nothing where it was started
    command += ["-y", _file("transient"), "-Z", _file("chirp.port"), "-o", _file("chirp.log")]
    os.makedirs(_file("transient"), mode=0o700, exist_ok=True)
    command += ["-p", given.port] if given.port else []
    command += ["-I", given.interface] if given.interface else []
    # what the server creates is its owner's alone
    with open(_file("chirp.out"), "wb") as out:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=_file("transient"), env=chirp.environment(), umask=0o077, start_new_session=True
        )
    _write("chirp.pid", f"{process.pid}\n")
    server = None
    host, how = (found["CHIRP_HOST"], "as set") if found.get("CHIRP_HOST") else chirp.own_host()
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        server = chirp.running()
        if server:
            break
        time.sleep(0.1)
    if not server:
        why = "it ended" if process.poll() is not None else f"it does not answer at {host}"
        if process.poll() is None:
            process.terminate()
        raise Mistake(f"the Chirp server did not start: {why}. {_last_line()} Its log: {_file('chirp.log')}")
    say(f"exports {export} at {server.address} ({how}); jobs see it as /chirp/{server.address}")
    return 0


def _refuse_everybody(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for number, line in enumerate(file, 1):
            subject, _, rights = line.strip().rpartition(" ")
            if "*" in subject and set(rights) - set("rl"):
                raise Mistake(f"{path}, line {number}: would let everybody who matches {subject} change files ({rights}); name the accounts")


def _last_line():
    for name in ("chirp.out", "chirp.log"):
        try:
            with open(_file(name), encoding="utf-8", errors="replace") as file:
                lines = [line.strip() for line in file if line.strip()]
            if lines:
                return f"It said last: {lines[-1][:300]}."
        except OSError:
            continue
    return ""


def stop(given):
    pid = _process()
    if not pid:
        say("no server of yours runs")
        return 0
    os.kill(pid, signal.SIGTERM)
    until = time.monotonic() + 10
    while _process() and time.monotonic() < until:
        time.sleep(0.05)
        _reap(pid)
    if _process():
        os.kill(pid, signal.SIGKILL)
        time.sleep(0.2)
        _reap(pid)
    for name in ("chirp.port", "chirp.pid"):
        if os.path.exists(_file(name)):
            os.unlink(_file(name))
    say("stopped")
    return 0


def _reap(pid):
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        pass


def restart(given):
    if not given.port and _process():
        # tickets and wrappers name the port: keep it
        server = chirp.running()
        given.port = str(server.port) if server else None
    stop(given)
    return start(given)


def status(given):
    server, pid = chirp.running(), _process()
    export = chirp.options().get("EXPORT_DIR", "nothing")
    if server:
        print(f"runs at {server.address}{f' (process {pid})' if pid else ''}, exports {export}")
        return 0
    print(f"process {pid} runs and does not answer; its log: {_file('chirp.log')}" if pid else f"does not run; would export {export}")
    return 3


def export(given):
    if len(given.words) > 2:
        raise options.UsageMistake("export takes one directory")
    if len(given.words) == 1:
        print(chirp.options().get("EXPORT_DIR") or "nothing")
        return 0
    _own_directory()
    path = _checked_export(given.words[1])
    _set_options(EXPORT_DIR=path)
    if _process():
        return restart(given)
    say(f"exports {path} from the next start on")
    return 0


def _server():
    server = chirp.running()
    if server is None:
        raise Mistake("no Chirp server of yours answers; start it: chirp_control start")
    return server


def acl(given):
    words = given.words[1:]
    if len(words) >= 2:
        # of a directory that is not there the server tells the rights too
        _server().told("stat", words[1])
    if len(words) == 2 and words[0] == "list":
        for subject, rights in sorted(_server().rights(words[1]).items()):
            print(subject, rights)
        return 0
    if len(words) == 4 and words[0] == "set" or len(words) == 3 and words[0] == "remove":
        path, subject, rights = words[1], words[2], words[3] if words[0] == "set" else "none"
        if not _SUBJECT.match(subject):
            raise Mistake(f"'{subject}' is no subject such as unix:fred, globus:/O=Grid/CN=Fred or hostname:node1.example.org")
        if not _RIGHTS.match(rights):
            raise Mistake(f"'{rights}' are no rights: letters of r w l d a p, or none")
        if "*" in subject and rights != "none" and set(rights) - set("rl"):
            raise Mistake(f"will not let everybody who matches {subject} change files ({rights}); name the accounts, or give r and l only")
        _server().told("setacl", path, subject, rights)
        return 0
    raise options.UsageMistake("acl list PATH; acl set PATH SUBJECT RIGHTS; acl remove PATH SUBJECT")


def _seconds(text):
    match = re.match(r"([1-9][0-9]{0,8})([smhd]?)\Z", text or "24h")
    seconds = int(match.group(1)) * _UNITS[match.group(2) or "s"] if match else 0
    if not 60 <= seconds <= 366 * 86400:
        raise options.UsageMistake(f"--lifetime takes a time from 60s to 366d, not '{text}'")
    return seconds


def ticket(given):
    words = given.words[1:]
    server = _server()
    if words == ["list"]:
        print(server.told("ticket_list", chirp.account()), end="\n")
        return 0
    if len(words) == 2 and words[0] == "delete":
        if not re.match(r"ticket:[0-9a-f]{32}\Z", words[1]):
            raise Mistake(f"'{words[1]}' is no ticket's name, which is ticket: and 32 digits (ticket list shows them)")
        server.told("ticket_delete", words[1])
        return 0
    if len(words) >= 3 and words[0] == "create":
        rights = {}
        for word in words[2:]:
            path, mark, letters = word.rpartition("=")
            if not mark or not path.startswith("/") or not re.match(r"[rwldp]+\Z", letters):
                raise Mistake(f"'{word}' is no /PATH=RIGHTS with letters of r w l d p")
            rights[path] = letters
        if os.path.lexists(words[1]):
            raise Mistake(f"{words[1]} is there already")
        for path, letters in rights.items():
            server.ensure(path, letters)
        os.umask(0o077)
        ends = server.ticket(words[1], _seconds(given.lifetime), rights)
        say(f"{words[1]} is good until {time.strftime('%Y-%m-%d %H:%M:%S %Z', time.localtime(ends))}")
        return 0
    raise options.UsageMistake("ticket list; ticket create FILE /PATH=RIGHTS ...; ticket delete NAME")


_COMMANDS = {"start": start, "stop": stop, "restart": restart, "status": status, "export": export, "acl": acl, "ticket": ticket}


def main(words):
    """Runs the command; the exit status."""
    try:
        given = options.Parser(options.CHIRP_CONTROL).read(words)
        if not given.words or given.words[0] not in _COMMANDS:
            said = f"there is no command '{given.words[0]}'" if given.words else "what is to be done?"
            raise options.UsageMistake(f"{said}; there are: {', '.join(_COMMANDS)}")
        if given.words[0] in ("start", "stop", "restart", "status") and len(given.words) > 1:
            raise options.UsageMistake(f"{given.words[0]} takes no '{given.words[1]}'")
        return _COMMANDS[given.words[0]](given)
    except options.UsageMistake as mistake:
        say(mistake)
        return 2
    except Mistake as mistake:
        say(mistake)
        return 1
    except OSError as error:
        say(f"{error.strerror}: {error.filename}")
        return 1
    except KeyboardInterrupt:
        return 130
