// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4.subscription;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.xml.namespace.QName;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Times;
import org.jobgate.gt4.WsrfFaults;
import org.jobgate.notify.CallbackPolicy;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlElement;
import org.jspecify.annotations.Nullable;

/** What a {@code wsnt:Subscribe} asks for (facts/gram4.md section 1.8; captures 04, 24 and 50). */
public record SubscriptionRequest(
        Generation generation,
        QName topic,
        EndpointReference consumer,
        @Nullable Instant expires) {

    private static final List<String> UNSUPPORTED = List.of("Precondition", "Selector", "SubscriptionPolicy");
    private static final List<String> UNSUPPORTED_FILTERS = List.of("ProducerProperties", "MessageContent");

    /**
     * Reads a request.
     *
     * @param topics the topic that an expression names, or that is meant where there is none
     * @param now what a lifetime that is given as a duration begins with
     * @throws SoapFaultException saying what cannot be done
     */
    public static SubscriptionRequest read(
            XmlElement subscribe,
            Generation generation,
            Function<Optional<XmlElement>, QName> topics,
            CallbackPolicy policy,
            WsrfFaults faults,
            Instant now) {
        refuse(subscribe, UNSUPPORTED, faults);
        if (subscribe
                .child("UseNotify")
                .map(XmlElement::trimmedText)
                .filter(SubscriptionRequest::isFalse)
                .isPresent()) {
            throw faults.subscribeFailed("Only messages in a Notify are sent. Leave UseNotify out, or set it to true.");
        }
        return new SubscriptionRequest(
                generation,
                topics.apply(expression(subscribe, generation, faults)),
                consumer(subscribe, policy, faults),
                expires(subscribe, faults, now));
    }

    private static void refuse(XmlElement element, List<String> parts, WsrfFaults faults) {
        for (String part : parts) {
            if (element.child(part).isPresent()) {
                throw faults.subscribeFailed("Subscribe holds " + part + ", which is not supported. Leave it out.");
            }
        }
    }

    private static boolean isFalse(String text) {
        return text.equals("false") || text.equals("0");
    }

    /** WS-Notification 1.3 has the topic in a filter. */
    private static Optional<XmlElement> expression(XmlElement subscribe, Generation generation, WsrfFaults faults) {
        if (generation == Generation.GT40) {
            return subscribe.child("TopicExpression");
        }
        Optional<XmlElement> filter = subscribe.child("Filter");
        filter.ifPresent(element -> refuse(element, UNSUPPORTED_FILTERS, faults));
        return filter.flatMap(element -> element.child("TopicExpression"));
    }

    private static EndpointReference consumer(XmlElement subscribe, CallbackPolicy policy, WsrfFaults faults) {
        XmlElement reference = subscribe
                .child("ConsumerReference")
                .orElseThrow(() ->
                        faults.subscribeFailed("Subscribe has no ConsumerReference. Say in it where the messages go."));
        try {
            EndpointReference consumer = EndpointReference.read(reference);
            policy.requireAddress(consumer.address());
            return consumer;
        } catch (IllegalArgumentException e) {
            throw faults.subscribeFailed("The ConsumerReference cannot be used: " + e.getMessage()
                    + ". Name an address that this gateway can call.");
        }
    }

    private static @Nullable Instant expires(XmlElement subscribe, WsrfFaults faults, Instant now) {
        XmlElement time = subscribe.child("InitialTerminationTime").orElse(null);
        if (time == null || time.isNil()) {
            return null;
        }
        try {
            return Times.parse(time.text(), now);
        } catch (IllegalArgumentException e) {
            throw faults.subscribeFailed("InitialTerminationTime of Subscribe is " + e.getMessage()
                    + ". Correct it, or leave it out: then the subscription ends with what it is about.");
        }
    }
}
