// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.fault;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.Optional;
import java.util.function.Function;
import javax.xml.namespace.QName;
import org.jobgate.gram.query.QueryFaults;
import org.jobgate.gram.soap.SoapFaultException;
import org.jobgate.gram.wsrf.BaseFault;
import org.jobgate.gram.wsrf.Generation;

/** The faults of the WSRF and WS-Notification specifications (facts/gram4.md section 1.8). */
public final class WsrfFaults implements QueryFaults {

    private static final String UNKNOWN_REMEDY =
            "It may have ended and been destroyed, it may belong to somebody else, or it never was here."
                    + " Use the endpoint reference that the submission answered.";

    private final Generation generation;
    private final Clock clock;

    public WsrfFaults(Generation generation, Clock clock) {
        this.generation = requireNonNull(generation, "generation is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** There is no such resource for this caller: the fault of an operation on properties. */
    public SoapFaultException unknownToProperties(String resource) {
        return unknown(generation::properties, resource);
    }

    /** The same for an operation on lifetimes. */
    public SoapFaultException unknownToLifetime(String resource) {
        return unknown(generation::lifetime, resource);
    }

    /** The same for an operation on notifications. */
    public SoapFaultException unknownToNotification(String resource) {
        return unknown(generation::notification, resource);
    }

    private SoapFaultException unknown(Function<String, QName> names, String resource) {
        return fault(ofResources(names), "ResourceUnknownFault", "There is no " + resource + ". " + UNKNOWN_REMEDY);
    }

    /** WSRF 1.2 has this fault once for all operations; the drafts have one for each specification. */
    private Function<String, QName> ofResources(Function<String, QName> draft) {
        return generation == Generation.GT40 ? draft : generation::resource;
    }

    /** The factory has no LRM of this name. */
    public SoapFaultException unknownFactory(String sentence) {
        return fault(ofResources(generation::properties), "ResourceUnknownFault", sentence);
    }

    public SoapFaultException invalidProperty(String sentence) {
        return fault(generation::properties, "InvalidResourcePropertyQNameFault", sentence);
    }

    public SoapFaultException terminationTimeRefused(String sentence) {
        return fault(generation::lifetime, "UnableToSetTerminationTimeFault", sentence);
    }

    public SoapFaultException subscribeFailed(String sentence) {
        return fault(generation::notification, "SubscribeCreationFailedFault", sentence);
    }

    public SoapFaultException topicDialectUnknown(String sentence) {
        String name =
                generation == Generation.GT40 ? "TopicPathDialectUnknownFault" : "TopicExpressionDialectUnknownFault";
        return fault(generation::notification, name, sentence);
    }

    public SoapFaultException topicNotSupported(String sentence) {
        return fault(generation::notification, "TopicNotSupportedFault", sentence);
    }

    /** Nothing was told on the topic yet. */
    public SoapFaultException noCurrentMessage(String sentence) {
        return fault(generation::notification, "NoCurrentMessageOnTopicFault", sentence);
    }

    /** WS-Notification 1.3: a subscription cannot be renewed to this time. */
    public SoapFaultException unacceptableTime(String sentence) {
        return fault(generation::notification, "UnacceptableTerminationTimeFault", sentence);
    }

    @Override
    public SoapFaultException queryDialectUnknown(String sentence) {
        return fault(generation::properties, "UnknownQueryExpressionDialectFault", sentence);
    }

    @Override
    public SoapFaultException invalidQuery(String sentence) {
        return fault(generation::properties, "InvalidQueryExpressionFault", sentence);
    }

    @Override
    public SoapFaultException queryFailed(String sentence) {
        return fault(generation::properties, "QueryEvaluationErrorFault", sentence);
    }

    /** GT 4.2: the job is not held. */
    public SoapFaultException notReleased(String sentence) {
        return fault(generation::release, "resourceNotReleasedFault", "ResourceNotReleasedFaultType", sentence);
    }

    /** Another registrant has the rank. */
    public SoapFaultException rankTaken(String sentence) {
        return fault(generation::rendezvous, "rankTakenFault", "RankTakenFaultType", sentence);
    }

    /** As many have registered as there may be. */
    public SoapFaultException capacityReached(String sentence) {
        return fault(generation::rendezvous, "capacityReachedFault", "CapacityReachedFaultType", sentence);
    }

    private SoapFaultException fault(Function<String, QName> names, String name, String sentence) {
        return fault(names, name, name + "Type", sentence);
    }

    private SoapFaultException fault(Function<String, QName> names, String name, String type, String sentence) {
        BaseFault fault = new BaseFault(
                names.apply(name), names.apply(type), clock.instant(), Optional.empty(), sentence, out -> {});
        return new SoapFaultException(SoapFaultException.Code.CLIENT, sentence, out -> fault.write(out, generation));
    }
}
