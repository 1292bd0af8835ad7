// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.util.List;
import org.jobgate.cli.command.Described;

/** Options of globus-job-get-output-ws and globus-job-clean-ws. */
enum HandleOption implements Described {
    OUT("", "Show stdout (the default)", "-out"),
    ERR("", "Show stderr", "-err"),
    FORCE("", "Do not ask before cleaning", "-f", "-force"),
    QUIET("", "Say nothing but errors", "-q", "-quiet"),
    TIMEOUT("MILLISECONDS", "For each step on the network; default 120000", "-T", "-http-timeout"),
    SELF("", "Expect a service that runs as yourself", "-self", "-self-authz"),
    SUBJECT("DN", "Expect this subject", "-subject", "-subject-authz"),
    DEBUG("", "Show the SOAP messages on stderr", "-dbg", "-debug"),
    HELP("", "Show this", "-help", "--help", "-usage"),
    VERSION("", "Show the version", "-version", "-versions", "--version");

    private final String argument;
    private final String text;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable; its type does not say so
    private final List<String> names;

    HandleOption(String argument, String text, String... names) {
        this.argument = argument;
        this.text = text;
        this.names = List.of(names);
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public String argument() {
        return argument;
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public String refusal() {
        return "";
    }
}
