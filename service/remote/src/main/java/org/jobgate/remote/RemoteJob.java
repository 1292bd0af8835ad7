// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import java.util.Map;
import java.util.Optional;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.xml.XmlElement;
import org.jspecify.annotations.Nullable;

/**
 * What the other gateway says of a job.
 *
 * @param state as it stands on the wire
 * @param exitCode absent where it has none
 * @param fault why it failed; absent where it did not
 */
record RemoteJob(
        String state, @Nullable Integer exitCode, @Nullable GatewayFaultException fault) {

    private static final Map<String, LrmEvent.Kind> KINDS = Map.of(
            "Unsubmitted", LrmEvent.Kind.QUEUED,
            "StageIn", LrmEvent.Kind.QUEUED,
            "Pending", LrmEvent.Kind.QUEUED,
            "Active", LrmEvent.Kind.STARTED,
            "Suspended", LrmEvent.Kind.SUSPENDED,
            "Done", LrmEvent.Kind.ENDED,
            "Failed", LrmEvent.Kind.ENDED,
            "UserTerminateDone", LrmEvent.Kind.ENDED,
            "UserTerminateFailed", LrmEvent.Kind.ENDED);

    /** Reads the answer to a question for properties. */
    static RemoteJob read(XmlElement response) {
        return new RemoteJob(
                response.child("state").map(XmlElement::trimmedText).orElse(""),
                response.child("exitCode")
                        .map(XmlElement::trimmedText)
                        .flatMap(RemoteJob::number)
                        .orElse(null),
                response.child("fault")
                        .flatMap(property -> property.children().stream().findFirst())
                        .map(typed -> GatewayFaultException.ofTyped(typed, ""))
                        .orElse(null));
    }

    private static Optional<Integer> number(String text) {
        return text.matches("-?\\d{1,9}") ? Optional.of(Integer.valueOf(text)) : Optional.empty();
    }

    /** What happened to it; empty where its processes are over and its end is not settled yet, and where the state is not known. */
    Optional<LrmEvent.Kind> kind() {
        return Optional.ofNullable(KINDS.get(state));
    }

    /** How it ended. */
    LrmEvent.End end(String gateway) {
        return switch (state) {
            case "Done" -> new LrmEvent.End(LrmEvent.Cause.EXITED, exitCode, null, null, null, null);
            case "Failed" ->
                new LrmEvent.End(
                        LrmEvent.Cause.NOT_STARTED,
                        exitCode,
                        null,
                        null,
                        fault == null ? null : fault.fault(gateway),
                        null);
            default -> new LrmEvent.End(LrmEvent.Cause.CANCELLED, exitCode, null, null, null, null);
        };
    }
}
