// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.Optional;
import java.util.function.Function;
import javax.xml.namespace.QName;
import org.jobgate.job.Fault;
import org.jobgate.soap.SoapFaultException;

/**
 * The faults of the WSRF and WS-Notification specifications in one generation (facts/gram4.md section 1.8). Services that have faults of
 * their own extend it.
 */
public class WsrfFaults {

    private final Generation generation;
    private final Clock clock;

    public WsrfFaults(Generation generation, Clock clock) {
        this.generation = requireNonNull(generation, "generation is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    protected final Generation generation() {
        return generation;
    }

    protected final Clock clock() {
        return clock;
    }

    /** What an operation on a resource is about: the drafts have a fault for each. */
    public enum About {
        PROPERTIES,
        LIFETIME,
        NOTIFICATION
    }

    /** Any refusal of the core's, as a fault without a type of its own. */
    public final SoapFaultException of(Fault fault) {
        String text = fault.remedy().isEmpty() ? fault.sentence() : fault.sentence() + " " + fault.remedy();
        return fault(
                SoapFaultException.Code.of(fault.origin()), generation::baseFault, "BaseFault", "BaseFaultType", text);
    }

    /** There is no such resource for this caller; somebody else's is none. WSRF 1.2 has this fault once for all operations. */
    public final SoapFaultException unknown(About about, String sentence) {
        Function<String, QName> draft = switch (about) {
            case PROPERTIES -> generation::properties;
            case LIFETIME -> generation::lifetime;
            case NOTIFICATION -> generation::notification;
        };
        return fault(generation == Generation.GT40 ? draft : generation::resource, "ResourceUnknownFault", sentence);
    }

    public final SoapFaultException invalidProperty(String sentence) {
        return fault(generation::properties, "InvalidResourcePropertyQNameFault", sentence);
    }

    public final SoapFaultException terminationTimeRefused(String sentence) {
        return fault(generation::lifetime, "UnableToSetTerminationTimeFault", sentence);
    }

    public final SoapFaultException subscribeFailed(String sentence) {
        return fault(generation::notification, "SubscribeCreationFailedFault", sentence);
    }

    public final SoapFaultException topicDialectUnknown(String sentence) {
        String name =
                generation == Generation.GT40 ? "TopicPathDialectUnknownFault" : "TopicExpressionDialectUnknownFault";
        return fault(generation::notification, name, sentence);
    }

    public final SoapFaultException topicNotSupported(String sentence) {
        return fault(generation::notification, "TopicNotSupportedFault", sentence);
    }

    /** Nothing was told on the topic yet. */
    public final SoapFaultException noCurrentMessage(String sentence) {
        return fault(generation::notification, "NoCurrentMessageOnTopicFault", sentence);
    }

    /** WS-Notification 1.3: a subscription cannot be renewed to this time. */
    public final SoapFaultException unacceptableTime(String sentence) {
        return fault(generation::notification, "UnacceptableTerminationTimeFault", sentence);
    }

    public final SoapFaultException queryDialectUnknown(String sentence) {
        return fault(generation::properties, "UnknownQueryExpressionDialectFault", sentence);
    }

    /** The expression cannot be read, or there is none. */
    public final SoapFaultException invalidQuery(String sentence) {
        return fault(generation::properties, "InvalidQueryExpressionFault", sentence);
    }

    /** The expression can be read but not answered, or its answer would cost too much. */
    public final SoapFaultException queryFailed(String sentence) {
        return fault(generation::properties, "QueryEvaluationErrorFault", sentence);
    }

    private SoapFaultException fault(Function<String, QName> names, String name, String sentence) {
        return fault(names, name, name + "Type", sentence);
    }

    /** A fault of the client's whose element and type these names give. */
    protected final SoapFaultException fault(Function<String, QName> names, String name, String type, String sentence) {
        return fault(SoapFaultException.Code.CLIENT, names, name, type, sentence);
    }

    private SoapFaultException fault(
            SoapFaultException.Code code, Function<String, QName> names, String name, String type, String sentence) {
        BaseFault fault = new BaseFault(
                names.apply(name), names.apply(type), clock.instant(), Optional.empty(), sentence, out -> {});
        return new SoapFaultException(code, sentence, out -> fault.write(out, generation));
    }
}
