// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.util.List;
import org.jobgate.job.ChirpAccess;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes the directories of a Chirp server that a job is to reach (the schema ChirpAccess). */
final class ChirpForm {

    private static final String NAME = "chirp";

    private ChirpForm() {}

    /** Asks for the member; null where it is absent. */
    static @Nullable ChirpAccess read(Fields description) throws Problem {
        if (!description.has(NAME)) {
            return null;
        }
        Fields fields = new Fields(description.present(NAME), description.path(NAME), description.budget());
        String server = fields.text("server");
        List<String> read = fields.texts("read");
        List<String> write = fields.texts("write");
        fields.end();
        try {
            return new ChirpAccess(server, read, write);
        } catch (IllegalArgumentException e) {
            throw Fields.wrong(description.path(NAME), Problem.plain(String.valueOf(e.getMessage())), "Correct it.");
        }
    }

    /** @param view the description of which it is a member */
    static void write(ChirpAccess chirp, ObjectNode view) {
        ObjectNode one = view.putObject(NAME);
        if (chirp.server() != null) {
            one.put("server", chirp.server());
        }
        texts(one, "read", chirp.read());
        texts(one, "write", chirp.write());
    }

    private static void texts(ObjectNode one, String name, List<String> texts) {
        if (!texts.isEmpty()) {
            ArrayNode array = one.putArray(name);
            texts.forEach(array::add);
        }
    }
}
