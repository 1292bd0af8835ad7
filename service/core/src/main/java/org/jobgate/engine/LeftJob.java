// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobId;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmSource;
import org.jobgate.store.DoorRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A job that an LRM has and the restored store does not.
 *
 * @param source the LRM and account that reported it
 * @param event what was told last
 */
public record LeftJob(LrmSource source, LrmEvent event) {

    private static final JsonMapper JSON = new JsonMapper();
    private static final long SIZE_BESIDES = 300;

    /** About how many bytes it takes. */
    long size() {
        return SIZE_BESIDES + event.toString().length();
    }

    String id() {
        return event.tag() + "/" + source.lrm() + "/" + (source.account() == null ? "" : source.account());
    }

    /** Nothing follows an end, and what is not known says less than what was known. */
    boolean isFollowedBy(LrmEvent next) {
        return event.kind() != LrmEvent.Kind.ENDED && next.kind() != LrmEvent.Kind.UNKNOWN;
    }

    DoorRecord record(String kind, Instant now) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("lrm", source.lrm());
        body.put("account", source.account());
        body.put("ids", event.localIds());
        body.put("kind", event.kind().name());
        body.put("at", event.at().toEpochMilli());
        LrmEvent.End end = event.end();
        if (end != null) {
            body.put("cause", end.cause().name());
            body.put("exit", end.exitCode());
            body.put("signal", end.signal());
            Duration wall = end.wallTime();
            body.put("wall", wall == null ? null : wall.toMillis());
            Fault fault = end.fault();
            if (fault != null) {
                body.put("fault", List.of(fault.code().name(), fault.sentence(), fault.remedy()));
            }
        }
        return new DoorRecord(kind, id(), null, null, JSON.writeValueAsString(body), now);
    }

    static LeftJob read(DoorRecord record) {
        JsonNode body = JSON.readTree(record.body());
        LrmEvent.Kind kind = LrmEvent.Kind.valueOf(body.path("kind").asString());
        return new LeftJob(
                new LrmSource(body.path("lrm").asString(), text(body.path("account"))),
                new LrmEvent(
                        JobId.parse(record.id().substring(0, 36)),
                        body.path("ids").valueStream().map(JsonNode::asString).toList(),
                        kind,
                        Instant.ofEpochMilli(body.path("at").asLong()),
                        kind == LrmEvent.Kind.ENDED ? end(body) : null));
    }

    private static LrmEvent.End end(JsonNode body) {
        JsonNode wall = body.path("wall");
        JsonNode fault = body.path("fault");
        return new LrmEvent.End(
                LrmEvent.Cause.valueOf(body.path("cause").asString()),
                number(body.path("exit")),
                number(body.path("signal")),
                wall.isNumber() ? Duration.ofMillis(wall.asLong()) : null,
                fault.isArray()
                        ? Fault.of(
                                FaultCode.valueOf(fault.path(0).asString()),
                                fault.path(1).asString(),
                                fault.path(2).asString())
                        : null,
                null);
    }

    private static @Nullable String text(JsonNode value) {
        return value.isString() ? value.asString() : null;
    }

    private static @Nullable Integer number(JsonNode value) {
        return value.isNumber() ? value.asInt() : null;
    }
}
