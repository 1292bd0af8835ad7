// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.notification;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.function.Function;
import org.jobgate.gram.rendezvous.Rendezvouses;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.NotifyEnvelope;
import org.jobgate.gt4.subscription.Subscription;
import org.jobgate.job.Job;
import org.jobgate.store.Change;

/** Writes the {@code Notify} that tells a consumer of one change (facts/gt4-wire.md section 4, 1.9; captures 10, 11, 51 and 58). */
final class NotifyMessage {

    private final Function<Optional<Job>, String> jobAddress;
    private final Function<Generation, StateMessage> states;
    private final Rendezvouses rendezvouses;

    /**
     * @param jobAddress the address of the service that a job is behind
     * @param states writes the message inside, for each generation
     */
    NotifyMessage(
            Function<Optional<Job>, String> jobAddress,
            Function<Generation, StateMessage> states,
            Rendezvouses rendezvouses) {
        this.rendezvouses = requireNonNull(rendezvouses, "rendezvouses is null");
        this.jobAddress = requireNonNull(jobAddress, "jobAddress is null");
        this.states = requireNonNull(states, "states is null");
    }

    /**
     * The message.
     *
     * @param job as it is now, for its fault and exit code; absent if it is gone already
     */
    byte[] write(Subscription subscription, Change change, Optional<Job> job) {
        Generation generation = subscription.generation();
        EndpointReference producer = EndpointReference.of(
                jobAddress.apply(job),
                generation.job("ResourceID"),
                change.job().toString());
        boolean isOfRendezvous = JobTopics.isRendezvous(subscription.topic(), generation);
        String wrapper = "StateChangeNotificationMessageWrapperType";
        return NotifyEnvelope.write(
                generation,
                subscription.consumer(),
                subscription.topic(),
                producer,
                isOfRendezvous ? generation.rendezvous(wrapper) : generation.job(wrapper),
                isOfRendezvous
                        ? out -> new RendezvousMessage(generation)
                                .write(
                                        out,
                                        rendezvouses
                                                .data(change.job(), subscription.owner())
                                                .orElse(new byte[0]))
                        : out -> states.apply(generation).write(out, change.to(), change.isHeld(), job));
    }
}
