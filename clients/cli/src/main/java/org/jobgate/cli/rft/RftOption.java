// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.rft;

import java.util.ArrayList;
import java.util.List;
import org.jobgate.cli.command.CommandOption;
import org.jobgate.cli.command.Described;

/** Options of the commands, with the spellings of GT 4.0's tools (facts/gram4.md section 6.3). */
final class RftOption {
    static final CommandOption HOST = CommandOption.of("HOST", "The gateway; default localhost", "-h", "-host");
    static final CommandOption PORT = CommandOption.of("PORT", "Its port; default 8443", "-r", "-port");
    static final CommandOption LIFETIME =
            CommandOption.of("MINUTES", "How long the request is kept; default 60", "-l", "-lifetime");
    static final CommandOption MECHANISM = CommandOption.of("KIND", "Only trans (TLS) is possible", "-m");
    static final CommandOption PROTECTION = CommandOption.of("KIND", "sig or enc; https always does both", "-p");
    static final CommandOption AUTHORIZATION =
            CommandOption.of("WHOM", "Expect host (the default), self, or a subject (/O=...)", "-z");
    static final CommandOption EPR_OUTPUT =
            CommandOption.of("FILE", "Write the request's endpoint reference there", "-file", "-o");
    static final CommandOption TRANSFER_FILE = CommandOption.of("FILE", "What is to be done", "-f");
    static final CommandOption FULL = CommandOption.of("", "Delegate a full proxy; default: a limited one", "-full");
    static final CommandOption CHECKSUM =
            CommandOption.of("ALGORITHM", "Compare each copy with its source: adler32, md5 or sha256", "-checksum");
    static final CommandOption BATCH =
            CommandOption.of("", "Do not wait for the end; -file is needed then", "-b", "-batch");
    static final CommandOption QUIET = CommandOption.of("", "Say nothing but errors", "-q", "-quiet");
    static final CommandOption EPR_FILE =
            CommandOption.of("FILE", "The request: an endpoint reference in a file", "-e", "-epr");
    static final CommandOption PROTOCOL = CommandOption.of("VERSION", "Speak 4.0 or 4.2; default 4.0", "-protocol");
    static final CommandOption DEBUG = CommandOption.of("", "Show the SOAP messages on stderr", "-d", "-debug");
    static final CommandOption HELP = CommandOption.of("", "Show this", "-help", "--help");
    static final CommandOption VERSION = CommandOption.of("", "Show the version", "-version", "--version");

    static final CommandOption SUBMIT =
            CommandOption.of("", "Make a request of -f, start it and wait for its end", "-submit");
    static final CommandOption DELETE = CommandOption.of("", "With -submit: -f names files to be deleted", "-delete");
    static final CommandOption MONITOR = CommandOption.of("", "Wait for the end", "-monitor");
    static final CommandOption DONE = CommandOption.of("", "Say how it stands by the exit status", "-done");
    static final CommandOption STATUS = CommandOption.of("", "Show each transfer", "-status");
    static final CommandOption CANCEL = CommandOption.of("", "Cancel what is not over", "-cancel");
    static final CommandOption DESTROY = CommandOption.of("", "Stop it and forget it", "-destroy");

    /** What globus-crft is to do. */
    static final List<CommandOption> ORDERS = List.of(SUBMIT, MONITOR, DONE, STATUS, CANCEL, DESTROY);

    private static final List<CommandOption> OF_ALL = List.of(
            HOST,
            PORT,
            LIFETIME,
            TRANSFER_FILE,
            EPR_OUTPUT,
            FULL,
            CHECKSUM,
            BATCH,
            QUIET,
            AUTHORIZATION,
            MECHANISM,
            PROTECTION,
            PROTOCOL,
            DEBUG,
            HELP,
            VERSION);

    private RftOption() {}

    static List<CommandOption> table(boolean isCrft) {
        List<CommandOption> table = new ArrayList<>();
        if (isCrft) {
            table.addAll(ORDERS);
            table.add(DELETE);
            table.add(EPR_FILE);
        }
        table.addAll(OF_ALL);
        return table;
    }

    static List<Described> described(boolean isCrft) {
        return List.copyOf(table(isCrft));
    }
}
