// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.verbs;

import java.util.List;
import org.jobgate.cli.command.CommandOption;

/** Options of the verbs. */
final class VerbOption {
    static final CommandOption URL = CommandOption.of(
            "URL",
            "The gateway: [https://]HOST[:PORT]; default: the variable JOBGATE_URL, else localhost:8443",
            "--url",
            "-F");
    static final CommandOption JSON = CommandOption.of("", "Show the gateway's answers as JSON", "--json");
    static final CommandOption QUIET = CommandOption.of("", "Say nothing but what was asked for", "-q", "--quiet");
    static final CommandOption TIMEOUT =
            CommandOption.of("SECONDS", "For each step on the network; default 120", "--timeout");
    static final CommandOption SUBJECT =
            CommandOption.of("DN", "Expect a gateway with this subject", "--server-subject");
    static final CommandOption DEBUG = CommandOption.of("", "Show each request on stderr", "--debug");
    static final CommandOption HELP = CommandOption.of("", "Show this", "-h", "--help");

    static final CommandOption COMMAND =
            CommandOption.of("", "All words that follow are the program and its arguments", "-c");
    static final CommandOption LRM = CommandOption.of("NAME", "The batch system", "--lrm");
    static final CommandOption ACCOUNT = CommandOption.of("NAME", "The local account", "--account");
    static final CommandOption QUEUE = CommandOption.of("NAME", "The queue (with -c)", "--queue");
    static final CommandOption DIRECTORY = CommandOption.of("PATH", "The working directory (with -c)", "--directory");
    static final CommandOption STDOUT = CommandOption.of("PATH", "Where its stdout goes (with -c)", "--stdout");
    static final CommandOption STDERR = CommandOption.of("PATH", "Where its stderr goes (with -c)", "--stderr");
    static final CommandOption STDIN = CommandOption.of("PATH", "What its stdin is (with -c)", "--stdin");
    static final CommandOption ARRAY = CommandOption.of(
            "INDICES",
            "Submit an array of such jobs, e.g. 1-100; {index} stands for the index (with -c, or a FILE of one job in JSON)",
            "--array");
    static final CommandOption MAX_RUNNING =
            CommandOption.of("COUNT", "How many elements may be jobs at once (with --array)", "--max-running");
    static final CommandOption KEY =
            CommandOption.of("ID", "Your own id of the submission: the same id again is the same job", "--key");
    static final CommandOption WAIT =
            CommandOption.of("", "Wait for the end, and exit with the job's exit code", "-w", "--wait");

    static final CommandOption STATE = CommandOption.of("STATE", "Only those in this state, e.g. Active", "--state");
    static final CommandOption LIVE = CommandOption.of("", "Only those that are not over", "--live");
    static final CommandOption LIMIT = CommandOption.of("COUNT", "How many; default 50", "--limit");
    static final CommandOption FOLLOW = CommandOption.of("", "Go on until the job is over", "-f", "--follow");
    static final CommandOption ERRORS = CommandOption.of("", "Its stderr instead of its stdout", "--stderr");
    static final CommandOption AT =
            CommandOption.of("STATE", "Before the work of this state: StageIn, Pending, StageOut or CleanUp", "--at");
    static final CommandOption TREE =
            CommandOption.of("NAME", "In a tree of files that the site exports, not below a job's directory", "--tree");
    static final CommandOption ELEMENTS =
            CommandOption.of("INDICES", "Only these elements, e.g. 3,7,10-20", "--elements");
    static final CommandOption LONGEST =
            CommandOption.of("SECONDS", "Wait no longer; the exit status is then 124", "--for");

    static final List<CommandOption> COMMON = List.of(URL, JSON, QUIET, TIMEOUT, SUBJECT, DEBUG, HELP);

    private VerbOption() {}
}
