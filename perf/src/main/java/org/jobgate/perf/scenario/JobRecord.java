// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A job as the admin endpoint tells it.
 *
 * @param clientId the key it was submitted with
 * @param states every state it came to, in order
 * @param ended when it came to a terminal state; absent as long as it lives
 */
record JobRecord(
        String id,
        String clientId,
        String state,
        boolean holding,
        Instant created,
        String changed,
        List<String> states,
        Optional<Instant> ended) {

    private static final List<String> TERMINAL = List.of("DONE", "FAILED", "CANCELLED");

    /** Reads a job of a list (without changes) or a single one (with). */
    static JobRecord of(JsonNode job) {
        List<String> states = new ArrayList<>();
        Instant ended = null;
        for (JsonNode change : job.path("changes")) {
            String to = plain(change.path("to").asString(""));
            if (states.isEmpty() || !states.getLast().equals(to)) {
                states.add(to);
            }
            // later changes of a job that is over tell of something else, e.g. that its owner has destroyed it
            if (ended == null && TERMINAL.contains(to)) {
                ended = Instant.parse(change.path("at").asString());
            }
        }
        return new JobRecord(
                job.path("id").asString(),
                job.path("clientId").asString(""),
                plain(job.path("state").asString("")),
                job.path("holding").asBoolean(false),
                Instant.parse(job.path("created").asString()),
                job.path("changed").asString(""),
                List.copyOf(states),
                Optional.ofNullable(ended));
    }

    /** When the job first came to this state; empty where it never did. */
    static Optional<Instant> reached(JsonNode job, String state) {
        for (JsonNode change : job.path("changes")) {
            if (plain(change.path("to").asString("")).equals(state)) {
                return Optional.of(Instant.parse(change.path("at").asString()));
            }
        }
        return Optional.empty();
    }

    /** One spelling, whether the endpoint says {@code STAGE_IN} or {@code StageIn}. */
    private static String plain(String state) {
        return state.replaceAll("([a-z])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
    }

    boolean isOver() {
        return TERMINAL.contains(state);
    }

    /** From the create to the end; empty as long as it lives. */
    Optional<Duration> life() {
        return ended.map(end -> Duration.between(created, end));
    }

    /** Whether it lived at that moment. */
    boolean livedAt(Instant moment) {
        return created.isBefore(moment) && ended.map(end -> end.isAfter(moment)).orElse(true);
    }

    /** All that a restart must leave as it is. */
    String standing() {
        return state + (holding ? " held" : "") + " since " + changed + ", key " + clientId;
    }
}
