// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.gram.query.QueryFaults;
import org.jobgate.gram.soap.SoapFaultException;
import org.jobgate.gram.wsrf.BaseFault;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.gram.wsrf.Times;
import org.jobgate.gram.xml.XmlWriter;
import org.jobgate.job.Blame;
import org.jobgate.job.Fault;
import org.jspecify.annotations.Nullable;

/** How refusals are said: as the faults of WSRF, and those of RFT. */
final class RftFaults implements QueryFaults {

    private final Generation generation;
    private final Clock clock;

    RftFaults(Generation generation, Clock clock) {
        this.generation = requireNonNull(generation, "generation is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** Any refusal of the core's. */
    SoapFaultException of(Fault fault) {
        String text = fault.remedy().isEmpty() ? fault.sentence() : fault.sentence() + " " + fault.remedy();
        boolean ours = fault.blame() == Blame.SITE || fault.blame() == Blame.TRANSIENT;
        return fault(
                ours ? SoapFaultException.Code.SERVER : SoapFaultException.Code.CLIENT,
                generation.baseFault("BaseFault"),
                generation.baseFault("BaseFaultType"),
                text);
    }

    /** What a resource may be asked in. */
    enum About {
        PROPERTIES,
        LIFETIME,
        NOTIFICATION
    }

    /** There is no such resource for this caller; somebody else's is none for him. */
    SoapFaultException unknown(About about, String resource) {
        String name = "ResourceUnknownFault";
        QName element = generation == Generation.GT42
                ? generation.resource(name)
                : switch (about) {
                    case PROPERTIES -> generation.properties(name);
                    case LIFETIME -> generation.lifetime(name);
                    case NOTIFICATION -> generation.notification(name);
                };
        return client(
                element,
                "There is no such " + resource
                        + ". It may have been destroyed or have reached its termination time, it may"
                        + " belong to somebody else, or it never was here. Use the endpoint reference that was answered.");
    }

    SoapFaultException startedAgain() {
        return fault(
                SoapFaultException.Code.CLIENT,
                generation.transfer("rftRepeatedlyStartedFault"),
                generation.transfer("rftRepeatedlyStartedFaultType"),
                "The request was started before. Ask how it stands, or make another one.");
    }

    SoapFaultException noCredential(String sentence) {
        return fault(
                SoapFaultException.Code.CLIENT,
                generation.transfer("delegationEPRMissingFault"),
                generation.transfer("delegationEPRMissingFaultType"),
                sentence);
    }

    SoapFaultException invalidProperty(String sentence) {
        return client(generation.properties("InvalidResourcePropertyQNameFault"), sentence);
    }

    SoapFaultException terminationTimeRefused(String sentence) {
        return client(generation.lifetime("UnableToSetTerminationTimeFault"), sentence);
    }

    SoapFaultException subscribeFailed(String sentence) {
        return client(generation.notification("SubscribeCreationFailedFault"), sentence);
    }

    SoapFaultException topicNotSupported(String sentence) {
        return client(generation.notification("TopicNotSupportedFault"), sentence);
    }

    @Override
    public SoapFaultException queryDialectUnknown(String sentence) {
        return client(generation.properties("UnknownQueryExpressionDialectFault"), sentence);
    }

    @Override
    public SoapFaultException invalidQuery(String sentence) {
        return client(generation.properties("InvalidQueryExpressionFault"), sentence);
    }

    @Override
    public SoapFaultException queryFailed(String sentence) {
        return client(generation.properties("QueryEvaluationErrorFault"), sentence);
    }

    private SoapFaultException client(QName element, String sentence) {
        QName type = new QName(element.getNamespaceURI(), element.getLocalPart() + "Type", element.getPrefix());
        return fault(SoapFaultException.Code.CLIENT, element, type, sentence);
    }

    private SoapFaultException fault(SoapFaultException.Code code, QName element, QName type, String sentence) {
        BaseFault fault = new BaseFault(element, type, clock.instant(), Optional.empty(), sentence, out -> {});
        return new SoapFaultException(code, sentence, out -> fault.write(out, generation));
    }

    /**
     * Writes the element {@code fault} of a status: why a transfer failed.
     *
     * @param isLast whether no further attempt comes
     * @param time of it; absent means now
     */
    void write(XmlWriter out, String sentence, boolean isLast, @Nullable Instant time) {
        out.open(generation.transfer("fault"));
        out.open(generation.transfer(isLast ? "rftTransferFaultType" : "transferTransientFaultType"));
        out.element(generation.baseFault("Timestamp"), Times.format(time == null ? clock.instant() : time));
        out.element(generation.baseFault("Description"), sentence);
        out.close().close();
    }
}
