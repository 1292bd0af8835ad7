# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""The command skeleton_key."""

import os
import shutil
import subprocess
import sys
import tempfile

from . import Mistake, chirp, describe, options, settings, submit, wrapper


def say(text):
    sys.stderr.write(f"skeleton_key: {text}\n".encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"))


def _access(found):
    """A ticket for the directories of the settings, from the running server; None where there are none."""
    if not (found.read or found.write):
        return None
    if found.of_gateway:
        return wrapper.Access("", "", 0, "")
    server = chirp.running()
    if server is None:
        raise Mistake("no Chirp server of yours answers; start it: chirp_control start")
    export = chirp.options().get("EXPORT_DIR")
    if not export:
        raise Mistake(f"{chirp.directory()}/chirp_options does not say what the server exports; chirp_control export DIRECTORY")
    prefix = chirp.inside(export, found.export_base)
    rights = {}
    for path in found.read:
        rights[prefix + path] = "rl"
    for path in found.write:
        rights[prefix + path] = "".join(sorted(set(rights.get(prefix + path, "") + found.write_rights), key="rwldp".index))
    for path, letters in rights.items():
        added = server.ensure(path, letters)
        if added:
            say(f"{chirp.account()} was given '{added}' for {path}, which the ticket passes on")
    with tempfile.TemporaryDirectory(prefix="skeleton_key.") as private:
        file = os.path.join(private, "ticket")
        expires = server.ticket(file, found.ticket_lifetime, rights)
        with open(file, encoding="utf-8", errors="surrogateescape") as opened:
            return wrapper.Access(server.address, opened.read(), expires, prefix)


def explain(found):
    """What the wrapper will do on a node, in order, a sentence each."""
    lines = []
    data = found.read or found.write
    if data and not found.of_gateway:
        lines.append(f"End with 201 if the ticket has expired; it is good for {found.ticket_lifetime} s from when the wrapper is made.")
    if found.of_gateway:
        lines.append("Take the ticket that the gateway has made (CHIRP_CLIENT_TICKETS, JOBGATE_CHIRP_SERVER); without one, end with 206.")
    lines.append("Make a working directory below _CONDOR_SCRATCH_DIR, OSG_WN_TMP, TMPDIR or /tmp, the first that can be written to.")
    if found.user_proxy:
        lines.append(f"Write the proxy {found.user_proxy}, which the wrapper carries, there (0600) and name it in X509_USER_PROXY.")
    through = f"through {found.http_proxy}" if found.http_proxy else "directly"
    through += ", or through OSG_SQUID_LOCATION where the node names one; four tries, the last two past the proxy"
    for repository in found.repositories:
        lines.append(f"See to /cvmfs/{repository.name}: mounted on the node, else by parrot with the key {repository.key_url}; else end with 206.")
    if found.location:
        check = f"its SHA-256 must be {found.location_sha256}" if found.location_sha256 else "no checksum is named, so that only its form is checked"
        lines.append(f"Fetch the application {found.location} {through}; {check}. Unpack it.")
    if found.parrot:
        lines.append(f"Fetch parrot from {found.parrot} where it is needed and not there.")
    if data:
        rights = [f"{path} (rl)" for path in found.read] + [f"{path} ({'rwld' if found.of_gateway else found.write_rights})" for path in found.write]
        lines.append(f"Give access to {', '.join(rights)} below CHIRP_MOUNT, by the first of these that the node has: {', '.join(found.access)}.")
        if "copy" in found.access:
            lines.append(f"By copies: fetch {', '.join(found.fetch) or 'nothing (no fetch is named)'} before, and bring back what is new in the directories to write.")
    words = " ".join(wrapper.quoted(argument) for argument in found.arguments)
    lines.append(f"Run {found.script}{' ' + words if words else ''} and the wrapper's own arguments; pass signals on.")
    lines.append("End what the script has left running, unmount, remove the working directory; end with the script's exit code.")
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1)) + "\n"


def _make(given):
    found = settings.load(given.config_file)
    for warning in found.warnings:
        say("warning: " + warning)
    output = given.output or "run_job.py"
    if given.check:
        bundle_of(given)
        print(f"{given.config_file}: nothing wrong")
        return 0
    if given.explain:
        sys.stdout.buffer.write(explain(found).encode("utf-8", "surrogateescape"))
        return 0
    proxy_text = ""
    if found.user_proxy:
        with open(found.user_proxy, encoding="ascii", errors="surrogateescape") as file:
            proxy_text = file.read()
    bundle = bundle_of(given)
    wrapper.write(output, wrapper.text(found, _access(found), proxy_text, bundle))
    if given.describe:
        sys.stdout.write(describe.describe(given.describe, output, given.words, chirp=_chirp(found)))
        sys.stdout.flush()
    if given.submit:
        return submit.submit(given.submit, given.lrm, output, given.words, given.queue, given.batch, _chirp(found))
    return 0


def _chirp(found):
    """What the gateway is asked for: the members of chirp in a description; None where it makes no ticket."""
    if not found.of_gateway:
        return None
    asked = {"server": found.server, "read": found.read, "write": found.write}
    return {key: value for key, value in asked.items() if value}


def bundle_of(given):
    return wrapper.read_bundle(given.bundle) if given.bundle else b""


def _checked(given):
    if not given.config_file:
        raise options.UsageMistake("Must give a config file: skeleton_key -c FILE")
    if given.describe and given.describe not in describe.FORMS:
        raise options.UsageMistake(f"--describe takes one of {', '.join(describe.FORMS)}, not '{given.describe}'")
    if (given.queue or given.lrm or given.batch) and not given.submit:
        raise options.UsageMistake("--queue, --lrm and --batch go with --submit")
    if given.words and not (given.submit or given.describe):
        raise options.UsageMistake(f"'{given.words[0]}' is no option; arguments of the job go with --submit or --describe, behind --")
    if given.queue is not None:
        if not given.queue.isdigit() or not 1 <= int(given.queue) <= submit.MOST_JOBS:
            raise options.UsageMistake(f"--queue takes a number from 1 to {submit.MOST_JOBS}, not '{given.queue}'")
        given.queue = int(given.queue)
    if given.submit and not shutil.which("globusrun-ws"):
        raise Mistake("there is no globusrun-ws on PATH, which --submit needs; it is in Jobgate's bin")
    return given


def main(words):
    """Runs the command; the exit status."""
    try:
        return _make(_checked(options.Parser(options.SKELETON_KEY).read(words)))
    except options.UsageMistake as mistake:
        say(mistake)
        return 2
    except Mistake as mistake:
        for line in str(mistake).splitlines():
            say(line)
        return 1
    except KeyboardInterrupt:
        return 130
    except subprocess.SubprocessError as error:
        say(f"a program that is needed did not work: {error}")
        return 1
