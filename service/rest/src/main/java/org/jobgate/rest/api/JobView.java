// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jobgate.job.ElementKey;
import org.jobgate.job.Evidence;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.PendingReason;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.core.io.SerializedString;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes jobs as clients see them (the schema Job); what is absent is left out. A job is put together as one text: a list has thousands, and a
 * generator's work for each member and letter took most of their time. Not for several threads.
 */
final class JobView {

    /** The members of a job. */
    private enum Member {
        ID("id"),
        VERSION("version"),
        STATE("state"),
        HOLDING("holding"),
        HOLD_AT("holdAt"),
        FINAL("final"),
        LRM("lrm"),
        ACCOUNT("account"),
        OWNER("owner"),
        IDEMPOTENCY_KEY("idempotencyKey"),
        LOCAL_IDS("localIds"),
        CREATED("created"),
        CHANGED("changed"),
        QUEUED("queued"),
        STARTED("started"),
        ENDED("ended"),
        TERMINATION_TIME("terminationTime"),
        EXIT_CODE("exitCode"),
        SIGNAL("signal"),
        WALL_TIME_SECONDS("wallTimeSeconds"),
        OUTCOME("outcome"),
        FAULT("fault"),
        SUSPEND_WISH("suspendWish"),
        WAITING("waiting"),
        ARRAY("array"),
        INDEX("index"),
        DOOR("door"),
        LANGUAGE("language"),
        LINKS("links");

        private final String name;

        /** What stands before the value; the id is first. */
        private final String head;

        Member(String name) {
            this.name = name;
            this.head = ",\"" + name + "\":";
        }
    }

    /** The members of a job, as {@code fields} may name them. */
    static final List<String> MEMBERS =
            Arrays.stream(Member.values()).map(member -> member.name).toList();

    /** A text with its bytes by the platform: the generator would make them letter by letter, which took a third of a list. */
    private static final class Encoded extends SerializedString {

        private static final long serialVersionUID = 1L;

        /** @param isAscii so that nobody has to look for other letters again, which took a tenth of a list */
        Encoded(String text, boolean isAscii) {
            super(text);
            _unquotedUTF8Ref = text.getBytes(isAscii ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
        }
    }

    /**
     * What was written last of a member, with its head: the jobs of a list have most of their texts in common.
     *
     * @param value the text itself
     */
    private record Known(String value, String written, boolean isAscii) {}

    private static final double MILLIS = 1e3;
    private static final JsonMapper JSON = new JsonMapper();
    private static final int USUAL_LENGTH = 1_500;
    private static final char LAST_OF_ASCII = 0x7f;

    /** What stands before, between and behind the eight ids of a job's links. */
    private static final String[] LINKS = {
        Member.LINKS.head + "{\"self\":\"" + ApiServlet.PATH + "/jobs/",
        "\",\"description\":\"" + ApiServlet.PATH + "/jobs/",
        "/description\",\"history\":\"" + ApiServlet.PATH + "/jobs/",
        "/history\",\"explain\":\"" + ApiServlet.PATH + "/jobs/",
        "/explain\",\"events\":\"" + ApiServlet.PATH + "/jobs/",
        "/events\",\"stdout\":\"/jobs/",
        "/stdout\",\"stderr\":\"/jobs/",
        "/stderr\",\"files\":\"/jobs/",
        "/files/\"}"
    };

    private final JsonGenerator out;
    private final EnumSet<Member> wanted;
    private final ElementIndexes indexes;
    private final TimeText times = new TimeText();
    private final StringBuilder text = new StringBuilder(USUAL_LENGTH);
    private final Map<Member, Known> known = new EnumMap<>(Member.class);

    /** Whether what is in {@link #text} has letters of ASCII only. */
    private boolean isAscii;

    /**
     * @param wanted the members to write beside the id; absent: all
     * @param indexes of elements of arrays
     */
    JobView(JsonGenerator out, @Nullable Set<String> wanted, ElementIndexes indexes) {
        this.out = out;
        this.wanted = wanted == null
                ? EnumSet.allOf(Member.class)
                : Arrays.stream(Member.values())
                        .filter(member -> wanted.contains(member.name))
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Member.class)));
        this.indexes = requireNonNull(indexes, "indexes is null");
    }

    void write(Job job) {
        text.setLength(0);
        isAscii = true;
        String id = job.id().toString();
        text.append("{\"id\":\"").append(id).append('"');
        if (wants(Member.VERSION)) {
            text.append(Member.VERSION.head).append(job.version());
        }
        word(Member.STATE, StateWord.of(job.state()));
        truth(Member.HOLDING, job.isHeld());
        state(Member.HOLD_AT, job.holdAt());
        truth(Member.FINAL, job.state().isTerminal());
        text(Member.LRM, job.lrm());
        text(Member.ACCOUNT, job.owner().account());
        text(Member.OWNER, job.owner().subject());
        Optional<ElementKey> element = ElementKey.of(job);
        if (element.isEmpty() && !job.key().clientId().equals(id) && wants(Member.IDEMPOTENCY_KEY)) {
            quoted(Member.IDEMPOTENCY_KEY.head, job.key().clientId());
        }
        localIds(job.localIds());
        time(Member.CREATED, job.created());
        time(Member.CHANGED, job.changed());
        time(Member.QUEUED, job.queued());
        time(Member.STARTED, job.started());
        time(Member.ENDED, job.ended());
        time(Member.TERMINATION_TIME, job.terminationTime());
        outcome(job.outcome());
        if (job.suspendWish() != null) {
            word(Member.SUSPEND_WISH, job.suspendWish().name().toLowerCase(Locale.ROOT));
        }
        waiting(job);
        element.ifPresent(this::element);
        text(Member.DOOR, job.origin().door());
        text(Member.LANGUAGE, job.origin().language());
        if (wants(Member.LINKS)) {
            links(id);
        }
        out.writeRawValue(new Encoded(text.append('}').toString(), isAscii));
    }

    private void localIds(List<String> ids) {
        if (!wants(Member.LOCAL_IDS)) {
            return;
        }
        text.append(Member.LOCAL_IDS.head).append('[');
        for (int i = 0; i < ids.size(); i++) {
            quoted(i == 0 ? "" : ",", ids.get(i));
        }
        text.append(']');
    }

    private void outcome(@Nullable JobOutcome outcome) {
        if (outcome == null) {
            return;
        }
        number(Member.EXIT_CODE, outcome.exitCode());
        number(Member.SIGNAL, outcome.signal());
        Duration wallTime = outcome.wallTime();
        if (wallTime != null && wants(Member.WALL_TIME_SECONDS)) {
            text.append(Member.WALL_TIME_SECONDS.head).append(wallTime.toMillis() / MILLIS);
        }
        state(Member.OUTCOME, outcome.outcome());
        if (outcome.fault() != null && wants(Member.FAULT)) {
            StringWriter fault = new StringWriter();
            try (JsonGenerator json = JSON.createGenerator(fault)) {
                write(json, outcome.fault());
            }
            text.append(Member.FAULT.head).append(fault);
            isAscii = false; // it may have any
        }
    }

    private void waiting(Job job) {
        PendingReason reason = job.pendingReason();
        if (reason != null && wants(Member.WAITING)) {
            text.append(Member.WAITING.head).append("{\"since\":\"");
            times.append(text, reason.since());
            quoted("\",\"because\":", reason.because());
            text.append('}');
        }
    }

    private void element(ElementKey element) {
        text(Member.ARRAY, element.group().toString());
        if (wants(Member.INDEX)) {
            indexes.index(element)
                    .ifPresent(index -> text.append(Member.INDEX.head).append(index));
        }
    }

    private void links(String id) {
        text.append(LINKS[0]);
        for (int i = 1; i < LINKS.length; i++) {
            text.append(id).append(LINKS[i]);
        }
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

    private boolean wants(Member member) {
        return wanted.contains(member);
    }

    private void quoted(String head, String value) {
        text.append(head).append('"');
        if (isPlain(value)) {
            text.append(value);
        } else {
            text.append(JsonStringEncoder.getInstance().quoteAsCharArray(value));
            isAscii = false; // it may have others too
        }
        text.append('"');
    }

    /** Whether a JSON string can hold it as it is; letters that are not of ASCII are as good, and noted. */
    private boolean isPlain(String value) {
        int all = 0;
        for (int i = 0; i < value.length(); i++) {
            char letter = value.charAt(i);
            if (letter < ' ' || letter == '"' || letter == '\\') {
                return false;
            }
            all |= letter;
        }
        isAscii &= all <= LAST_OF_ASCII;
        return true;
    }

    private void text(Member member, String value) {
        if (!wants(member)) {
            return;
        }
        Known last = known.get(member);
        if (last != null && last.value.equals(value)) {
            text.append(last.written);
            isAscii &= last.isAscii;
            return;
        }
        boolean before = isAscii;
        int begin = text.length();
        isAscii = true;
        quoted(member.head, value);
        known.put(member, new Known(value, text.substring(begin), isAscii));
        isAscii &= before;
    }

    /** A text of our own, of letters only. */
    private void word(Member member, String value) {
        if (wants(member)) {
            text.append(member.head).append('"').append(value).append('"');
        }
    }

    private void truth(Member member, boolean value) {
        if (wants(member)) {
            text.append(member.head).append(value);
        }
    }

    private void state(Member member, @Nullable JobState value) {
        if (value != null) {
            word(member, StateWord.of(value));
        }
    }

    private void time(Member member, @Nullable Instant value) {
        if (value != null && wants(member)) {
            text.append(member.head).append('"');
            times.append(text, value);
            text.append('"');
        }
    }

    private void number(Member member, @Nullable Integer value) {
        if (value != null && wants(member)) {
            text.append(member.head).append(value.intValue());
        }
    }
}
