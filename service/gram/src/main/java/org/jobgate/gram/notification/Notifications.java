// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.notification;

import java.time.Clock;
import java.util.Optional;
import java.util.function.Function;
import org.jobgate.gram.rendezvous.Rendezvouses;
import org.jobgate.gt4.Generation;
import org.jobgate.job.Job;
import org.jobgate.store.JobStore;

/** The telling of clients about their jobs: reads the change stream and sends messages, from its start to its close. */
public final class Notifications implements AutoCloseable {

    private final Notifier notifier;
    private final ChangeReader reader;

    /**
     * Notifications that have not started.
     *
     * @param jobAddress the address of the service that a job is behind; absent for a job that is gone
     * @param messages writes what is told, for each generation
     */
    public Notifications(
            Function<Optional<Job>, String> jobAddress,
            Function<Generation, StateMessage> messages,
            JobStore store,
            Subscriptions subscriptions,
            Rendezvouses rendezvouses,
            ConsumerClient client,
            CallbackPolicy policy,
            NotifierSettings settings,
            Clock clock) {
        DeliveryProgress progress = new DeliveryProgress();
        NotifyMessage envelopes = new NotifyMessage(jobAddress, messages, rendezvouses);
        this.notifier =
                new Notifier(store, subscriptions, rendezvouses, envelopes, client, policy, settings, progress, clock);
        subscriptions.onDestroyed(notifier::ended);
        this.reader = new ChangeReader(
                store, progress, job -> !subscriptions.ofJob(job).isEmpty(), notifier::changed);
    }

    public void start() {
        notifier.start();
        reader.start();
    }

    public NotifierStatistics statistics() {
        return notifier.statistics();
    }

    @Override
    public void close() {
        reader.close();
        notifier.close();
    }
}
