// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.notification;

import static java.util.Objects.requireNonNull;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import javax.xml.namespace.QName;
import org.jobgate.gram.fault.GramFaults;
import org.jobgate.gram.fault.StateNames;
import org.jobgate.gram.wsrf.EndpointReference;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.gram.xml.XmlWriter;
import org.jobgate.job.Ending;
import org.jobgate.job.Job;
import org.jobgate.store.Change;

/** Writes the {@code Notify} that tells a consumer of one change (facts/gt4-wire.md section 4, 1.9; captures 10 and 11). */
final class NotifyMessage {

    private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";

    private final Generation generation;
    private final String jobAddress;
    private final GramFaults faults;

    NotifyMessage(Generation generation, String jobAddress, GramFaults faults) {
        this.generation = requireNonNull(generation, "generation is null");
        this.jobAddress = requireNonNull(jobAddress, "jobAddress is null");
        this.faults = requireNonNull(faults, "faults is null");
    }

    /**
     * The message.
     *
     * @param job as it is now, for its fault and exit code; absent if it is gone already
     */
    byte[] write(Subscription subscription, Change change, Optional<Job> job) {
        return XmlWriter.toDocument(out -> {
            out.open(soap("Envelope"));
            writeHeader(out, subscription.consumer());
            out.open(soap("Body")).open(generation.notification("Notify"));
            out.open(generation.notification("NotificationMessage"));
            writeTopic(out, subscription.topic());
            EndpointReference.of(
                            jobAddress,
                            generation.job("ResourceID"),
                            change.job().toString())
                    .write(out, generation, generation.notification("ProducerReference"));
            writeMessage(out, change, job);
            out.close().close().close().close();
        });
    }

    private static QName soap(String name) {
        return new QName(SOAP, name, "soap");
    }

    private void writeHeader(XmlWriter out, EndpointReference consumer) {
        out.open(soap("Header")).binding(generation.addressing("To"));
        out.element(generation.addressing("MessageID"), "uuid:" + UUID.randomUUID());
        out.element(generation.addressing("To"), consumer.address());
        out.element(generation.addressing("Action"), Generation.NOTIFICATION_ACTION + "Notify");
        EndpointReference.of(generation.anonymous()).write(out, generation, generation.addressing("From"));
        // without its reference properties as headers a GT4 consumer answers HTTP 500
        consumer.given().forEach(out::copy);
        out.close();
    }

    private void writeTopic(XmlWriter out, QName topic) {
        out.open(generation.notification("Topic")).attribute("Dialect", Generation.SIMPLE_TOPICS);
        out.text(out.qualified(topic)).close();
    }

    private void writeMessage(XmlWriter out, Change change, Optional<Job> job) {
        out.open(generation.notification("Message"));
        out.type(generation.job("StateChangeNotificationMessageWrapperType"));
        out.open(generation.job("stateChangeNotificationMessage")).binding(generation.types("state"));
        out.element(generation.types("state"), StateNames.of(change.to()));
        if (change.to().isTerminal()) {
            job.ifPresent(ended -> faults.writeProperty(out, ended));
        }
        // the schema demands an exit code, whether there is one or not
        Integer exitCode = job.flatMap(Job::settledEnding).map(Ending::exitCode).orElse(null);
        out.element(generation.types("exitCode"), Integer.toString(Objects.requireNonNullElse(exitCode, 0)));
        out.element(generation.types("holding"), Boolean.toString(change.holding()));
        out.close().close();
    }
}
