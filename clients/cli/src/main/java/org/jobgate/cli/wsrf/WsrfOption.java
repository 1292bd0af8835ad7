// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wsrf;

import java.util.List;
import org.jobgate.cli.command.Described;

/** Options of the wsrf commands, with the spellings of GT 4.0's Java tools. */
enum WsrfOption implements Described {
    EPR_FILE("FILE", "The resource: an endpoint reference in a file, or a job's handle", "-e", "--eprFile", "-j"),
    SERVICE("URL", "The service, where there is no endpoint reference", "-s", "--service"),
    KEY("NAME VALUE", "The resource there: {NAMESPACE}NAME and its value", "-k", "--key"),
    AUTHORIZATION("WHOM", "Expect host (the default), self, or a subject (/O=...)", "-z", "--authorization"),
    MECHANISM("KIND", "Only trans (TLS) is possible", "-m", "--securityMech"),
    PROTECTION("KIND", "sig or enc; https always does both", "-p", "--protection"),
    ANONYMOUS("", "Show no certificate", "-a", "--anonymous"),
    VALUE("", "Print the text alone, without the element around it", "-v", "--value"),
    TIMEOUT("MILLISECONDS", "For each step on the network; default 120000", "-T", "--timeout"),
    DEBUG("", "Show the SOAP messages on stderr", "-d", "--debug"),
    HELP("", "Show this", "-h", "--help", "-help"),
    VERSION("", "Show the version", "-V", "--version", "-version"),

    SUBSCRIPTION_OUTPUT("FILE", "Write the subscription's endpoint reference there", "-b", "--subEpr"),
    CONSUMER_HOST("ADDRESS", "Listen there; default: where the service sees us", "-c", "--consumerHost"),
    CONSUMER_PORT("PORT", "Listen at this port; default any free one", "-P", "--consumerPort"),
    COUNT("N", "End after so many messages", "-n", "--count"),
    SECONDS("SECONDS", "End after that time", "-t", "--time"),
    XML("", "Print whole messages", "-x", "--xml");

    private final String argument;
    private final String text;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable; its type does not say so
    private final List<String> names;

    WsrfOption(String argument, String text, String... names) {
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
        return this == ANONYMOUS ? "calls without a certificate are not in this version" : "";
    }

    /** Whether only wsn-subscribe has it. */
    boolean isOfSubscribe() {
        return compareTo(SUBSCRIPTION_OUTPUT) >= 0;
    }
}
