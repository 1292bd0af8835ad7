# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""The options of the commands as tables, from which their parsers, manual pages and completion are made."""

import argparse
import difflib
from dataclasses import dataclass

from . import VERSION, Mistake


@dataclass(frozen=True)
class Option:
    names: tuple
    argument: str
    text: str


@dataclass(frozen=True)
class Page:
    name: str
    title: str
    synopsis: tuple
    paragraphs: tuple
    options: tuple
    words: tuple = ()


SKELETON_KEY = Page(
    "skeleton_key",
    "Make one script that brings a job's software and reaches its data",
    ("-c FILE [-o NAME] [OPTION ...] [-- ARGUMENT ...]",),
    (
        "Writes a wrapper: a script for any batch system that fetches the application, gives it CVMFS repositories and directories of yours "
        "by a ticket of your Chirp server, runs it, cleans up and ends with its exit code. docs/user/skeletonkey.md has every key of the file.",
        "Exit status: 0; 1 where something is wrong with the file, the Chirp server or the gateway; 2 with the command line; with --submit that of the job.",
    ),
    (
        Option(("-c", "--config-file"), "FILE", "The configuration: sections [Application], [Directories], [CVMFS], [Parrot]."),
        Option(("-o", "--output"), "FILE", "The wrapper to write; default run_job.py, the name that it always had."),
        Option(("--check",), "", "Say all that is wrong with the file, line by line, and write nothing."),
        Option(("--explain",), "", "Say in sentences what the wrapper will do, and write nothing."),
        Option(("--bundle",), "FILE", "A tar archive with bin/ and lib/ of tools (chirp_fuse, chirp, chirp_get, chirp_put, parrot_run) to carry along."),
        Option(("--describe",), "FORM", "Also print a job description that runs the wrapper: jdd, json or jsdl."),
        Option(("--submit",), "CONTACT", "Also submit it to a gateway, [https://]HOST[:PORT][/SERVICE], by globusrun-ws."),
        Option(("--lrm",), "TYPE", "With --submit: the gateway's LRM; default Fork."),
        Option(("-q", "--queue"), "N", "With --submit: N jobs, each with its number from 0 in SKELETON_KEY_INDEX; their handles go to NAME.0.epr and so on."),
        Option(("-b", "--batch"), "", "With --submit: return when the job exists; its handle goes to NAME.epr."),
        Option(("-h", "--help"), "", "Show this."),
        Option(("-V", "--version"), "", "Show the version."),
    ),
)

CHIRP_CONTROL = Page(
    "chirp_control",
    "Run the Chirp server that jobs reach their owner's data by",
    ("[OPTION ...] COMMAND [ARGUMENT ...]",),
    (
        "start, stop, restart: the server of this account. status: whether it answers, where, and what it exports; exit status 0 if it does, else 3.",
        "export [DIRECTORY]: show or set what is exported (a restart follows where it runs). Never a directory that everybody may write to.",
        "acl list PATH; acl set PATH SUBJECT RIGHTS; acl remove PATH SUBJECT: who may do what in a directory of the export. "
        "RIGHTS are of r w l d a p, or none. A subject that matches everybody (*) gets no right to write.",
        "ticket list; ticket create FILE PATH=RIGHTS ...; ticket delete NAME: tickets for jobs.",
        "Files are in ~/.chirp, as ever: chirp_options (EXPORT_DIR, CHIRP_HOST, CCTOOLS_BINDIR), chirp.port, chirp.pid, acl, chirp.log.",
    ),
    (
        Option(("--export",), "FILE", "With start and restart: the directory to export from now on."),
        Option(("--host",), "NAME", "With start and restart: the name or address of this machine that nodes reach; default: found."),
        Option(("--port",), "N", "With start and restart: the port to listen on; default: any that is free."),
        Option(("--interface",), "ADDRESS", "With start and restart: listen there only; default: everywhere."),
        Option(("--lifetime",), "TIME", "With ticket create: 60s to 366d; default 24h."),
        Option(("-h", "--help"), "", "Show this."),
        Option(("-V", "--version"), "", "Show the version."),
    ),
    ("start", "stop", "restart", "status", "export", "acl", "ticket"),
)
PAGES = (CHIRP_CONTROL, SKELETON_KEY)


class Parser(argparse.ArgumentParser):
    """A parser of one page's options: no abbreviations, and a misspelt option is told with the nearest that there is."""

    def __init__(self, page):
        super().__init__(prog=page.name, add_help=False, allow_abbrev=False, usage=page.name + " " + page.synopsis[0])
        self.page = page
        for option in page.options:
            if option.argument:
                self.add_argument(*option.names, metavar=option.argument, dest=_dest(option))
            else:
                self.add_argument(*option.names, action="store_true", dest=_dest(option))
        self.add_argument("words", nargs="*")

    def read(self, words):
        """The options and the words; help and version are printed and end the program."""
        for word in words:
            if word == "--":
                break
            name = word.split("=", 1)[0]
            known = [n for o in self.page.options for n in o.names]
            if name.startswith("--") and name not in known:
                near = difflib.get_close_matches(name, known, 1, 0.5)
                self.error(f"there is no option {name}" + (f"; did you mean {near[0]}?" if near else ""))
        # what stands behind -- is not looked at: it is the job's, to the letter
        end = words.index("--") if "--" in words else len(words)
        found = self.parse_intermixed_args(words[:end])
        found.words += words[end + 1 :]
        if found.help:
            print(help_of(self.page), end="")
            raise SystemExit(0)
        if found.version:
            print(f"{self.page.name} {VERSION} (Jobgate)")
            raise SystemExit(0)
        return found

    def error(self, message):
        raise UsageMistake(f"{message}; {self.prog} --help shows the options")


class UsageMistake(Mistake):
    """Something wrong with the command line: exit status 2."""


def _dest(option):
    return option.names[-1].lstrip("-").replace("-", "_")


def help_of(page):
    lines = [f"usage: {page.name} {s}" for s in page.synopsis] + ["", page.title + ".", ""]
    width = max(len(", ".join(o.names) + " " + o.argument) for o in page.options) + 2
    lines += [f"  {', '.join(o.names)} {o.argument}".ljust(width + 2) + o.text for o in page.options]
    return "\n".join(lines + [""] + list(page.paragraphs)) + "\n"


def _roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in ".'" else text


def manual(page):
    """The manual page, as text for man."""
    out = [
        '.\\" SPDX-FileCopyrightText: 2026 The Jobgate authors',
        '.\\" SPDX-License-Identifier: Apache-2.0',
        '.\\" Made from the option tables by test_manual.py; changes here are lost.',
        f'.TH {_roff(page.name.upper())} 1 "" Jobgate',
        ".SH NAME",
        f"{_roff(page.name)} \\- {_roff(page.title)}",
        ".SH SYNOPSIS",
    ]
    for number, synopsis in enumerate(page.synopsis):
        out += [".br"] * (number > 0) + [f"\\fB{_roff(page.name)}\\fR {_roff(synopsis)}"]
    out.append(".SH DESCRIPTION")
    for paragraph in page.paragraphs:
        out += [".PP", _roff(paragraph)]
    out.append(".SH OPTIONS")
    for option in page.options:
        argument = f" \\fI{_roff(option.argument)}\\fR" if option.argument else ""
        out += [".TP", f"\\fB{_roff(', '.join(option.names))}\\fR{argument}", _roff(option.text)]
    return "\n".join(out) + "\n"


def completion():
    """The completion for bash of both commands."""
    out = [
        "# SPDX-FileCopyrightText: 2026 The Jobgate authors",
        "# SPDX-License-Identifier: Apache-2.0",
        "#",
        "# Completion for bash: . docs/completion/skeletonkey.bash",
        "# Made from the option tables by test_manual.py; changes here are lost.",
        "",
        "_skeletonkey_complete() {",
        "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words values",
        "    case ${COMP_WORDS[0]##*/} in",
    ]
    for page in PAGES:
        words = " ".join(list(page.words) + [n for o in page.options for n in o.names])
        values = " ".join(n for o in page.options if o.argument and o.argument != "FILE" for n in o.names)
        out += [f"        {page.name})", f"            words='{words}'", f"            values='{values}'", "            ;;"]
    out += [
        "    esac",
        '    if [[ $before == --describe ]]; then mapfile -t COMPREPLY < <(compgen -W "jdd json jsdl" -- "$current")',
        '    elif [[ " $values " == *" $before "* ]]; then COMPREPLY=()',
        '    elif [[ $current == -* || ( $COMP_CWORD == 1 && $words == [a-z]* ) ]]; then mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")',
        '    else mapfile -t COMPREPLY < <(compgen -f -- "$current"); fi',
        "}",
        "",
        "complete -o filenames -F _skeletonkey_complete " + " ".join(page.name for page in PAGES),
    ]
    return "\n".join(out) + "\n"
