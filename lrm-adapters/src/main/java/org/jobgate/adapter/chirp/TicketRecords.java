// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter.chirp;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which tickets were made for which job. A record is on disk before a ticket is made and goes when all tickets of the job are withdrawn, so
 * that no kill of the service leaves a ticket that nobody knows of. It holds no secret.
 */
final class TicketRecords {

    static final String KIND = "chirp.ticket";

    private static final Logger LOG = LoggerFactory.getLogger(TicketRecords.class);

    private static final int PAGE = 500;
    private static final int PARTS = 7;

    private final JobStore store;
    private final Clock clock;
    private final Map<JobId, Tickets> byJob = new ConcurrentHashMap<>();

    /**
     * The tickets of one job.
     *
     * @param path where the newest lies; empty until there was one
     * @param expires when the newest ends
     * @param lifetime how long the newest was to be good
     * @param subjects of all, the oldest first
     */
    record Tickets(
            JobId job,
            String owner,
            String account,
            String lrm,
            String server,
            String path,
            Instant expires,
            Duration lifetime,
            List<String> subjects) {
        Tickets {
            subjects = List.copyOf(subjects);
        }

        /** With one more, which is the newest. */
        Tickets with(String newPath, String subject, Instant newExpires, Duration newLifetime) {
            List<String> all = new ArrayList<>(subjects);
            all.add(subject);
            return new Tickets(job, owner, account, lrm, server, newPath, newExpires, newLifetime, all);
        }

        TicketMaker.Place place() {
            return new TicketMaker.Place(lrm, account, job, server, subjects);
        }
    }

    TicketRecords(JobStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Reads what there is. */
    void read() {
        String after = "";
        List<DoorRecord> page;
        do {
            page = store.listRecords(KIND, after, PAGE);
            page.forEach(this::read);
            after = page.isEmpty() ? after : page.getLast().id();
        } while (page.size() == PAGE);
    }

    /** One that cannot be read keeps no others, and not the gateway, from working. */
    private void read(DoorRecord record) {
        try {
            byJob.put(JobId.parse(record.id()), tickets(record));
        } catch (IllegalArgumentException | DateTimeException e) {
            LOG.error(
                    "The record of the tickets of job {} cannot be read; they are not withdrawn, and end by themselves",
                    record.id(),
                    e);
        }
    }

    private static Tickets tickets(DoorRecord record) {
        String[] parts = record.body().split("\n", -1);
        if (parts.length < PARTS) {
            throw new IllegalArgumentException("the record " + record.id() + " of kind " + KIND + " is not ours");
        }
        return new Tickets(
                JobId.parse(record.id()),
                String.valueOf(record.owner()),
                parts[0],
                parts[1],
                parts[2],
                parts[3],
                Instant.ofEpochSecond(Long.parseLong(parts[4])),
                Duration.ofSeconds(Long.parseLong(parts[5])),
                parts[6].isEmpty() ? List.of() : List.of(parts[6].split(" ", -1)));
    }

    /** What is known of the job's tickets. */
    Optional<Tickets> of(JobId job) {
        return Optional.ofNullable(byJob.get(job));
    }

    List<Tickets> all() {
        return List.copyOf(byJob.values());
    }

    int size() {
        return byJob.size();
    }

    /** The job is about to have its first ticket from there: the site may have named another server since one was asked. */
    Tickets begin(Job job, String server) {
        Tickets known = byJob.get(job.id());
        if (known != null && (known.server().equals(server) || !known.subjects().isEmpty())) {
            return known;
        }
        Tickets begun = new Tickets(
                job.id(),
                job.owner().subject(),
                job.owner().account(),
                job.lrm(),
                server,
                "",
                Instant.EPOCH,
                Duration.ZERO,
                List.of());
        put(begun);
        return begun;
    }

    /** On disk when this returns. Not purged with the job: its tickets may have to be withdrawn later. */
    void put(Tickets tickets) {
        String body = String.join(
                "\n",
                tickets.account(),
                tickets.lrm(),
                tickets.server(),
                tickets.path(),
                Long.toString(tickets.expires().getEpochSecond()),
                Long.toString(tickets.lifetime().toSeconds()),
                String.join(" ", tickets.subjects()));
        store.putRecord(new DoorRecord(KIND, tickets.job().toString(), null, tickets.owner(), body, clock.instant()))
                .join();
        byJob.put(tickets.job(), tickets);
    }

    /** None of its tickets is left. */
    void remove(JobId job) {
        store.deleteRecord(KIND, job.toString()).join();
        byJob.remove(job);
    }
}
