// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import static java.util.Objects.requireNonNull;
import static org.jobgate.cli.cream.CreamClient.TYPES;

import java.io.PrintStream;
import java.util.List;
import java.util.Set;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/** Shows jobs as glite-ce-job-status does. The form, blanks too, is what programs of users read. */
final class StatusPrinter {

    private static final Set<String> OVER = Set.of("DONE-OK", "DONE-FAILED", "CANCELLED", "ABORTED");
    private static final Set<String> FAILED = Set.of("DONE-FAILED", "CANCELLED", "ABORTED");

    private final PrintStream out;

    StatusPrinter(PrintStream out) {
        this.out = requireNonNull(out, "out is null");
    }

    /** A result of JobStatus, at level 0. */
    void status(Endpoint endpoint, XmlElement result) {
        XmlElement status = result.child(TYPES, "jobStatus");
        begin(endpoint, result, status);
        if (status == null) {
            fault(result);
        } else {
            line("\tStatus        = ", text(status, "name"));
            if (OVER.contains(text(status, "name"))) {
                line("\tExitCode      = ", text(status, "exitCode"));
                if (FAILED.contains(text(status, "name"))) {
                    line("\tFailureReason = ", text(status, "failureReason"));
                }
                given("\tDescription   = ", status, "description");
            }
        }
        out.print("\n\n");
    }

    /** A result of JobInfo, at level 1 or 2. */
    void info(Endpoint endpoint, XmlElement result, int level) {
        XmlElement info = result.child(TYPES, "jobInfo");
        begin(endpoint, result, info);
        if (info == null) {
            fault(result);
            return;
        }
        List<XmlElement> states = children(info, "status");
        if (!states.isEmpty()) {
            current(info, states.getLast(), level);
        }
        given("\tGrid JobID     = ", info, "GridJobId");
        if (level > 1) {
            details(info);
        }
        out.print("\n\tJob status changes:\n\t-------------------\n");
        states.forEach(state -> out.print("\tStatus         = [" + text(state, "name") + "] - "
                + CreamTime.shown(state.childText(TYPES, "timestamp")) + "\n"));
        out.print("\n\tIssued Commands:\n\t-------------------\n");
        children(info, "lastCommand").forEach(command -> command(command, level));
    }

    private void begin(Endpoint endpoint, XmlElement result, @Nullable XmlElement content) {
        XmlElement id = content == null ? null : content.child(TYPES, "jobId");
        String key = result.attribute("", "jobDescriptionId");
        String shown = id != null || key == null ? CreamClient.fullId(endpoint, id) : key;
        out.print("\n******  JobID=[" + CreamFaults.plain(shown) + "]\n");
    }

    private void fault(XmlElement result) {
        XmlElement fault = CreamFaults.in(result);
        out.print(
                "\tFor this job CREAM has returned a fault: " + (fault == null ? "" : CreamFaults.text(fault)) + "\n");
    }

    private void current(XmlElement info, XmlElement last, int level) {
        String name = text(last, "name");
        line("\tCurrent Status = ", name);
        if (level > 1) {
            given("\tWorking Dir    = ", info, "workingDirectory");
        }
        if (OVER.contains(name)) {
            line("\tExitCode       = ", text(last, "exitCode"));
            if (FAILED.contains(name)) {
                line("\tFailureReason  = ", text(last, "failureReason"));
            }
            given("\tDescription    = ", last, "description");
        }
    }

    private void details(XmlElement info) {
        given("\tLRMS Abs JobID = ", info, "LRMSAbsLayerJobId");
        given("\tLRMS JobID     = ", info, "LRMSJobId");
        given("\tDeleg Proxy ID = ", info, "delegationProxyId");
        String proxy = text(info, "delegationProxyInfo").replace("\n", "\n\t\t\t  ");
        if (!proxy.isEmpty()) {
            line("\tDelegProxyInfo = ", proxy);
        }
        given("\tWorker Node    = ", info, "workerNode");
        given("\tLocal User     = ", info, "localUser");
        given("\tCREAM ISB URI  = ", info, "CREAMInputSandboxURI");
        given("\tCREAM OSB URI  = ", info, "CREAMOutputSandboxURI");
        given("\tJDL            = ", info, "JDL");
        given("\tType           = ", info, "type");
        XmlElement lease = info.child(TYPES, "lease");
        if (lease != null) {
            given("\tLease ID       = ", lease, "leaseId");
            out.print("\tLease Time     = " + CreamTime.shown(lease.childText(TYPES, "leaseTime")) + "\n");
        }
    }

    private void command(XmlElement command, int level) {
        out.print("\n");
        line("\t*** Command Name              = ", text(command, "name"));
        given("\t    Command Id                = ", command, "id");
        line("\t    Command Category          = ", text(command, "category"));
        line("\t    Command Status            = ", text(command, "status"));
        given("\t    Command Fail Reason       = ", command, "failureReason");
        if (level > 1) {
            time("\t    Creation Time             = ", command, "creationTime");
            time("\t    Start Scheduling Time     = ", command, "startSchedulingTime");
            time("\t    Start Processing Time     = ", command, "startProcessingTime");
            time("\t    Execution Completed Time  = ", command, "executionCompletedTime");
        }
        out.print("\n");
    }

    private void time(String head, XmlElement element, String name) {
        String time = element.childText(TYPES, name);
        if (time != null) {
            out.print(head + CreamTime.shown(time) + "\n");
        }
    }

    private void given(String head, XmlElement element, String name) {
        String value = text(element, name);
        if (!value.isEmpty()) {
            line(head, value);
        }
    }

    private void line(String head, String value) {
        out.print(head + "[" + value + "]\n");
    }

    private static String text(XmlElement element, String name) {
        String text = element.childText(TYPES, name);
        return text == null ? "" : CreamFaults.plain(text);
    }

    private static List<XmlElement> children(XmlElement element, String name) {
        return element.children().stream()
                .filter(child -> child.is(TYPES, name))
                .toList();
    }
}
