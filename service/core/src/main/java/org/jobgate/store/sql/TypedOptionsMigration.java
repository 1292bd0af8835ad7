// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jobgate.job.JobState;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Three options of jobs were stored as extensions, under the names and with the words of GRAM's job description language. They are
 * members of the description now. The extensions stay in the list as well where they stand elsewhere than at its end in this order, or
 * say more than the option: the list then is what the client sees back, as it was written. GRAM's door follows the same rule.
 */
final class TypedOptionsMigration extends DescriptionMigration {

    private static final String EXTENSIONS = "extensions";
    private static final String HOLD_AGAIN = "holdAgain";

    /** In the order in which GRAM's door writes them. */
    private static final List<String> NAMES = List.of(HOLD_AGAIN, "stageOutOnFailure", "incrementalOutput");

    /** Where a job may be held once more, by GRAM's words. */
    private static final Map<String, JobState> HOLDS =
            Map.of("Pending", JobState.PENDING, "StageOut", JobState.STAGE_OUT, "CleanUp", JobState.CLEAN_UP);

    TypedOptionsMigration() {
        super(5, "typed options", NAMES);
    }

    @Override
    void rewrite(ObjectNode job) {
        if (!(job.get(EXTENSIONS) instanceof ArrayNode extensions)) {
            return;
        }
        // the last of a name counts
        Map<Integer, JsonNode> options = new TreeMap<>();
        extensions.forEach(extension -> {
            int place = NAMES.indexOf(extension.path("name").asString());
            if (place >= 0
                    && put(
                            job,
                            NAMES.get(place),
                            extension.path("text").asString().strip())) {
                options.put(place, extension);
            }
        });
        if (isTail(extensions, List.copyOf(options.values()))) {
            for (int i = 0; i < options.size(); i++) {
                extensions.remove(extensions.size() - 1);
            }
        }
        if (extensions.isEmpty()) {
            job.remove(EXTENSIONS);
        }
    }

    /** Answers whether the text is a value of the option; another text had no effect. */
    private static boolean put(ObjectNode job, String name, String text) {
        if (!name.equals(HOLD_AGAIN)) {
            job.put(name, Boolean.parseBoolean(text));
            return true;
        }
        HOLDS.forEach((word, state) -> {
            if (word.equalsIgnoreCase(text)) {
                job.put(name, state.name());
            }
        });
        return job.has(name);
    }

    /** Whether the list ends with these, each said once and with nothing but a plain word. */
    private static boolean isTail(ArrayNode extensions, List<JsonNode> options) {
        int start = extensions.size() - options.size();
        for (int i = 0; i < extensions.size(); i++) {
            JsonNode extension = extensions.get(i);
            boolean isOption = NAMES.contains(extension.path("name").asString());
            if (isOption != (i >= start)
                    || (isOption && !(extension.equals(options.get(i - start)) && isPlain(extension)))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPlain(JsonNode extension) {
        String text = extension.path("text").asString();
        return !extension.has("attributes")
                && !extension.has("children")
                && (HOLDS.containsKey(text) || text.equals("true") || text.equals("false"));
    }
}
