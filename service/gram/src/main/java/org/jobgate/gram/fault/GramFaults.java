// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.fault;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import javax.xml.namespace.QName;
import org.jobgate.gt4.BaseFault;
import org.jobgate.gt4.Generation;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** Says the core's faults in GRAM4's words: as SOAP faults, and as a job's fault property. */
public final class GramFaults {

    private final Generation generation;
    private final Function<Job, String> jobAddress;
    private final Clock clock;

    /** @param jobAddress says the address of the service that a job is behind, which its fault names as originator */
    public GramFaults(Generation generation, Function<Job, String> jobAddress, Clock clock) {
        this.generation = requireNonNull(generation, "generation is null");
        this.jobAddress = requireNonNull(jobAddress, "jobAddress is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** A refused request. */
    public SoapFaultException soap(Fault fault) {
        FaultForm form = FaultForm.of(fault, generation);
        FaultType type = form.type();
        // the global element faults:fault is the property's wrapper; a plain fault in a SOAP detail is a typed
        // wsbf:BaseFault
        QName element = type == FaultType.PLAIN ? generation.baseFault("BaseFault") : generation.faults(type.element());
        BaseFault baseFault = baseFault(fault, form, element, clock.instant(), Optional.empty());
        SoapFaultException.Code code = SoapFaultException.Code.of(fault.origin());
        return new SoapFaultException(code, explain(fault), out -> baseFault.write(out, generation));
    }

    /**
     * Writes the {@code faults:fault} property of a job that a fault ended; nothing for any other job, nor in GT 4.2 for one that was
     * ended as its owner wished. The typed fault lies inside
     * the property's element (facts/gt4-wire.md section 4, polling; capture 70).
     */
    public void writeProperty(XmlWriter out, Job job) {
        Fault fault = faultOf(job);
        if (fault == null || StateNames.of(job, generation).equals("UserTerminateDone")) {
            return;
        }
        boolean isTermination = StateNames.of(job, generation).equals("UserTerminateFailed");
        FaultForm form = isTermination ? FaultForm.ofTermination(fault) : FaultForm.of(fault, generation);
        Instant time = Objects.requireNonNullElse(job.ended(), job.changed());
        QName element = generation.faults(form.type().element());
        out.open(generation.faults("fault"));
        baseFault(fault, form, element, time, Optional.of(jobAddress.apply(job)))
                .write(out, generation);
        out.close();
    }

    private static @Nullable Fault faultOf(Job job) {
        boolean failed = job.state() == JobState.FAILED || job.state() == JobState.CANCELLED;
        JobOutcome outcome = job.outcome();
        return failed && outcome != null ? outcome.fault() : null;
    }

    private BaseFault baseFault(Fault fault, FaultForm form, QName element, Instant time, Optional<String> originator) {
        return new BaseFault(
                element,
                generation.faults(form.type().type()),
                time,
                originator,
                explain(fault),
                out -> writeMore(out, fault, form));
    }

    /** What failed, on what and why, and what to do. */
    public static String explain(Fault fault) {
        String text = fault.remedy().isEmpty() ? fault.sentence() : fault.sentence() + " " + fault.remedy();
        return GramParts.named(fault, text);
    }

    private void writeMore(XmlWriter out, Fault fault, FaultForm form) {
        JobState during = fault.during() == null ? JobState.UNSUBMITTED : fault.during();
        String command = fault.evidence() == null ? "start" : fault.evidence().command();
        out.element(generation.faults("stateWhenFailureOccurred"), StateNames.of(during));
        out.element(generation.faults("command"), command);
        out.element(generation.faults("gt2ErrorCode"), Integer.toString(form.gt2ErrorCode()));
        writeExtra(out, fault, form.type().extra());
    }

    private void writeExtra(XmlWriter out, Fault fault, FaultType.Extra extra) {
        if (extra == FaultType.Extra.NONE) {
            return;
        }
        String value = Objects.requireNonNullElse(fault.value(), "");
        out.element(generation.faults("attribute"), Objects.requireNonNullElse(GramParts.attribute(fault), ""));
        switch (extra) {
            case PATH -> out.element(generation.faults("path"), value);
            case FEATURE -> out.element(generation.faults("feature"), value);
            case TRANSFER -> {
                out.element(generation.faults("source"), value);
                out.element(generation.faults("destination"), Objects.requireNonNullElse(fault.destination(), ""));
            }
            case NONE, ATTRIBUTE -> {
                // nothing beyond the attribute
            }
        }
    }
}
