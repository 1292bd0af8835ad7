// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.notification;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import javax.xml.namespace.QName;
import org.jobgate.gram.rendezvous.Rendezvouses;
import org.jobgate.gt4.Actions;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.job.Job;
import org.jobgate.store.Change;
import org.jobgate.xml.XmlWriter;

/** Writes the {@code Notify} that tells a consumer of one change (facts/gt4-wire.md section 4, 1.9; captures 10, 11, 51 and 58). */
final class NotifyMessage {

    private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";

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
        return XmlWriter.toDocument(out -> {
            out.open(soap("Envelope"));
            writeHeader(out, generation, subscription.consumer());
            out.open(soap("Body")).open(generation.notification("Notify"));
            out.open(generation.notification("NotificationMessage"));
            out.open(generation.notification("Topic")).attribute("Dialect", generation.simpleTopics());
            out.text(out.qualified(subscription.topic())).close();
            EndpointReference.of(
                            jobAddress.apply(job),
                            generation.job("ResourceID"),
                            change.job().toString())
                    .write(out, generation, generation.notification("ProducerReference"));
            if (subscription.isOfRendezvous()) {
                writeRendezvous(out, generation, change);
            } else {
                writeMessage(out, generation, change, job);
            }
            out.close().close().close().close();
        });
    }

    private static QName soap(String name) {
        return new QName(SOAP, name, "soap");
    }

    private static void writeHeader(XmlWriter out, Generation generation, EndpointReference consumer) {
        out.open(soap("Header")).binding(generation.addressing("To"));
        out.element(generation.addressing("MessageID"), "uuid:" + UUID.randomUUID());
        out.element(generation.addressing("To"), consumer.address());
        // a GT 4.2 consumer refuses a message without it
        out.element(generation.addressing("Action"), Actions.notify(generation));
        EndpointReference.of(generation.anonymous()).write(out, generation, generation.addressing("From"));
        // without its reference properties as headers a GT4 consumer answers HTTP 500
        consumer.given().forEach(out::copy);
        out.close();
    }

    private void writeRendezvous(XmlWriter out, Generation generation, Change change) {
        out.open(generation.notification("Message"));
        if (generation == Generation.GT40) {
            out.type(generation.rendezvous("StateChangeNotificationMessageWrapperType"));
        }
        new RendezvousMessage(generation)
                .write(out, rendezvouses.data(change.job()).orElse(new byte[0]));
        out.close();
    }

    private void writeMessage(XmlWriter out, Generation generation, Change change, Optional<Job> job) {
        out.open(generation.notification("Message"));
        if (generation == Generation.GT40) {
            out.type(generation.job("StateChangeNotificationMessageWrapperType"));
        }
        states.apply(generation).write(out, change.to(), change.holding(), job);
        out.close();
    }
}
