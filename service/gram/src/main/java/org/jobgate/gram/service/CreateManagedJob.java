// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import org.jobgate.access.JobPermit;
import org.jobgate.gram.fault.GramFaults;
import org.jobgate.gt4.Actions;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Times;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** {@code createManagedJob}: the one call that submits a job (facts/gram4.md section 1.4; captures 04, 05, 08, 09, 23 and 50). */
final class CreateManagedJob implements Operation {

    private final GramContext context;
    private final Gt4Context gt4;
    private final Generation generation;
    private final JobCalls calls;
    private final Factories factories;
    private final JobRequests requests;
    private final JobSubmissions submissions;

    CreateManagedJob(
            GramContext context,
            Gt4Context gt4,
            Factories factories,
            JobRequests requests,
            JobSubmissions submissions) {
        this.context = context;
        this.gt4 = gt4;
        this.generation = gt4.generation();
        this.calls = new JobCalls(generation, context.access());
        this.factories = factories;
        this.requests = requests;
        this.submissions = submissions;
    }

    @Override
    public Reply answer(SoapCall call) {
        JobPermit permit = calls.caller(call).submit();
        String lrm = factories.named(call);
        try {
            return reply(submissions.submit(permit, requests.read(permit, lrm, call.body())));
        } catch (FaultException e) {
            if (generation == Generation.GT42 && e.fault().code() == FaultCode.INVALID_TERMINATION_TIME) {
                throw gt4.wsrf().terminationTimeRefused(GramFaults.explain(e.fault()));
            }
            throw e;
        }
    }

    private Reply reply(JobSubmissions.Accepted accepted) {
        Addresses addresses = gt4.addresses();
        Job job = accepted.job();
        return new Reply(Actions.gram(generation, "ManagedJobFactoryPortType/createManagedJobResponse"), out -> {
            out.open(generation.job("createManagedJobResponse"));
            writeTerminationTime(out, Times.formatNullable(job.terminationTime()));
            out.element(
                    generation.job("CurrentTime"), Times.format(context.clock().instant()));
            addresses.job(job).write(out, generation, generation.job("managedJobEndpoint"));
            accepted.subscription()
                    .ifPresent(subscription -> addresses
                            .subscription(subscription.key())
                            .write(out, generation, generation.job("subscriptionEndpoint")));
            out.close();
        });
    }

    /** Never is nil in GT 4.0, whose schema demands the element, and left out in GT 4.2, whose schema has no nil there. */
    private void writeTerminationTime(XmlWriter out, @Nullable String time) {
        if (time != null || generation == Generation.GT40) {
            out.nillable(generation.job("NewTerminationTime"), time);
        }
    }
}
