// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import static org.jobgate.cli.cream.CreamClient.TYPES;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.CommandOption;
import org.jobgate.cli.wire.PlainSoap;
import org.jobgate.cli.wire.XmlElement;

/** The commands for a computing element as a whole: delegations, leases, events, and whether it takes jobs. */
final class ServiceCommands {

    private static final int SECONDS_MAX = 366 * 24 * 3600;
    private static final int EVENTS_MAX = 1_000_000;

    /** In the order of the numbers that events name them by (facts/cream.md, section 3). */
    private static final List<String> STATES = List.of(
            "REGISTERED",
            "PENDING",
            "IDLE",
            "RUNNING",
            "REALLY-RUNNING",
            "CANCELLED",
            "HELD",
            "DONE-OK",
            "DONE-FAILED",
            "PURGED",
            "ABORTED");

    private ServiceCommands() {}

    static int call(CreamRun run) throws CreamException, CommandException {
        return switch (run.name()) {
            case CreamPages.DELEGATE -> delegate(run);
            case CreamPages.RENEW -> renew(run);
            case CreamPages.LEASE -> lease(run);
            case CreamPages.EVENTS -> events(run);
            case CreamPages.INFO -> info(run);
            case CreamPages.ALLOWED -> allowed(run);
            default -> {
                boolean isOn = run.name().equals(CreamPages.ENABLE);
                run.client().accept(run.endpointOperand(), isOn);
                run.out()
                        .println("Operation for " + (isOn ? "enabling" : "disabling")
                                + " new job submissions succeeded");
                yield 0;
            }
        };
    }

    static CreamDelegation delegation(CreamRun run) throws CommandException {
        return new CreamDelegation(
                new PlainSoap(run.session().http(), run.session().trace()),
                run.config(),
                run.session().certificate("A proxy is delegated from"),
                run.clock(),
                new SecureRandom());
    }

    private static String one(CreamRun run, CommandOption option, String sentence) throws CreamException {
        List<String> named = run.named(option);
        if (named.size() != 1) {
            throw new CreamException(sentence);
        }
        return named.getFirst();
    }

    private static int delegate(CreamRun run) throws CreamException, CommandException {
        Endpoint endpoint = run.endpoint();
        String id = one(run, CreamOption.DELEGATED, "delegation ID argument is mandatory. Stop.");
        delegation(run).delegate(endpoint, id);
        run.out()
                .println("Proxy with delegation id [" + id + "] succesfully delegated to endpoint ["
                        + run.words().value(CreamOption.ENDPOINT) + "]");
        return 0;
    }

    private static int renew(CreamRun run) throws CreamException, CommandException {
        Endpoint endpoint = run.endpoint();
        List<String> ids = run.named(CreamOption.DELEGATED);
        if (ids.isEmpty()) {
            throw new CreamException("delegation ID argument is mandatory. Stop.");
        }
        CreamDelegation delegation = delegation(run);
        int status = 0;
        for (String id : ids) {
            try {
                delegation.renew(endpoint, id);
                // the missing bracket is CREAM's
                run.out()
                        .println("Proxy with delegation id [" + id + " succesfully renewed to endpoint ["
                                + run.words().value(CreamOption.ENDPOINT) + "]");
            } catch (CreamException e) {
                run.error("Delegation [" + id + "]: " + e.getMessage());
                status = 1;
            }
        }
        return status;
    }

    private static int lease(CreamRun run) throws CreamException, CommandException {
        Endpoint endpoint = run.endpoint();
        String id = one(run, CreamOption.LEASE_ID, "Lease ID argument is mandatory. Stop.");
        int seconds = run.words().number(CreamOption.SECONDS, 3600, 1, SECONDS_MAX);
        Instant now = run.clock().instant();
        XmlElement lease =
                run.client().lease(endpoint, id, now.plusSeconds(seconds).toString());
        Instant granted = CreamTime.parse(lease.childText(TYPES, "leaseTime"));
        if (granted == null) {
            throw new CreamException(endpoint + " did not say how long the lease holds.");
        }
        long left = Math.round(Duration.between(now, granted).toMillis() / 1000.0);
        run.out().println("You requested lease time [" + seconds + "] for lease ID [" + id + "]");
        run.out().println("CREAM negotiated the lease time to [" + left + "]");
        return 0;
    }

    private static int events(CreamRun run) throws CreamException, CommandException {
        Endpoint endpoint = run.endpoint();
        String range = one(
                run,
                CreamOption.EVENT_IDS,
                "Specified event id range is wrong; must have the format 'number-number'. Stop");
        if (!range.matches("[0-9]{1,18}-[0-9]{0,18}")) {
            throw new CreamException("Specified event id range is wrong; must have the format 'number-number'. Stop");
        }
        String[] ends = range.split("-", -1);
        XmlElement answer = run.client()
                .events(
                        endpoint,
                        ends[0],
                        ends[1].isEmpty() ? null : ends[1],
                        run.words().number(CreamOption.EVENTS, 100, 1, EVENTS_MAX),
                        JobCommands.states(run.words().value(CreamOption.STATES)));
        for (XmlElement event : answer.children()) {
            if (event.is(TYPES, "event")) {
                show(run, endpoint, event);
            }
        }
        return 0;
    }

    private static void show(CreamRun run, Endpoint endpoint, XmlElement event) {
        Instant time = CreamTime.parse(event.childText(TYPES, "timestamp"));
        run.out().println("EventID=[" + text(event, "id") + "]");
        run.out().println("timestamp=[" + (time == null ? "" : time.getEpochSecond()) + "]");
        for (XmlElement property : event.children()) {
            if (property.is(TYPES, "property")) {
                String name = text(property, "name");
                String value = text(property, "value");
                boolean isState = name.equals("type") && value.matches("[0-9]|10");
                String shown = isState
                        ? STATES.get(Integer.parseInt(value))
                        : name.equals("jobId") && !value.startsWith("https://") ? endpoint.url(value) : value;
                run.out().println("  \t[" + (name.equals("type") ? "status" : name) + "]=[" + shown + "]");
            }
        }
        run.out().println();
    }

    private static int info(CreamRun run) throws CreamException, CommandException {
        XmlElement info =
                run.client().serviceInfo(run.endpointOperand(), run.words().number(CreamOption.VERBOSITY, 0, 0, 2));
        run.out().println("Interface Version  = [" + text(info, "interfaceVersion") + "]");
        run.out().println("Service Version    = [" + text(info, "serviceVersion") + "]");
        if (info.childText(TYPES, "description") != null) {
            run.out().println("Description        = [" + text(info, "description") + "]");
        }
        run.out().println("Started at         = [" + CreamTime.asCtime(text(info, "startupTime")) + "]");
        run.out().println("Submission enabled = [" + (accepts(info) ? "YES" : "NO") + "]");
        if (info.childText(TYPES, "status") != null) {
            run.out().println("Status             = [" + text(info, "status") + "]");
        }
        for (XmlElement child : info.children()) {
            if (child.is(TYPES, "property")) {
                run.out().println("Service Property   = [" + text(child, "name") + "]->[" + text(child, "value") + "]");
            } else if (child.is(TYPES, "message")) {
                run.out()
                        .println("Service Message    = [" + text(child, "type") + "]->[" + text(child, "message")
                                + "] [" + CreamTime.asCtime(text(child, "timastamp")) + "]");
            }
        }
        return 0;
    }

    private static boolean accepts(XmlElement info) {
        String accepts = text(info, "doesAcceptNewJobSubmissions");
        return accepts.equals("true") || accepts.equals("1");
    }

    private static int allowed(CreamRun run) throws CreamException {
        boolean accepts = accepts(run.client().serviceInfo(run.endpointOperand(), 2));
        run.out().println("Job Submission to this CREAM CE is " + (accepts ? "enabled" : "disabled"));
        return 0;
    }

    private static String text(XmlElement element, String name) {
        String text = element.childText(TYPES, name);
        return text == null ? "" : CreamFaults.plain(text);
    }
}
