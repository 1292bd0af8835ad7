// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wsrf;

import java.util.ArrayList;
import java.util.List;
import org.jobgate.cli.command.CommandOption;

/** Options of the wsrf commands, with the spellings of GT 4.0's Java tools. */
final class WsrfOption {
    static final CommandOption EPR_FILE = CommandOption.of(
            "FILE", "The resource: an endpoint reference in a file, or a job's handle", "-e", "--eprFile", "-j");
    static final CommandOption SERVICE =
            CommandOption.of("URL", "The service, where there is no endpoint reference", "-s", "--service");
    static final CommandOption KEY =
            CommandOption.of("NAME VALUE", "The resource there: {NAMESPACE}NAME and its value", "-k", "--key");
    static final CommandOption AUTHORIZATION =
            CommandOption.of("WHOM", "Expect host (the default), self, or a subject (/O=...)", "-z", "--authorization");
    static final CommandOption MECHANISM =
            CommandOption.of("KIND", "Only trans (TLS) is possible", "-m", "--securityMech");
    static final CommandOption PROTECTION =
            CommandOption.of("KIND", "sig or enc; https always does both", "-p", "--protection");
    static final CommandOption ANONYMOUS = CommandOption.refused(
            "calls without a certificate are not in this version", "", "Show no certificate", "-a", "--anonymous");
    static final CommandOption VALUE =
            CommandOption.of("", "Print the text alone, without the element around it", "-v", "--value");
    static final CommandOption TIMEOUT =
            CommandOption.of("MILLISECONDS", "For each step on the network; default 120000", "-T", "--timeout");
    static final CommandOption PROTOCOL =
            CommandOption.of("VERSION", "Speak 4.0 or 4.2; default: what the service speaks", "--protocol");
    static final CommandOption DEBUG = CommandOption.of("", "Show the SOAP messages on stderr", "-d", "--debug");
    static final CommandOption HELP = CommandOption.of("", "Show this", "-h", "--help", "-help");
    static final CommandOption VERSION = CommandOption.of("", "Show the version", "-V", "--version", "-version");
    static final CommandOption SUBSCRIPTION_OUTPUT =
            CommandOption.of("FILE", "Write the subscription's endpoint reference there", "-b", "--subEpr");
    static final CommandOption CONSUMER_HOST =
            CommandOption.of("ADDRESS", "Listen there; default: where the service sees us", "-c", "--consumerHost");
    static final CommandOption CONSUMER_PORT =
            CommandOption.of("PORT", "Listen at this port; default any free one", "-P", "--consumerPort");
    static final CommandOption COUNT = CommandOption.of("N", "End after so many messages", "-n", "--count");
    static final CommandOption SECONDS = CommandOption.of("SECONDS", "End after that time", "-t", "--time");
    static final CommandOption XML = CommandOption.of("", "Print whole messages", "-x", "--xml");

    /** Those that only wsn-subscribe has. */
    static final List<CommandOption> OF_SUBSCRIBE =
            List.of(SUBSCRIPTION_OUTPUT, CONSUMER_HOST, CONSUMER_PORT, COUNT, SECONDS, XML);

    /** Those of all commands. */
    static final List<CommandOption> COMMON = List.of(
            EPR_FILE,
            SERVICE,
            KEY,
            AUTHORIZATION,
            MECHANISM,
            PROTECTION,
            ANONYMOUS,
            VALUE,
            TIMEOUT,
            PROTOCOL,
            DEBUG,
            HELP,
            VERSION);

    /** All of them: one that belongs to another command is refused by name. */
    static final List<CommandOption> TABLE = table();

    private WsrfOption() {}

    private static List<CommandOption> table() {
        List<CommandOption> all = new ArrayList<>(COMMON);
        all.addAll(OF_SUBSCRIBE);
        return List.copyOf(all);
    }
}
