// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jobgate.job.ElementState;
import org.jobgate.job.Job;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes arrays and their elements as clients see them (the schemas Array and Element); what is absent is left out. */
final class ArrayView {

    private static final String WAITING = "Waiting";
    private static final String HELD = "Held";

    private ArrayView() {}

    static void write(JsonGenerator out, JobGroup array) {
        String self = ApiServlet.PATH + "/arrays/" + array.id();
        out.writeStartObject();
        out.writeStringProperty("id", array.id().toString());
        out.writeNumberProperty("version", array.version());
        out.writeNumberProperty("size", array.indexes().size());
        out.writeStringProperty("indices", ArrayForm.text(array.indexes()));
        out.writeObjectPropertyStart("states");
        new EnumMap<>(array.counts().byState()).forEach((state, count) -> out.writeNumberProperty(word(state), count));
        out.writeEndObject();
        out.writeBooleanProperty("final", array.isOver());
        out.writeNumberProperty("failed", array.counts().of(ElementState.FAILED));
        out.writeNumberProperty("maxRunning", array.maxRunning());
        out.writeStringProperty("created", array.created().toString());
        out.writeStringProperty("changed", array.changed().toString());
        if (array.ended() != null) {
            out.writeStringProperty("ended", array.ended().toString());
        }
        out.writeStringProperty("lrm", array.lrm());
        out.writeStringProperty("account", array.owner().account());
        if (!array.key().clientId().equals(array.id().toString())) {
            out.writeStringProperty("idempotencyKey", array.key().clientId());
        }
        out.writeObjectPropertyStart("links");
        out.writeStringProperty("self", self);
        out.writeStringProperty("elements", self + "/elements");
        out.writeEndObject();
        out.writeEndObject();
    }

    /** Writes an element, with how its job ended where that is over. */
    static void write(JsonGenerator out, ArrayElements.Element element) {
        out.writeStartObject();
        out.writeNumberProperty("index", element.element().index());
        if (element.value() != null) {
            out.writeStringProperty("value", element.value());
        }
        out.writeStringProperty("state", word(element.element().state()));
        out.writeNumberProperty("attempt", element.element().attempt());
        if (element.element().job() != null) {
            out.writeStringProperty("job", element.element().job().toString());
        }
        JobOutcome outcome =
                Optional.ofNullable(element.job()).map(Job::outcome).orElse(null);
        if (outcome != null && outcome.exitCode() != null) {
            out.writeNumberProperty("exitCode", outcome.exitCode());
        }
        if (element.element().fault() != null) {
            out.writeName("fault");
            JobView.write(out, element.element().fault());
        } else if (outcome != null && outcome.fault() != null) {
            out.writeName("fault");
            JobView.write(out, outcome.fault());
        }
        out.writeEndObject();
    }

    /** As people write it: {@code Waiting}, and the states of jobs. */
    static String word(ElementState state) {
        return switch (state) {
            case WAITING -> WAITING;
            case HELD -> HELD;
            default -> StateWord.of(JobState.valueOf(state.name()));
        };
    }

    private static @Nullable ElementState parse(String word) {
        if (HELD.equalsIgnoreCase(word)) {
            return ElementState.HELD;
        }
        return WAITING.equalsIgnoreCase(word)
                ? ElementState.WAITING
                : StateWord.parse(word)
                        .map(state -> ElementState.valueOf(state.name()))
                        .orElse(null);
    }

    /** The states that the query names; none where it names none. */
    static Set<ElementState> states(Query query) throws Problem {
        Set<ElementState> states = new LinkedHashSet<>();
        for (String word : query.list("state").orElse(java.util.List.of())) {
            ElementState state = parse(word);
            if (state == null) {
                throw Query.wrong(
                        "state",
                        "there is no state " + Problem.told(word),
                        "The states are: " + WAITING + ", " + HELD + ", " + StateWord.all() + ".");
            }
            states.add(state);
        }
        return states;
    }
}
