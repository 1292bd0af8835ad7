// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.notification;

import java.time.Instant;
import java.util.List;
import javax.xml.namespace.QName;
import org.jobgate.gram.fault.WsrfFaults;
import org.jobgate.gram.soap.SoapFaultException;
import org.jobgate.gram.wsrf.EndpointReference;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.gram.wsrf.Times;
import org.jobgate.gram.xml.XmlElement;
import org.jspecify.annotations.Nullable;

/** What a {@code wsnt:Subscribe} asks for (facts/gram4.md section 1.8; captures 04 and 24). */
public record SubscriptionRequest(
        QName topic, EndpointReference consumer, @Nullable Instant expires) {

    private static final List<String> UNSUPPORTED = List.of("Precondition", "Selector", "SubscriptionPolicy");

    /**
     * Reads a request.
     *
     * @throws SoapFaultException saying what cannot be done
     */
    public static SubscriptionRequest read(
            XmlElement subscribe, Generation generation, CallbackPolicy policy, WsrfFaults faults) {
        for (String part : UNSUPPORTED) {
            if (subscribe.child(part).isPresent()) {
                throw faults.subscribeFailed("Subscribe holds " + part + ", which is not supported. Leave it out.");
            }
        }
        if (subscribe
                .child("UseNotify")
                .map(XmlElement::trimmedText)
                .filter(SubscriptionRequest::isFalse)
                .isPresent()) {
            throw faults.subscribeFailed("Only messages in a Notify are sent. Leave UseNotify out, or set it to true.");
        }
        return new SubscriptionRequest(
                topic(subscribe, generation, faults), consumer(subscribe, policy, faults), expires(subscribe, faults));
    }

    private static boolean isFalse(String text) {
        return text.equals("false") || text.equals("0");
    }

    private static QName topic(XmlElement subscribe, Generation generation, WsrfFaults faults) {
        XmlElement expression = subscribe
                .child("TopicExpression")
                .orElseThrow(() -> faults.subscribeFailed("Subscribe has no TopicExpression."));
        String dialect = expression.attribute("Dialect").orElse(Generation.SIMPLE_TOPICS);
        if (!dialect.strip().equals(Generation.SIMPLE_TOPICS)) {
            throw faults.topicDialectUnknown(
                    "Topic expressions of another dialect than " + Generation.SIMPLE_TOPICS + " are not understood.");
        }
        return expression
                .qualifiedName()
                .filter(name -> name.equals(generation.types("state")) || name.equals(generation.job("state")))
                .map(name -> new QName(name.getNamespaceURI(), name.getLocalPart(), "tns"))
                .orElseThrow(
                        () -> faults.subscribeFailed("The only topic of a job is " + generation.types("state") + "."));
    }

    private static EndpointReference consumer(XmlElement subscribe, CallbackPolicy policy, WsrfFaults faults) {
        XmlElement reference = subscribe
                .child("ConsumerReference")
                .orElseThrow(() -> faults.subscribeFailed("Subscribe has no ConsumerReference."));
        try {
            EndpointReference consumer = EndpointReference.read(reference);
            policy.requireAddress(consumer.address());
            return consumer;
        } catch (IllegalArgumentException e) {
            throw faults.subscribeFailed("The ConsumerReference cannot be used: " + e.getMessage() + ".");
        }
    }

    private static @Nullable Instant expires(XmlElement subscribe, WsrfFaults faults) {
        XmlElement time = subscribe.child("InitialTerminationTime").orElse(null);
        if (time == null || time.isNil()) {
            return null;
        }
        try {
            return Times.parse(time.text());
        } catch (IllegalArgumentException e) {
            throw faults.subscribeFailed("InitialTerminationTime of Subscribe is " + e.getMessage() + ".");
        }
    }
}
