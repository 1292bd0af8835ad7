// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.notification;

import java.time.Clock;
import java.util.Optional;
import java.util.function.Function;
import org.jobgate.gram.rendezvous.Rendezvouses;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.subscription.Subscriptions;
import org.jobgate.job.Job;
import org.jobgate.notify.ChangeReader;
import org.jobgate.notify.Deliveries;
import org.jobgate.notify.DeliveryProgress;
import org.jobgate.notify.JobChanges;

/** Tells clients about their jobs: reads the change stream and has messages delivered, from its start to its close. */
public final class Notifications implements AutoCloseable {

    /** What subscriptions to jobs are kept as in the store. */
    public static final String SUBSCRIPTION_KIND = "gram.subscription";

    private static final String CURSOR = "gram.notifier";

    private final ChangeReader reader;

    /**
     * Notifications that have not started.
     *
     * @param jobAddress the address of the service that a job is behind; absent for a job that is gone
     * @param messages writes what is told, for each generation
     * @param deliveries started and closed by their owner
     */
    public Notifications(
            Function<Optional<Job>, String> jobAddress,
            Function<Generation, StateMessage> messages,
            JobChanges changes,
            Subscriptions subscriptions,
            Rendezvouses rendezvouses,
            Deliveries deliveries,
            Clock clock) {
        DeliveryProgress progress = new DeliveryProgress();
        NotifyMessage envelopes = new NotifyMessage(jobAddress, messages, rendezvouses);
        Notifier notifier = new Notifier(changes, subscriptions, rendezvouses, envelopes, deliveries, progress, clock);
        this.reader = new ChangeReader(
                changes,
                CURSOR,
                progress,
                change -> !subscriptions.ofResource(change.job()).isEmpty(),
                notifier::changed);
    }

    /** Begins to tell; the store must be open. */
    public void start() {
        reader.start();
    }

    /** Looks at no further change. */
    @Override
    public void close() {
        reader.close();
    }
}
