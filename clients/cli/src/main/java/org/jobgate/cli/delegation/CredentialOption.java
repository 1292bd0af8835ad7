// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.delegation;

import java.util.List;
import org.jobgate.cli.command.Described;
import org.jspecify.annotations.Nullable;

/** The options of globus-credential-delegate and globus-credential-refresh (facts/gram4.md section 5). */
enum CredentialOption implements Described {
    HOST("HOST", "The service's host; default localhost", "-h", "--host"),
    PORT("PORT", "Its port; default 8443", "-p", "--port"),
    SERVICE("URL", "The delegation factory, in place of -h and -p", "-s", "--service"),
    EPR_FILE("FILE", "For globus-credential-refresh: the credential to be renewed", "-e", "--eprFile"),
    CREDENTIAL("FILE", "Delegate from this proxy; default: the usual one", "-c", "--credential"),
    TOKEN(
            "FILE",
            "The bearer token in this file in place of a proxy, as it is; -c says who delegates it",
            "-token",
            "--token"),
    LIFETIME(
            "SECONDS",
            "How long it is to be valid; default 43200, never longer than your own",
            "-l",
            "-y",
            "--lifetime"),
    FULL("BOOLEAN", "true (the default) for all your rights, false for a limited proxy", "-d", "--delegation"),
    AUTHORIZATION("WHOM", "Expect host (the default), self, or a subject (/O=...)", "-a", "-z", "--authorization"),
    MECHANISM("KIND", "Only trans (TLS) is possible", "-m", "--securityMech"),
    PROTECTION("KIND", "sig or enc; https always does both", "-n", "--protection"),
    DEBUG("", "Show the SOAP messages on stderr", "-dbg", "--debug"),
    HELP("", "Show this", "-help", "--help"),
    VERSION("", "Show the version", "-V", "-version", "--version");

    private final String argument;
    private final String text;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable; its type does not say so
    private final List<String> names;

    CredentialOption(String argument, String text, String... names) {
        this.argument = argument;
        this.text = text;
        this.names = List.of(names);
    }

    static @Nullable CredentialOption named(String word) {
        for (CredentialOption option : values()) {
            if (option.names.contains(word)) {
                return option;
            }
        }
        return null;
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
