// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.command;

import java.util.List;

/** Options of every command that talks to a service, in GT's spelling. */
public final class ServiceOptions {
    public static final CommandOption TIMEOUT =
            CommandOption.of("MILLISECONDS", "For each step on the network; default 120000", "-T", "-http-timeout");
    public static final CommandOption SELF =
            CommandOption.of("", "Expect a service that runs as yourself", "-self", "-self-authz");
    public static final CommandOption SUBJECT =
            CommandOption.of("DN", "Expect this subject", "-subject", "-subject-authz");
    public static final CommandOption PROTOCOL =
            CommandOption.of("VERSION", "Speak 4.0 or 4.2; default: what the service speaks", "-protocol");
    public static final CommandOption DEBUG =
            CommandOption.of("", "Show the SOAP messages on stderr", "-dbg", "-debug");
    public static final CommandOption HELP = CommandOption.of("", "Show this", "-help", "--help", "-usage");
    public static final CommandOption VERSION =
            CommandOption.of("", "Show the version", "-version", "-versions", "--version");

    /** All of them, for the end of a table. */
    public static final List<CommandOption> ALL = List.of(TIMEOUT, SELF, SUBJECT, PROTOCOL, DEBUG, HELP, VERSION);

    private ServiceOptions() {}

    /** What the words say of the way to the service. */
    public static Session.Wishes wishes(Words words) {
        return new Session.Wishes(
                words.value(TIMEOUT), words.value(SUBJECT), words.has(SELF), words.has(DEBUG), words.value(PROTOCOL));
    }
}
