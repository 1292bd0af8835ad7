// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static org.jobgate.cli.cream.CreamClient.TYPES;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jobgate.cli.cream.CreamFaults;
import org.jobgate.cli.cream.CreamTime;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/** Reads how jobs stand from answers and events. */
final class Statuses {

    private Statuses() {}

    /** The short id of the job that a result is about; empty where it names none. */
    static String id(XmlElement result) {
        XmlElement status = result.child(TYPES, "jobStatus");
        XmlElement id = (status == null ? result : status).child(TYPES, "jobId");
        String text = id == null ? result.attribute("", "jobDescriptionId") : id.childText(TYPES, "id");
        return text == null ? "" : text.substring(text.lastIndexOf('/') + 1);
    }

    /** A result of JobStatus; null where it tells nothing that can be used. A job that is not known there any more is ABORTED. */
    static JobChanges.@Nullable Told of(XmlElement result, long now) {
        XmlElement status = result.child(TYPES, "jobStatus");
        if (status == null) {
            XmlElement fault = CreamFaults.in(result);
            return fault != null && fault.name().equals("JobUnknownFault")
                    ? new JobChanges.Told(id(result), IceState.ABORTED, now, null, CreamFaults.text(fault), true)
                    : null;
        }
        String reason = status.childText(TYPES, "failureReason");
        return IceState.of(String.valueOf(status.childText(TYPES, "name")))
                .map(state -> new JobChanges.Told(
                        id(result),
                        state,
                        time(status, now),
                        code(status.childText(TYPES, "exitCode")),
                        reason == null ? status.childText(TYPES, "description") : reason,
                        false))
                .orElse(null);
    }

    /** An event; null where it is no state of a job of ours. */
    static JobChanges.@Nullable Told ofEvent(XmlElement event, long now) {
        Map<String, String> properties = new HashMap<>();
        for (XmlElement child : event.children()) {
            String name = child.is(TYPES, "property") ? child.childText(TYPES, "name") : null;
            String value = name == null ? null : child.childText(TYPES, "value");
            if (name != null && value != null) {
                properties.put(name, value);
            }
        }
        String job = properties.getOrDefault("jobId", "");
        return IceState.ofNumber(properties.getOrDefault("type", ""))
                .map(state -> new JobChanges.Told(
                        job.substring(job.lastIndexOf('/') + 1),
                        state,
                        time(event, now),
                        code(properties.get("exitCode")),
                        properties.get("failureReason"),
                        false))
                .orElse(null);
    }

    private static long time(XmlElement element, long otherwise) {
        Instant time = CreamTime.parse(element.childText(TYPES, "timestamp"));
        return time == null ? otherwise : time.toEpochMilli();
    }

    /** CREAM writes a letter where it waits for the wrapper's word. */
    private static @Nullable Integer code(@Nullable String text) {
        return text != null && text.matches("-?[0-9]{1,9}") ? Integer.valueOf(text) : null;
    }
}
