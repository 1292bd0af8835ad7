// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import org.jobgate.store.Change;
import tools.jackson.core.JsonGenerator;

/** Writes changes of jobs (the schema Change). */
final class ChangeView {

    private ChangeView() {}

    static void write(JsonGenerator out, Change change) {
        out.writeStartObject();
        out.writeStringProperty("cursor", Long.toString(change.sequence()));
        out.writeStringProperty("job", change.job().toString());
        out.writeNumberProperty("version", change.version());
        out.writeStringProperty("at", change.at().toString());
        if (change.event() != null) {
            out.writeStringProperty("event", change.event().name());
        }
        if (change.from() != null) {
            out.writeStringProperty("from", StateWord.of(change.from()));
        }
        out.writeStringProperty("to", StateWord.of(change.to()));
        out.writeBooleanProperty("holding", change.isHeld());
        if (change.note() != null) {
            out.writeStringProperty("note", change.note());
        }
        out.writeEndObject();
    }
}
