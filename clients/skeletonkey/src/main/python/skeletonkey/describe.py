# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Job descriptions that run a wrapper: for globusrun-ws (JDD), for REST (JSON) and for services that take JSDL."""

import json
import os
import urllib.parse
from xml.sax.saxutils import escape

from . import Mistake

FORMS = ("jdd", "json", "jsdl")
_JSDL = "http://schemas.ggf.org/jsdl/2005/11/jsdl"
_POSIX = "http://schemas.ggf.org/jsdl/2005/11/jsdl-posix"


def _xml(text):
    if any(ord(c) < 32 and c not in "\t\n" or 0xD800 <= ord(c) <= 0xDFFF or c in "\ufffe\uffff" for c in text):
        raise Mistake(f"XML cannot carry this text: {ascii(text)}")
    return escape(text).replace("\t", "&#9;").replace("\n", "&#10;")


def _literal(text):
    """Text of a JDD, in which ${NAME} would be a variable."""
    return _xml(text.replace("${", "$${"))


def _jdd(wrapper, name, arguments, environment, directory, chirp):
    lines = ["<job>", f"  <executable>{_literal(name)}</executable>"]
    lines += [f"  <argument>{_literal(argument)}</argument>" for argument in arguments]
    lines += [f"  <environment><name>{_xml(k)}</name><value>{_literal(v)}</value></environment>" for k, v in environment.items()]
    if directory:
        lines.insert(1, f"  <directory>${{GLOBUS_USER_HOME}}/{_literal(directory)}</directory>")
    lines += ["  <stdout>stdout</stdout>", "  <stderr>stderr</stderr>", "  <jobType>single</jobType>"]
    source = "client://" + urllib.parse.quote(os.fsencode(os.path.abspath(wrapper)))
    lines += ["  <fileStageIn>", "    <transfer>", f"      <sourceUrl>{_literal(source)}</sourceUrl>", f"      <destinationUrl>{_literal(name)}</destinationUrl>"]
    lines += ["    </transfer>", "  </fileStageIn>"]
    if directory:
        # the wrapper has the ticket in it: it goes with the job, what the job wrote stays
        file = _literal(directory + "/" + urllib.parse.quote(os.fsencode(name)))
        lines.append(f"  <fileCleanUp><deletion><file>file:///${{GLOBUS_USER_HOME}}/{file}</file></deletion></fileCleanUp>")
    if chirp:
        server = f' server="{_literal(chirp["server"])}"' if "server" in chirp else ""
        lines.append(f"  <extensions><chirp{server}>")
        lines += [f"    <{key}>{_literal(path)}</{key}>" for key in ("read", "write") for path in chirp.get(key, ())]
        lines.append("  </chirp></extensions>")
    lines.append("</job>")
    return "\n".join(lines) + "\n"


def _json(wrapper, name, arguments, environment, directory, chirp):
    request = {
        "executable": "./" + name,
        "arguments": list(arguments),
        "environment": environment,
        "stdout": "stdout",
        "stderr": "stderr",
        "jobType": "single",
        "holdAt": "StageIn",
        "chirp": chirp,
    }
    try:
        text = json.dumps({k: v for k, v in request.items() if v}, indent=2, ensure_ascii=False)
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise Mistake("JSON cannot carry arguments that are not UTF-8") from None
    return text + "\n"


def _jsdl(wrapper, name, arguments, environment, directory, chirp):
    if chirp:
        raise Mistake("JSDL has no words for a ticket of the gateway; use --describe jdd or json")
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<jsdl:JobDefinition xmlns:jsdl="{_JSDL}" xmlns:posix="{_POSIX}">',
        "  <jsdl:JobDescription>",
        f"    <jsdl:JobIdentification><jsdl:JobName>{_xml(name)}</jsdl:JobName></jsdl:JobIdentification>",
        "    <jsdl:Application>",
        "      <posix:POSIXApplication>",
        f"        <posix:Executable>{_xml(name)}</posix:Executable>",
    ]
    lines += [f"        <posix:Argument>{_xml(argument)}</posix:Argument>" for argument in arguments]
    lines += ["        <posix:Output>stdout</posix:Output>", "        <posix:Error>stderr</posix:Error>"]
    lines += [f'        <posix:Environment name="{_xml(k)}">{_xml(v)}</posix:Environment>' for k, v in environment.items()]
    lines += [
        "      </posix:POSIXApplication>",
        "    </jsdl:Application>",
        "    <jsdl:DataStaging>",
        f"      <jsdl:FileName>{_xml(name)}</jsdl:FileName>",
        "      <jsdl:CreationFlag>overwrite</jsdl:CreationFlag>",
        "      <jsdl:DeleteOnTermination>true</jsdl:DeleteOnTermination>",
        "    </jsdl:DataStaging>",
        "  </jsdl:JobDescription>",
        "</jsdl:JobDefinition>",
    ]
    return "\n".join(lines) + "\n"


def describe(form, wrapper, arguments=(), environment=None, directory="", chirp=None):
    """A job description that runs the wrapper with these arguments.

    jdd names the wrapper as a file of this machine (client:), which globusrun-ws brings; json (a JobRequest of the REST API) holds the job at
    StageIn, until the wrapper has been put; jsdl lists it as a file that the client puts. With a
    directory, below the account's home, a JDD's job runs there, and what it writes stays. chirp is the directories to which the gateway is to
    make a ticket: read, write, server.
    """
    name = os.path.basename(wrapper)
    make = {"jdd": _jdd, "json": _json, "jsdl": _jsdl}[form]
    return make(wrapper, name, list(arguments), dict(environment or {}), directory, chirp)
