// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jobgate.job.After;
import org.jobgate.job.ElementKey;
import org.jobgate.job.Evidence;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.PendingReason;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes jobs as clients see them (the schema Job); what is absent is left out. */
final class JobView {

    /** The members of a job, as {@code fields} may name them. */
    static final List<String> MEMBERS = List.of(
            "id",
            "version",
            "state",
            "holding",
            "holdAt",
            "final",
            "lrm",
            "account",
            "owner",
            "idempotencyKey",
            "localIds",
            "created",
            "changed",
            "queued",
            "started",
            "ended",
            "terminationTime",
            "exitCode",
            "signal",
            "wallTimeSeconds",
            "outcome",
            "fault",
            "suspendWish",
            "waiting",
            "array",
            "index",
            "door",
            "language",
            "links");

    private static final double MILLIS = 1e3;

    private final JsonGenerator out;
    private final @Nullable Set<String> wanted;
    private final ElementIndexes indexes;

    /**
     * @param wanted the members to write beside the id; absent: all
     * @param indexes of elements of arrays
     */
    JobView(JsonGenerator out, @Nullable Set<String> wanted, ElementIndexes indexes) {
        this.out = out;
        this.wanted = wanted;
        this.indexes = requireNonNull(indexes, "indexes is null");
    }

    void write(Job job) {
        out.writeStartObject();
        out.writeStringProperty("id", job.id().toString());
        if (wants("version")) {
            out.writeNumberProperty("version", job.version());
        }
        text("state", StateWord.of(job.state()));
        truth("holding", job.holding() && !After.keeps(job));
        state("holdAt", job.holdAt());
        truth("final", job.state().isTerminal());
        text("lrm", job.lrm());
        text("account", job.owner().account());
        text("owner", job.owner().subject());
        Optional<ElementKey> element = ElementKey.of(job);
        if (element.isEmpty() && !job.key().clientId().equals(job.id().toString())) {
            text("idempotencyKey", job.key().clientId());
        }
        if (wants("localIds")) {
            out.writeArrayPropertyStart("localIds");
            job.localIds().forEach(out::writeString);
            out.writeEndArray();
        }
        time("created", job.created());
        time("changed", job.changed());
        time("queued", job.queued());
        time("started", job.started());
        time("ended", job.ended());
        time("terminationTime", job.terminationTime());
        ending(job.ending());
        if (job.suspendWish() != null) {
            text("suspendWish", job.suspendWish().name().toLowerCase(Locale.ROOT));
        }
        waiting(job);
        element.ifPresent(this::element);
        text("door", job.origin().door());
        text("language", job.origin().language());
        if (wants("links")) {
            links(job);
        }
        out.writeEndObject();
    }

    private void ending(@Nullable JobOutcome ending) {
        if (ending == null) {
            return;
        }
        number("exitCode", ending.exitCode());
        number("signal", ending.signal());
        Duration wallTime = ending.wallTime();
        if (wallTime != null && wants("wallTimeSeconds")) {
            out.writeNumberProperty("wallTimeSeconds", wallTime.toMillis() / MILLIS);
        }
        state("outcome", ending.outcome());
        if (ending.fault() != null && wants("fault")) {
            out.writeName("fault");
            write(out, ending.fault());
        }
    }

    private void waiting(Job job) {
        PendingReason reason = job.pendingReason();
        if (reason != null && wants("waiting")) {
            out.writeObjectPropertyStart("waiting");
            out.writeStringProperty("since", reason.since().toString());
            out.writeStringProperty("because", reason.because());
            out.writeEndObject();
        }
    }

    private void element(ElementKey element) {
        text("array", element.group().toString());
        if (wants("index")) {
            indexes.index(element).ifPresent(index -> out.writeNumberProperty("index", index));
        }
    }

    private void links(Job job) {
        String self = ApiServlet.PATH + "/jobs/" + job.id();
        String files = "/jobs/" + job.id();
        out.writeObjectPropertyStart("links");
        out.writeStringProperty("self", self);
        out.writeStringProperty("description", self + "/description");
        out.writeStringProperty("history", self + "/history");
        out.writeStringProperty("explain", self + "/explain");
        out.writeStringProperty("events", self + "/events");
        out.writeStringProperty("stdout", files + "/stdout");
        out.writeStringProperty("stderr", files + "/stderr");
        out.writeStringProperty("files", files + "/files/");
        out.writeEndObject();
    }

    /** Writes why a job did not run to its own end (the schema Fault). */
    static void write(JsonGenerator out, Fault fault) {
        out.writeStartObject();
        out.writeStringProperty("code", fault.code().name());
        out.writeStringProperty("origin", fault.origin().name());
        out.writeStringProperty("sentence", fault.sentence());
        out.writeStringProperty("remedy", fault.remedy());
        present(out, "attribute", PartNames.of(fault));
        present(out, "value", fault.value());
        present(out, "destination", fault.destination());
        if (fault.during() != null) {
            out.writeStringProperty("during", StateWord.of(fault.during()));
        }
        Evidence evidence = fault.evidence();
        if (evidence != null) {
            out.writeObjectPropertyStart("evidence");
            out.writeStringProperty("command", evidence.command());
            if (evidence.exitCode() != null) {
                out.writeNumberProperty("exitCode", evidence.exitCode());
            }
            out.writeStringProperty("output", evidence.output());
            out.writeEndObject();
        }
        out.writeEndObject();
    }

    private static void present(JsonGenerator out, String name, @Nullable String value) {
        if (value != null) {
            out.writeStringProperty(name, value);
        }
    }

    private boolean wants(String name) {
        return wanted == null || wanted.contains(name);
    }

    private void text(String name, String value) {
        if (wants(name)) {
            out.writeStringProperty(name, value);
        }
    }

    private void truth(String name, boolean value) {
        if (wants(name)) {
            out.writeBooleanProperty(name, value);
        }
    }

    private void state(String name, @Nullable JobState value) {
        if (value != null && wants(name)) {
            out.writeStringProperty(name, StateWord.of(value));
        }
    }

    private void time(String name, @Nullable Instant value) {
        if (value != null && wants(name)) {
            out.writeStringProperty(name, value.toString());
        }
    }

    private void number(String name, @Nullable Integer value) {
        if (value != null && wants(name)) {
            out.writeNumberProperty(name, value);
        }
    }
}
