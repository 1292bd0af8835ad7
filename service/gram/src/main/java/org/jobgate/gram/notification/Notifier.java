// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.notification;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.gram.fault.StateNames;
import org.jobgate.gram.rendezvous.Rendezvouses;
import org.jobgate.gt4.subscription.Subscribers;
import org.jobgate.gt4.subscription.Subscription;
import org.jobgate.gt4.subscription.Subscriptions;
import org.jobgate.job.Job;
import org.jobgate.job.JobState;
import org.jobgate.notify.Deliveries;
import org.jobgate.notify.DeliveryProgress;
import org.jobgate.notify.JobChanges;
import org.jobgate.notify.Message;
import org.jobgate.store.Change;

/**
 * Decides which subscribers are notified of which changes of jobs.
 *
 * <p>A message is sent at least once: the place in the change stream that is saved is never past one that was not delivered or given
 * up. No job waits for a consumer.
 */
final class Notifier {

    private final JobChanges changes;
    private final Subscribers subscribers;
    private final Rendezvouses rendezvouses;
    private final NotifyMessage messages;
    private final Deliveries deliveries;
    private final DeliveryProgress progress;

    /** The last message to each subscriber, by the key of the subscription. */
    private final Map<String, Told> told = new ConcurrentHashMap<>();

    /** A state as clients see it. */
    private record Told(String state, boolean holding) {}

    Notifier(
            JobChanges changes,
            Subscriptions subscriptions,
            Rendezvouses rendezvouses,
            NotifyMessage messages,
            Deliveries deliveries,
            DeliveryProgress progress,
            Clock clock) {
        this.changes = requireNonNull(changes, "changes is null");
        this.rendezvouses = requireNonNull(rendezvouses, "rendezvouses is null");
        this.messages = requireNonNull(messages, "messages is null");
        this.deliveries = requireNonNull(deliveries, "deliveries is null");
        this.progress = requireNonNull(progress, "progress is null");
        this.subscribers = new Subscribers(subscriptions, "job", this::ended, clock);
    }

    /** A job has changed. Called by one thread, in the order of the changes. */
    void changed(Change change) {
        List<Subscription> ofJob = subscribers.of(change.job());
        for (Subscription subscription : ofJob) {
            if (!subscription.isPaused() && isNews(subscription, change)) {
                progress.begin(change.sequence());
                deliveries.offer(subscribers.recipient(subscription), new ChangeMessage(subscription, change));
            }
        }
        if (!ofJob.isEmpty() && change.to().isTerminal() && isGone(ofJob.getFirst())) {
            // subscriptions of a job that its owner has destroyed end with it, once what is to be told was told
            ofJob.stream()
                    .filter(subscription -> deliveries.isIdle(subscription.key()))
                    .forEach(subscribers::forget);
        }
    }

    /**
     * A rendezvous is complete once, and any change of the job afterwards is a reason to tell those who were not told; a state is news
     * when clients see another one than before.
     */
    private boolean isNews(Subscription subscription, Change change) {
        if (JobTopics.isRendezvous(subscription.topic(), subscription.generation())
                && !rendezvouses.isComplete(change.job(), subscription.owner())) {
            return false;
        }
        Told now = JobTopics.isRendezvous(subscription.topic(), subscription.generation())
                ? new Told("complete", false)
                : new Told(StateNames.of(change.to()), change.isHeld());
        Told before = told.put(subscription.key(), now);
        return !now.equals(before == null ? new Told(StateNames.of(JobState.UNSUBMITTED), false) : before);
    }

    private boolean isGone(Subscription subscription) {
        return changes.job(subscription.resource(), subscription.owner())
                .map(Job::isGone)
                .orElse(true);
    }

    /** The subscription is over: only what may be on its way already is told. */
    private void ended(String key) {
        told.remove(key);
        deliveries.end(key);
    }

    /** One change, told to one subscriber. */
    private final class ChangeMessage implements Message {

        private final Subscription subscription;
        private final Change change;

        ChangeMessage(Subscription subscription, Change change) {
            this.subscription = subscription;
            this.change = change;
        }

        @Override
        public Optional<byte[]> write() {
            return Optional.of(messages.write(subscription, change, changes.job(change.job(), subscription.owner())));
        }

        @Override
        public void delivered() {
            settled();
            if (change.to().isTerminal() && deliveries.isIdle(subscription.key()) && isGone(subscription)) {
                subscribers.forget(subscription);
            }
        }

        @Override
        public void settled() {
            progress.end(change.sequence());
        }
    }
}
