// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static java.util.Objects.requireNonNull;

import java.io.IOException;

/**
 * The message about a job to a consumer: one GRAM4 state notification (captures/gt4/10).
 *
 * @param jobId the ResourceID of the endpoint reference of who tells it
 * @param state GRAM4's name of the job's state
 */
public record Notification(String jobId, String state) {

    private static final String MESSAGE = "Notify/NotificationMessage/";

    public Notification {
        requireNonNull(jobId, "jobId is null");
        requireNonNull(state, "state is null");
    }

    /**
     * Reads the envelope of a Notify with one message, as the service sends it.
     *
     * @throws IOException if it is not well-formed, or names no job or no state
     */
    public static Notification parse(String xml) throws IOException {
        SoapReply notify = SoapReply.parse(xml);
        return new Notification(
                notify.text(MESSAGE + "ProducerReference/ReferenceProperties/ResourceID")
                        .orElseThrow(() -> new IOException("the notification names no job")),
                notify.text(MESSAGE + "Message/stateChangeNotificationMessage/state")
                        .orElseThrow(() -> new IOException("the notification names no state")));
    }
}
