// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.gt4;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.gram.query.QueryFaults;
import org.jobgate.gram.soap.SoapFaultException;
import org.jobgate.gram.wsrf.BaseFault;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.job.Blame;
import org.jobgate.job.Fault;

/** How refusals are said: as the faults of WSRF, whose description is for people. */
public final class Gt4Faults {

    private final Clock clock;

    public Gt4Faults(Clock clock) {
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** Any refusal: the delegation services declare no faults of their own. */
    public SoapFaultException of(Generation generation, Fault fault) {
        String text = fault.remedy().isEmpty() ? fault.sentence() : fault.sentence() + " " + fault.remedy();
        boolean ours = fault.blame() == Blame.SITE || fault.blame() == Blame.TRANSIENT;
        return fault(
                generation,
                ours ? SoapFaultException.Code.SERVER : SoapFaultException.Code.CLIENT,
                generation.baseFault("BaseFault"),
                generation.baseFault("BaseFaultType"),
                text);
    }

    /** There is no such credential for this caller; somebody else's is none for him. */
    SoapFaultException unknown(Generation generation, boolean isAboutLifetime) {
        String name = "ResourceUnknownFault";
        QName element = generation == Generation.GT42
                ? generation.resource(name)
                : isAboutLifetime ? generation.lifetime(name) : generation.properties(name);
        QName type = new QName(element.getNamespaceURI(), name + "Type", element.getPrefix());
        return fault(
                generation,
                SoapFaultException.Code.CLIENT,
                element,
                type,
                "There is no such delegated credential. It may have expired or been destroyed, it may belong to somebody else, or it"
                        + " never was here. Delegate again.");
    }

    /** What is wrong with a query. */
    QueryFaults queries(Generation generation) {
        return new QueryFaults() {
            @Override
            public SoapFaultException invalidQuery(String sentence) {
                return ofProperties(generation, "InvalidQueryExpressionFault", sentence);
            }

            @Override
            public SoapFaultException queryDialectUnknown(String sentence) {
                return ofProperties(generation, "UnknownQueryExpressionDialectFault", sentence);
            }

            @Override
            public SoapFaultException queryFailed(String sentence) {
                return ofProperties(generation, "QueryEvaluationErrorFault", sentence);
            }
        };
    }

    SoapFaultException invalidProperty(Generation generation, String sentence) {
        return ofProperties(generation, "InvalidResourcePropertyQNameFault", sentence);
    }

    private SoapFaultException ofProperties(Generation generation, String name, String sentence) {
        return fault(
                generation,
                SoapFaultException.Code.CLIENT,
                generation.properties(name),
                generation.properties(name + "Type"),
                sentence);
    }

    SoapFaultException terminationTimeRefused(Generation generation, String sentence) {
        return fault(
                generation,
                SoapFaultException.Code.CLIENT,
                generation.lifetime("UnableToSetTerminationTimeFault"),
                generation.lifetime("UnableToSetTerminationTimeFaultType"),
                sentence);
    }

    private SoapFaultException fault(
            Generation generation, SoapFaultException.Code code, QName element, QName type, String text) {
        BaseFault fault = new BaseFault(element, type, clock.instant(), Optional.empty(), text, out -> {});
        return new SoapFaultException(code, text, out -> fault.write(out, generation));
    }
}
