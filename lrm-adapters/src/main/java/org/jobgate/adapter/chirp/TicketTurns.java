// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter.chirp;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.jobgate.job.JobId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs whose tickets something is to be done about. Owners take turns; neither an owner nor a server has all places, so that a server that
 * does not answer keeps only its own jobs waiting. A job is worked on by one at a time.
 */
final class TicketTurns {

    private static final Logger LOG = LoggerFactory.getLogger(TicketTurns.class);

    /** Jobs that are worked on at a time: each has a process. */
    static final int AT_ONCE = 8;

    static final int OF_ONE_OWNER = 2;

    static final int OF_ONE_SERVER = 4;

    private final Consumer<JobId> work;

    /** What waits, by owner and server; the next whose turn it is first. */
    private final Map<Line, Queue<JobId>> waiting = new LinkedHashMap<>();

    private final Set<JobId> queued = new HashSet<>();
    private final Set<JobId> inHand = new HashSet<>();
    private final Map<String, Integer> ofOwner = new HashMap<>();
    private final Map<String, Integer> ofServer = new HashMap<>();
    private boolean isClosed;

    private record Line(String owner, String server) {}

    /** @param work what is done with a job; it may take long */
    TicketTurns(Consumer<JobId> work) {
        this.work = work;
    }

    /** The job has its turn, unless it waits for it already. One that is in hand is worked on once more. */
    synchronized void add(String owner, String server, JobId job) {
        if (queued.add(job)) {
            waiting.computeIfAbsent(new Line(owner, server), line -> new ArrayDeque<>())
                    .add(job);
            begin();
        }
    }

    /** Begins nothing any more. */
    synchronized void close() {
        isClosed = true;
    }

    private synchronized boolean closed() {
        return isClosed;
    }

    /** How many wait for their turn. */
    synchronized int waiting() {
        return queued.size();
    }

    private void begin() {
        boolean hasBegun = true;
        while (hasBegun && !isClosed && inHand.size() < AT_ONCE) {
            hasBegun = beginOne();
        }
    }

    private boolean beginOne() {
        for (Iterator<Map.Entry<Line, Queue<JobId>>> lines = waiting.entrySet().iterator(); lines.hasNext(); ) {
            Map.Entry<Line, Queue<JobId>> entry = lines.next();
            Line line = entry.getKey();
            Queue<JobId> jobs = entry.getValue();
            JobId job = jobs.element();
            if (inHand.contains(job)
                    || ofOwner.getOrDefault(line.owner(), 0) >= OF_ONE_OWNER
                    || ofServer.getOrDefault(line.server(), 0) >= OF_ONE_SERVER) {
                continue;
            }
            jobs.remove();
            lines.remove();
            if (!jobs.isEmpty()) {
                waiting.put(line, jobs); // behind the others
            }
            queued.remove(job);
            inHand.add(job);
            ofOwner.merge(line.owner(), 1, Integer::sum);
            ofServer.merge(line.server(), 1, Integer::sum);
            Thread.ofVirtual().name("chirp-ticket").start(() -> run(line, job));
            return true;
        }
        return false;
    }

    private void run(Line line, JobId job) {
        try {
            work.accept(job);
        } catch (RuntimeException e) {
            // such as a store that cannot write: the next sweep finds the job again, or the next run of the service
            if (closed()) {
                LOG.debug("the ticket of job {} is left to the next run", job, e);
                return;
            }
            LOG.error("The ticket of job {} could not be seen to; it is tried again", job, e);
        } finally {
            done(line, job);
        }
    }

    private synchronized void done(Line line, JobId job) {
        inHand.remove(job);
        ofOwner.computeIfPresent(line.owner(), (owner, count) -> count == 1 ? null : count - 1);
        ofServer.computeIfPresent(line.server(), (server, count) -> count == 1 ? null : count - 1);
        begin();
    }
}
