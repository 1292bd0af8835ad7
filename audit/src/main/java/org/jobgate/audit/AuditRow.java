// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.access.SenderRecord;
import org.jobgate.job.Job;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.ResourceUse;
import org.jobgate.lrm.LrmUse;
import org.jobgate.store.Change;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is known of one job. The bodies of entries name the columns of the table of jobs, so that a row is what its entries say, one after
 * another: the newest word counts.
 */
final class AuditRow {

    /** The columns of the table of jobs but its key. */
    static final List<String> COLUMNS = List.of(
            "grid_id",
            "door",
            "language",
            "subject",
            "account",
            "client_id",
            "lrm",
            "created",
            "description",
            "local_ids",
            "queued",
            "started",
            "ended",
            "outcome",
            "exit_code",
            "signal",
            "wall_ms",
            "cpu_ms",
            "user_cpu_ms",
            "system_cpu_ms",
            "peak_memory_kib",
            "slots",
            "hosts",
            "queue",
            "measured_by",
            "method",
            "issuer",
            "vo",
            "fqans",
            "scopes",
            "permitted_because",
            "stage_in",
            "stage_out",
            "clean_up",
            "files_in",
            "bytes_in",
            "files_out",
            "bytes_out",
            "transfer_attempts",
            "transfer_failures",
            "fault",
            "sentence",
            "version");

    /** Those that an entry may say after the first one of its job. */
    static final List<String> LATER_COLUMNS = List.of(
            "local_ids",
            "queued",
            "started",
            "ended",
            "outcome",
            "exit_code",
            "signal",
            "wall_ms",
            "cpu_ms",
            "user_cpu_ms",
            "system_cpu_ms",
            "peak_memory_kib",
            "slots",
            "hosts",
            "queue",
            "measured_by",
            "stage_in",
            "stage_out",
            "clean_up",
            "files_in",
            "bytes_in",
            "files_out",
            "bytes_out",
            "transfer_attempts",
            "transfer_failures",
            "fault",
            "sentence");

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final TypeReference<LinkedHashMap<String, Object>> OBJECT = new TypeReference<>() {};

    private AuditRow() {}

    /**
     * What an entry says.
     *
     * @param body as it is written
     * @param values the same before it was written: texts and whole numbers, by the names of columns
     */
    record Said(String body, Map<String, Object> values) {

        /** What was written before. */
        static Said of(String body) {
            return new Said(body, JSON.readValue(body, OBJECT));
        }
    }

    /** What is said of a job when it is first seen; of one that the store has forgotten already, only its owner is known. */
    static Said created(
            Change change,
            @Nullable Job job,
            @Nullable String description,
            @Nullable SenderRecord sender,
            String jobServices,
            String version) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("grid_id", GridJobId.of(jobServices, change.job().toString()));
        body.put("door", job == null ? "" : job.key().door());
        body.put("language", job == null ? "" : job.language());
        body.put("subject", change.subject());
        body.put("account", job == null ? "" : job.owner().account());
        body.put("client_id", job == null ? null : job.key().clientId());
        body.put("lrm", job == null ? "" : job.lrm());
        body.put("created", (job == null ? change.at() : job.created()).toEpochMilli());
        body.put("description", description);
        if (sender != null) {
            body.put("method", sender.method());
            body.put("issuer", sender.issuer());
            body.put("vo", sender.fqans().isEmpty() ? null : vo(sender.fqans().getFirst()));
            body.put("fqans", texts(sender.fqans()));
            body.put("scopes", texts(sender.scopes()));
            body.put("permitted_because", sender.because().isEmpty() ? null : sender.because());
        }
        body.put("version", version);
        return write(body);
    }

    static Said queued(Change change, @Nullable Job job) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("queued", change.at().toEpochMilli());
        body.put("local_ids", job == null || job.localIds().isEmpty() ? null : String.join(",", job.localIds()));
        return write(body);
    }

    /**
     * How it ended.
     *
     * @param times when it came to which state, in milliseconds since 1970
     */
    static Said ended(Change change, @Nullable Job job, Map<JobState, Long> times, @Nullable Moved moved) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("outcome", change.to().name());
        body.put("ended", change.at().toEpochMilli());
        body.put("stage_in", times.get(JobState.STAGE_IN));
        body.put("stage_out", times.get(JobState.STAGE_OUT));
        body.put("clean_up", times.get(JobState.CLEAN_UP));
        if (moved != null) {
            body.put("files_in", moved.filesIn());
            body.put("bytes_in", moved.bytesIn());
            body.put("files_out", moved.filesOut());
            body.put("bytes_out", moved.bytesOut());
            body.put("transfer_attempts", moved.attempts());
            body.put("transfer_failures", moved.failures());
        }
        if (job != null) {
            body.put("local_ids", job.localIds().isEmpty() ? null : String.join(",", job.localIds()));
            Instant started = job.started();
            body.put("started", started == null ? null : started.toEpochMilli());
            JobOutcome outcome = job.outcome();
            if (outcome != null) {
                Duration wall = outcome.wallTime();
                body.put("exit_code", outcome.exitCode());
                body.put("signal", outcome.signal());
                body.put("wall_ms", wall == null ? null : wall.toMillis());
                put(body, outcome.used());
                body.put(
                        "fault",
                        outcome.fault() == null ? null : outcome.fault().code().name());
                body.put(
                        "sentence",
                        outcome.fault() == null ? null : outcome.fault().sentence());
            }
        }
        return write(body);
    }

    private static @Nullable String texts(List<String> texts) {
        return texts.isEmpty() ? null : String.join(";", texts);
    }

    /** The virtual organisation that an attribute is of: its first part. */
    private static String vo(String fqan) {
        String text = fqan.startsWith("/") ? fqan.substring(1) : fqan;
        int slash = text.indexOf('/');
        return slash < 0 ? text : text.substring(0, slash);
    }

    private static void put(Map<String, @Nullable Object> body, @Nullable ResourceUse used) {
        if (used == null) {
            return;
        }
        body.put("cpu_ms", millis(used.cpu()));
        body.put("user_cpu_ms", millis(used.userCpu()));
        body.put("system_cpu_ms", millis(used.systemCpu()));
        body.put("peak_memory_kib", used.peakMemoryKiB());
        body.put("slots", used.slots());
        body.put("hosts", used.hosts().isEmpty() ? null : String.join(",", used.hosts()));
        body.put("queue", used.queue());
        body.put("measured_by", used.measuredBy().name());
    }

    /** Something that an administrator has done. */
    static Said act(String who, String what) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("who", who);
        body.put("what", what);
        return write(body);
    }

    /** The use that an LRM's accounting has reported later; what it does not say stays as it was. */
    static Said used(LrmUse use) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("wall_ms", millis(use.wall()));
        put(body, use.used());
        return write(body);
    }

    private static @Nullable Long millis(@Nullable Duration time) {
        return time == null ? null : time.toMillis();
    }

    /** All that is known of a job, in place of entries that are taken off the chain. */
    static Said carried(Map<String, Object> row) {
        return write(new LinkedHashMap<>(row));
    }

    /** Where the chain begins from now on. */
    static Said purged(long upTo, String hash, int jobs) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("up_to", upTo);
        body.put("hash", hash);
        body.put("jobs", jobs);
        return write(body);
    }

    private static Said write(Map<String, @Nullable Object> body) {
        Map<String, Object> values = new LinkedHashMap<>();
        body.forEach((name, value) -> {
            if (value != null) {
                values.put(name, value);
            }
        });
        return new Said(JSON.writeValueAsString(values), values);
    }

    /** What an entry of no job says. */
    static Map<String, Object> said(AuditEntry entry) {
        return JSON.readValue(entry.body(), OBJECT);
    }

    /** Adds what an entry says to what those before it said. One that carries a job over says all of it. */
    static void add(Map<String, Object> row, AuditEntry entry) {
        if (entry.kind() == AuditEntry.Kind.CARRIED) {
            row.clear();
        }
        row.putAll(JSON.readValue(entry.body(), OBJECT));
    }
}
