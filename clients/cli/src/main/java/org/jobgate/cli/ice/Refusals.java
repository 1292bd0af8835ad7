// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.List;

/**
 * What becomes of jobs whose request was refused whole. One of them may be the reason: they are sent in smaller and smaller requests, at
 * last one by one.
 */
final class Refusals {

    private static final long PAUSE_MS = 10_000;

    private final JobChanges changes;
    private final Outages outages;
    private final Clock clock;

    Refusals(JobChanges changes, Outages outages, Clock clock) {
        this.changes = requireNonNull(changes, "changes is null");
        this.outages = requireNonNull(outages, "outages is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * Gives them back to the queue, or ends the one that is refused by itself.
     *
     * @param jobs of one owner and one computing element: those of the request first, then others that were taken with them
     * @param sent how many the request to register had; 0 or 1 where the refusal is about the first alone
     */
    void whole(List<QueuedJob> jobs, int sent, String reason) {
        QueuedJob first = jobs.getFirst();
        long now = clock.millis();
        if (first.remote() != null) {
            // it was a question about jobs that are there, or their start: that is asked again, of as many
            changes.later(jobs, now + PAUSE_MS, reason, false);
        } else if (sent > 1) {
            boolean unused = outages.halved(first.endpoint(), first.owner(), sent);
            changes.later(jobs, now, reason, false);
        } else {
            if (sent == 1) {
                outages.refusedAlone(first.endpoint(), first.owner());
            }
            changes.refused(first, reason, now);
            changes.later(jobs.subList(1, jobs.size()), now, reason, true);
        }
    }

    /**
     * Gives jobs back to the queue whose request was answered by nothing that could be made use of. That concerns their owner alone; and where
     * one of them is the reason, it must not keep the others back for ever: they are sent in smaller requests, and one by itself waits longer
     * than the others.
     *
     * @param jobs,sent as for {@link #whole}
     * @param wasNotSent whether the service surely did nothing: those that no request before was sent for may then go elsewhere, at once
     */
    void unclear(List<QueuedJob> jobs, int sent, String reason, boolean wasNotSent) {
        QueuedJob first = jobs.getFirst();
        long opens = outages.failed(first.endpoint(), first.owner());
        boolean isRegistration = first.remote() == null;
        if (sent > 1 && isRegistration) {
            boolean unused = outages.halved(first.endpoint(), first.owner(), sent);
        }
        boolean isAlone = sent == 1 && isRegistration && jobs.size() > 1;
        if (isAlone) {
            outages.refusedAlone(first.endpoint(), first.owner());
            changes.later(List.of(first), wasNotSent ? clock.millis() : opens + PAUSE_MS, reason, wasNotSent);
        }
        changes.later(
                jobs.subList(isAlone ? 1 : 0, jobs.size()), wasNotSent ? clock.millis() : opens, reason, wasNotSent);
    }
}
