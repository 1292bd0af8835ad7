// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit.usage;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one job used, from its row in the audit records. A job that was started again after a failure is a job of its own, with a record of
 * its own: attempts are never added up.
 *
 * @param job its id
 * @param globalId its name for the world, GRAM's job grid id
 * @param localId the LRM's first id of it
 * @param ended when it was over in the gateway, of which the record's identity is made
 * @param began when its LRM started it; absent where it never ran
 * @param wallMillis how long it ran; 0 where it never did
 * @param cpuMillis processor time of all its processes; absent if it is not known
 * @param fault why it did not run to its own end
 * @param fqan the sender's first VOMS attribute
 * @param fqans all of them, the first one first
 */
record UsageRecord(
        String job,
        String globalId,
        String localId,
        String subject,
        String account,
        String lrm,
        @Nullable String queue,
        Instant created,
        @Nullable Instant queued,
        @Nullable Instant began,
        Instant ended,
        String outcome,
        @Nullable Integer exitCode,
        @Nullable String fault,
        long wallMillis,
        @Nullable Long cpuMillis,
        @Nullable Long userMillis,
        @Nullable Long systemMillis,
        @Nullable Long memoryKiB,
        int slots,
        List<String> hosts,
        @Nullable String fqan,
        List<String> fqans,
        @Nullable String vo) {

    private static final long SECOND = 1000;

    /** Reads a row of the table of jobs, given by the names of its columns; the job must be over. */
    static UsageRecord of(Map<String, Object> row) {
        Instant ended = requireNonNull(instant(row, "ended"), "the job is not over");
        String local = text(row, "local_ids");
        Long wall = number(row, "wall_ms");
        Instant started = instant(row, "started");
        Long cpu = number(row, "cpu_ms");
        Long slots = number(row, "slots");
        String hosts = text(row, "hosts");
        Long exit = number(row, "exit_code");
        String fqans = text(row, "fqans");
        String job = requireNonNull(text(row, "job"), "a row without an id");
        return new UsageRecord(
                job,
                requireNonNull(text(row, "grid_id"), "a row without a grid id"),
                local == null ? job : local.split(",", 2)[0],
                requireNonNull(text(row, "subject"), "a row without a subject"),
                requireNonNull(text(row, "account"), "a row without an account"),
                requireNonNull(text(row, "lrm"), "a row without an LRM"),
                text(row, "queue"),
                requireNonNull(instant(row, "created"), "a row without a beginning"),
                instant(row, "queued"),
                began(started, ended, wall),
                ended,
                requireNonNull(text(row, "outcome"), "the job is not over"),
                exit == null ? null : exit.intValue(),
                text(row, "fault"),
                wall == null ? 0 : wall,
                cpu,
                number(row, "user_cpu_ms"),
                number(row, "system_cpu_ms"),
                number(row, "peak_memory_kib"),
                slots == null || slots < 1 ? 1 : slots.intValue(),
                hosts == null ? List.of() : List.of(hosts.split(",")),
                Apel.primary(fqans),
                fqans == null || fqans.isEmpty() ? List.of() : List.of(fqans.split(";")),
                text(row, "vo"));
    }

    /** The gateway may learn of the start of a short job only together with its end. */
    private static @Nullable Instant began(@Nullable Instant started, Instant ended, @Nullable Long wall) {
        if (started != null) {
            return started;
        }
        return wall == null ? null : ended.minusMillis(wall);
    }

    private static @Nullable String text(Map<String, Object> row, String name) {
        Object value = row.get(name);
        return value == null ? null : value.toString();
    }

    private static @Nullable Long number(Map<String, Object> row, String name) {
        return row.get(name) instanceof Number number ? Long.valueOf(number.longValue()) : null;
    }

    private static @Nullable Instant instant(Map<String, Object> row, String name) {
        Long millis = number(row, name);
        return millis == null ? null : Instant.ofEpochMilli(millis);
    }

    long wallSeconds() {
        return seconds(wallMillis);
    }

    /** Where nobody has measured it, 0. */
    long cpuSeconds() {
        return cpuMillis == null ? 0 : seconds(cpuMillis);
    }

    static long seconds(long millis) {
        return Math.round(millis / (double) SECOND);
    }

    /** Its start; where it never ran, its end. */
    Instant start() {
        return began == null || began.isAfter(ended) ? ended : began;
    }

    int nodes() {
        return Math.max(1, hosts.size());
    }

    boolean hasRun() {
        return wallMillis > 0 || (cpuMillis != null && cpuMillis > 0);
    }
}
