// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.time.Clock;
import java.time.Instant;
import org.jobgate.gram.fault.WsrfFaults;
import org.jobgate.gram.soap.Reply;
import org.jobgate.gram.soap.SoapCall;
import org.jobgate.gram.soap.SoapFaultException;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.gram.wsrf.Times;
import org.jobgate.gram.xml.XmlElement;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.lifecycle.Jobs;
import org.jspecify.annotations.Nullable;

/** The end of a job by its owner's wish: {@code Destroy}, which is GT 4.0's cancel, {@code SetTerminationTime}, and {@code release}. */
final class JobLifetime {

    private final Generation generation;
    private final Jobs jobs;
    private final Callers callers;
    private final WsrfFaults faults;
    private final Clock clock;

    JobLifetime(Generation generation, Jobs jobs, Callers callers, WsrfFaults faults, Clock clock) {
        this.generation = generation;
        this.jobs = jobs;
        this.callers = callers;
        this.faults = faults;
        this.clock = clock;
    }

    /** Answers at once and ends the job in the background: the original's waiting hung its container (gram4.md section 11). */
    Reply destroy(SoapCall call) {
        Callers.NamedJob named = callers.job(call, faults::unknownToLifetime);
        if (jobs.destroy(named.subject(), named.id()).isEmpty()) {
            throw faults.unknownToLifetime("job " + named.id());
        }
        return new Reply(
                Generation.LIFETIME_ACTION + "DestroyResponse",
                out -> out.empty(generation.lifetime("DestroyResponse")));
    }

    Reply release(SoapCall call) {
        Callers.NamedJob named = callers.job(call, faults::unknownToProperties);
        if (jobs.release(named.subject(), named.id()).isEmpty()) {
            throw faults.unknownToProperties("job " + named.id());
        }
        return new Reply(generation.gram() + "/releaseResponse", out -> out.empty(generation.job("releaseResponse")));
    }

    Reply setTerminationTime(SoapCall call) {
        Callers.NamedJob named = callers.job(call, faults::unknownToLifetime);
        Instant requested = requestedTime(call.body());
        Job job;
        try {
            job = jobs.setTerminationTime(named.subject(), named.id(), requested)
                    .orElseThrow(() -> faults.unknownToLifetime("job " + named.id()));
        } catch (FaultException e) {
            if (e.fault().code() == FaultCode.INVALID_TERMINATION_TIME) {
                throw faults.terminationTimeRefused(e.fault().sentence());
            }
            throw e;
        }
        return new Reply(Generation.LIFETIME_ACTION + "SetTerminationTimeResponse", out -> {
            out.open(generation.lifetime("SetTerminationTimeResponse"));
            out.nillable(generation.lifetime("NewTerminationTime"), Times.formatNullable(job.terminationTime()));
            out.element(generation.lifetime("CurrentTime"), Times.format(clock.instant()));
            out.close();
        });
    }

    private static @Nullable Instant requestedTime(XmlElement body) {
        XmlElement requested = body.child("RequestedTerminationTime")
                .orElseThrow(() -> SoapFaultException.client(
                        "SetTerminationTime must hold RequestedTerminationTime, with xsi:nil=\"true\" for never."));
        if (requested.isNil()) {
            return null;
        }
        try {
            return Times.parse(requested.text());
        } catch (IllegalArgumentException e) {
            throw SoapFaultException.client("RequestedTerminationTime is " + e.getMessage() + ".");
        }
    }
}
