// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.rft;

import java.io.IOException;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/**
 * How a request stands, as its properties say.
 *
 * @param status Pending, Active, Done, Failed or Cancelled
 * @param bytes moved so far
 * @param fault why the last transfer failed
 */
record RftState(
        String status,
        int finished,
        int retrying,
        int failed,
        int active,
        int pending,
        int cancelled,
        long bytes,
        @Nullable String fault) {

    /** Reads the answer to GetMultipleResourceProperties. */
    static RftState of(XmlElement response, String address) throws IOException {
        XmlElement overall = response.child(Names.RFT, "OverallStatusProperty");
        XmlElement request = response.child(Names.RFT, "RequestStatusProperty");
        XmlElement total = response.child(Names.RFT, "TotalBytes");
        if (overall == null || request == null) {
            throw new IOException(address + " answered without the status of the request.");
        }
        String status = request.childText(Names.RFT, "requestStatus");
        String bytes = total == null ? null : total.childText(Names.RFT, "totalBytes");
        return new RftState(
                status == null ? "" : status.strip(),
                count(overall, "transfersFinished"),
                count(overall, "transfersRestarted"),
                count(overall, "transfersFailed"),
                count(overall, "transfersActive"),
                count(overall, "transfersPending"),
                count(overall, "transfersCancelled"),
                bytes == null || !bytes.strip().matches("[0-9]{1,18}") ? 0 : Long.parseLong(bytes.strip()),
                fault(overall));
    }

    private static int count(XmlElement overall, String name) {
        String text = overall.childText(Names.RFT, name);
        return text == null || !text.strip().matches("[0-9]{1,9}") ? 0 : Integer.parseInt(text.strip());
    }

    private static @Nullable String fault(XmlElement overall) {
        XmlElement fault = overall.child(Names.RFT, "fault");
        return fault == null || fault.children().isEmpty()
                ? null
                : fault.children().getFirst().childText(Names.BASE_FAULTS, "Description");
    }

    int all() {
        return finished + retrying + failed + active + pending + cancelled;
    }

    boolean isOver() {
        return status.equals("Done") || status.equals("Failed") || status.equals("Cancelled");
    }

    /** As the status of the process: those that globus-crft -done has (facts/gram4.md section 6.3). */
    int exitStatus() {
        return switch (status) {
            case "Done" -> 0;
            case "Active" -> 1;
            case "Pending" -> 2;
            case "Cancelled" -> 3;
            default -> 4;
        };
    }

    /** All counts that are not 0, and the bytes. */
    String line() {
        StringBuilder out = new StringBuilder(120);
        out.append(status)
                .append(": ")
                .append(finished)
                .append(" of ")
                .append(all())
                .append(" finished");
        append(out, active, "active");
        append(out, retrying, "retrying");
        append(out, pending, "pending");
        append(out, cancelled, "cancelled");
        append(out, failed, "failed");
        return out.append(", ").append(bytes).append(" bytes").toString();
    }

    private static void append(StringBuilder out, int count, String what) {
        if (count > 0) {
            out.append(", ").append(count).append(' ').append(what);
        }
    }

    /** For a person's terminal. */
    String bar(int width) {
        int all = Math.max(1, all());
        int filled = (int) ((long) width * finished / all);
        return "[" + "#".repeat(filled) + ".".repeat(width - filled) + "] " + line();
    }
}
