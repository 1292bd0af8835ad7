// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wsrf;

import java.util.ArrayList;
import java.util.List;
import org.jobgate.cli.command.CommandPage;
import org.jobgate.cli.command.Described;

/** What there is to say of the wsrf commands and wsn-subscribe. */
public final class WsrfPages {
    private static final String RESOURCE = "{-e FILE | -s URL [-k NAME VALUE]} [OPTION ...] ";
    private static final String ABOUT_NAMES = "A name is {NAMESPACE}NAME, or NAME after one of the prefixes job, types,"
            + " faults, desc, exec, multi, wsrp, wsrl, wsnt, core and a colon. Names of GT 4.0"
            + " are translated for a service that speaks GT 4.2.";

    private WsrfPages() {}

    /** All names, as the commands are called. */
    public static List<String> names() {
        return List.of(
                "wsrf-get-property",
                "wsrf-get-properties",
                "wsrf-query",
                "wsrf-destroy",
                "wsrf-set-termination-time",
                "wsn-subscribe");
    }

    public static CommandPage page(String name) {
        return switch (name) {
            case "wsrf-get-property" ->
                page(
                        name,
                        "Show one property of a WSRF resource",
                        "PROPERTY",
                        ABOUT_NAMES,
                        "wsrf-get-property -e job.epr types:state");
            case "wsrf-get-properties" ->
                page(
                        name,
                        "Show several properties of a WSRF resource",
                        "PROPERTY ...",
                        ABOUT_NAMES,
                        "wsrf-get-properties -e job.epr types:state types:exitCode wsrl:TerminationTime");
            case "wsrf-query" ->
                page(
                        name,
                        "Ask for properties of a WSRF resource by XPath",
                        "[EXPRESSION [DIALECT]]",
                        "EXPRESSION is XPath 1.0 over the resource's property document; default /*, the whole of it.",
                        "wsrf-query -e job.epr \"//*[local-name()='state']\"");
            case "wsrf-destroy" ->
                page(
                        name,
                        "Remove a WSRF resource",
                        "",
                        "A job that still runs is ended; a subscription ends.",
                        "wsrf-destroy -e job.epr");
            case "wsrf-set-termination-time" ->
                page(
                        name,
                        "Set when a WSRF resource ends",
                        "{SECONDS | infinity}",
                        "SECONDS from now. What was requested and what the service set are both printed, in UTC.",
                        "wsrf-set-termination-time -e job.epr 7200");
            case "wsn-subscribe" ->
                page(
                        name,
                        "Have a service tell of changes, and show them",
                        "TOPIC",
                        ABOUT_NAMES + " This command listens for https with your certificate: the service must be able"
                                + " to connect to it and must trust your certificate's authority. Messages that do not"
                                + " bear the subscription's secret key are refused. It ends with the job, after -n"
                                + " messages or -t seconds, or by an interrupt, and then ends the subscription.",
                        "wsn-subscribe -e job.epr types:state");
            default -> throw new IllegalArgumentException("no command " + name);
        };
    }

    private static CommandPage page(String name, String summary, String operands, String about, String example) {
        List<Described> options = new ArrayList<>(WsrfOption.COMMON);
        if (name.equals("wsn-subscribe")) {
            options.addAll(WsrfOption.OF_SUBSCRIBE);
        }
        return new CommandPage(
                name, summary, List.of((RESOURCE + operands).strip()), List.of(about), options, List.of(example));
    }
}
