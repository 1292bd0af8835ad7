// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jobgate.job.Job;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.DoorRecords;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The orders that were given for each job, kept and forgotten with it. The last {@value #MOST} of a job are kept. */
final class CommandLog {

    static final String KIND = "cream.command";

    /** Nobody needs more of them, and a client may suspend and resume for ever. */
    static final int MOST = 40;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final DoorRecords records;
    private final Clock clock;
    private final SecureRandom random;

    CommandLog(DoorRecords records, Clock clock, SecureRandom random) {
        this.records = requireNonNull(records, "records is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.random = requireNonNull(random, "random is null");
    }

    /** Keeps an order; complete when it is on disk. */
    CompletableFuture<Void> add(
            CreamJob job, Command.Name name, @Nullable String description, @Nullable String failure) {
        Instant now = clock.instant();
        List<DoorRecord> before = records.recordsOf(KIND, job.job());
        for (int i = 0; i <= before.size() - MOST; i++) {
            var unused = records.deleteRecord(KIND, before.get(i).id());
        }
        ObjectNode body = JSON.createObjectNode();
        body.put("name", name.name());
        if (description != null) {
            body.put("description", description);
        }
        if (failure != null) {
            body.put("failure", failure);
        }
        String id = String.format(Locale.ROOT, "%s/%015d-%05d", job.id(), now.toEpochMilli(), random.nextInt(100_000));
        return records.putRecord(new DoorRecord(KIND, id, job.job(), job.owner(), body.toString(), now));
    }

    /** All orders of the job, in order, its registration among them. */
    List<Command> of(CreamJob kept, Job job) {
        List<Command> commands = new ArrayList<>();
        commands.add(Command.of(Command.Name.JOB_REGISTER, job.created()));
        if (kept.startsAlone()) {
            commands.add(Command.of(Command.Name.JOB_START, job.created()));
        }
        records.recordsOf(KIND, kept.job()).stream()
                .sorted(Comparator.comparing(DoorRecord::id))
                .map(CommandLog::read)
                .forEach(commands::add);
        return commands;
    }

    /** The subject that cancelled the job last by this door; empty if none did. */
    Optional<String> cancelledBy(CreamJob kept) {
        return records.recordsOf(KIND, kept.job()).stream()
                .sorted(Comparator.comparing(DoorRecord::id).reversed())
                .map(CommandLog::read)
                .filter(command -> command.name() == Command.Name.JOB_CANCEL && command.failure() == null)
                .findFirst()
                .map(Command::description);
    }

    private static Command read(DoorRecord record) {
        JsonNode body = JSON.readTree(record.body());
        return new Command(
                Command.Name.valueOf(body.path("name").asString()),
                record.created(),
                text(body, "description"),
                text(body, "failure"));
    }

    private static @Nullable String text(JsonNode body, String name) {
        JsonNode value = body.get(name);
        return value == null || value.isNull() ? null : value.asString();
    }
}
