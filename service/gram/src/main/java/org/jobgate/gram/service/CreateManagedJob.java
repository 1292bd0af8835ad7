// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jobgate.gram.notification.Subscription;
import org.jobgate.gram.soap.Reply;
import org.jobgate.gram.soap.SoapCall;
import org.jobgate.gram.wsrf.Actions;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.gram.wsrf.Times;
import org.jobgate.gram.xml.XmlWriter;
import org.jobgate.identity.Identity;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.lifecycle.Jobs;
import org.jobgate.lifecycle.Submission;
import org.jobgate.store.DoorRecord;
import org.jspecify.annotations.Nullable;

/** {@code createManagedJob}: the one call that submits a job (facts/gram4.md section 1.4; captures 04, 05, 08, 09, 23 and 50). */
final class CreateManagedJob implements Operation {

    private final Site site;
    private final Speech speech;
    private final Generation generation;
    private final Callers callers;
    private final Factories factories;
    private final Authorization authorization;
    private final JobRequests requests;
    private final @Nullable Duration keepAfterEnd;

    /** @param keepAfterEnd how long jobs are kept from their end on; absent means as long as the service keeps finished jobs */
    CreateManagedJob(
            Site site, Speech speech, Factories factories, JobRequests requests, @Nullable Duration keepAfterEnd) {
        this.site = site;
        this.speech = speech;
        this.generation = speech.generation();
        this.callers = new Callers(generation);
        this.factories = factories;
        this.authorization = new Authorization(site.authorizer());
        this.requests = requests;
        this.keepAfterEnd = keepAfterEnd;
    }

    @Override
    public Reply answer(SoapCall call) {
        Identity identity = callers.identity(call);
        List<String> accounts = authorization.accounts(identity);
        String lrm = factories.named(call);
        try {
            return submit(requests.read(identity, accounts, lrm, call.body()));
        } catch (FaultException e) {
            if (generation == Generation.GT42 && e.fault().code() == FaultCode.INVALID_TERMINATION_TIME) {
                throw speech.wsrf().terminationTimeRefused(e.fault().sentence());
            }
            throw e;
        }
    }

    private Reply submit(JobRequest request) {
        AtomicReference<Subscription> made = new AtomicReference<>();
        Jobs.Submitted submitted = site.jobs().submit(submission(request, made));
        Subscription subscription = request.subscribe()
                .map(wanted -> submitted.isNew()
                        ? made.get()
                        : site.subscriptions()
                                .add(
                                        wanted,
                                        submitted.job().id(),
                                        request.owner().subject()))
                .orElse(null);
        return reply(submitted.job(), subscription);
    }

    /** @param made takes the subscription that is stored with the job */
    private Submission submission(JobRequest request, AtomicReference<Subscription> made) {
        return new Submission(
                request.owner(),
                request.clientId(),
                request.lrm(),
                request.description(),
                request.terminationTime(),
                keepAfterEnd,
                id -> records(id, request, made));
    }

    private List<DoorRecord> records(JobId id, JobRequest request, AtomicReference<Subscription> made) {
        List<Subscription> all =
                request
                        .subscribe()
                        .map(wanted -> site.subscriptions()
                                .create(wanted, id, request.owner().subject()))
                        .stream()
                        .toList();
        all.forEach(made::set);
        site.subscriptions().willHave(id, all);
        return all.stream().map(site.subscriptions()::record).toList();
    }

    private Reply reply(Job job, @Nullable Subscription subscription) {
        Addresses addresses = speech.addresses();
        return new Reply(Actions.gram(generation, "ManagedJobFactoryPortType/createManagedJobResponse"), out -> {
            out.open(generation.job("createManagedJobResponse"));
            writeTerminationTime(out, Times.formatNullable(job.terminationTime()));
            out.element(generation.job("CurrentTime"), Times.format(site.clock().instant()));
            addresses.job(job).write(out, generation, generation.job("managedJobEndpoint"));
            Optional.ofNullable(subscription)
                    .ifPresent(present -> addresses
                            .subscription(present.key())
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
