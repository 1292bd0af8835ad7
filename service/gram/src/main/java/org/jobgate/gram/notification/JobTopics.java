// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.notification;

import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.xml.namespace.QName;
import org.jobgate.gram.fault.ResourceFaults;
import org.jobgate.gt4.Generation;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlElement;

/** The topics of a job, its state and its rendezvous, by the names that are in use for them (facts/gram4.md section 1.9, facts/gt4-wire.md section 4). */
public final class JobTopics {

    private JobTopics() {}

    /**
     * The topic that the expression names, as it names it: its answer repeats that.
     *
     * @param unknown makes the fault for another topic
     */
    public static QName read(
            XmlElement expression,
            Generation generation,
            ResourceFaults faults,
            Function<String, SoapFaultException> unknown) {
        String dialect = expression.attribute("Dialect").orElse(generation.simpleTopics());
        if (!dialect.strip().equals(generation.simpleTopics())) {
            throw faults.topicDialectUnknown("Topic expressions of another dialect than " + generation.simpleTopics()
                    + " are not understood. Use that one.");
        }
        return expression
                .qualifiedName()
                .filter(name -> known(generation).contains(name))
                .map(name -> new QName(name.getNamespaceURI(), name.getLocalPart(), "tns"))
                .orElseThrow(() -> unknown.apply("The topic is not known. Use one of a job: " + generation.stateTopic()
                        + " or " + generation.rendezvousTopic() + "."));
    }

    /** The topic that a request to subscribe means. WS-Notification 1.3 asks for everything where it names none: that is the state. */
    public static QName subscribed(Optional<XmlElement> expression, Generation generation, ResourceFaults faults) {
        if (expression.isEmpty() && generation == Generation.GT40) {
            throw faults.subscribeFailed(
                    "Subscribe has no TopicExpression. Name the topic " + generation.stateTopic() + ".");
        }
        return expression
                .map(element -> read(element, generation, faults, faults::subscribeFailed))
                .orElseGet(generation::stateTopic);
    }

    /** Whether it is the topic of the rendezvous, and not that of the state. */
    public static boolean isRendezvous(QName topic, Generation generation) {
        return topic.equals(generation.rendezvousTopic());
    }

    private static Set<QName> known(Generation generation) {
        return generation == Generation.GT40
                ? Set.of(generation.stateTopic(), generation.job("state"), generation.rendezvousTopic())
                : Set.of(
                        generation.stateTopic(),
                        generation.job("stateChangeNotificationMessage"),
                        generation.rendezvousTopic());
    }
}
