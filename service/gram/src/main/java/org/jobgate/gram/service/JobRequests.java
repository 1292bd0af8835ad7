// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jobgate.access.JobPermit;
import org.jobgate.gram.jdd.JddParser;
import org.jobgate.gram.jdd.Variables;
import org.jobgate.gram.multi.MultiJobReading;
import org.jobgate.gram.notification.JobTopics;
import org.jobgate.gt4.Times;
import org.jobgate.gt4.subscription.SubscriptionRequest;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobOrigin;
import org.jobgate.job.Owner;
import org.jobgate.language.DescribedJob;
import org.jobgate.language.ReadingContext;
import org.jobgate.limits.JobLimits;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlElement;
import org.jspecify.annotations.Nullable;

/** Reads the content of a {@code createManagedJob} (facts/gram4.md section 1.4). */
final class JobRequests {

    static final int CLIENT_ID_CHARACTERS = 256;

    private final GramContext context;
    private final Gt4Context gt4;
    private final JddParser parser;
    private final MultiJobReading multiJobs;
    private final CarriedDescriptions carried;
    private final JobLimits limits;
    private final LifetimeRules lifetimes;

    JobRequests(GramContext context, Gt4Context gt4, LifetimeRules lifetimes, ServiceSettings settings) {
        this.context = context;
        this.gt4 = gt4;
        this.limits = settings.jobLimits();
        this.parser = new JddParser(limits);
        this.multiJobs = new MultiJobReading(parser, gt4.addresses().of(Addresses.FACTORY), settings.otherFactories());
        this.carried = new CarriedDescriptions(context.languages(), parser);
        this.lifetimes = lifetimes;
    }

    /**
     * Reads one.
     *
     * @param permit of the sender, to start jobs
     * @param create the element around the job description
     */
    JobRequest read(JobPermit permit, String lrm, XmlElement create) {
        return read(permit, lrm, create, create, UnaryOperator.identity());
    }

    /**
     * Reads one of those that are made of a template.
     *
     * @param create the element around the job description
     * @param named the element with the JobID
     * @param more adds variables of this one to those that every job has
     */
    JobRequest read(JobPermit permit, String lrm, XmlElement create, XmlElement named, UnaryOperator<Variables> more) {
        XmlElement job = create.child("job")
                .or(() -> create.child("multiJob"))
                .orElseThrow(() -> SoapFaultException.client(
                        create.localName() + " holds no job element. Put a job or a multiJob into it."));
        Optional<CarriedDescriptions.Carried> other = carried.in(job);
        if (other.isPresent()) {
            return carried(permit, lrm, create, named, more, job, other.get());
        }
        String account = permit.account(parser.localUserId(job));
        return new JobRequest(
                JobSubmissions.ORIGIN,
                new Owner(permit.subject(), account),
                lrm,
                description(job, permit, account, lrm, more),
                clientId(named),
                terminationTime(create),
                create.child("Subscribe").map(this::subscription));
    }

    /** A job that is described in another language, among its extensions. */
    private JobRequest carried(
            JobPermit permit,
            String lrm,
            XmlElement create,
            XmlElement named,
            UnaryOperator<Variables> more,
            XmlElement job,
            CarriedDescriptions.Carried other) {
        Optional<String> wanted = parser.localUserId(job);
        ReadingContext reading = new ReadingContext(
                        context.jobs().lrms(), account -> permit.account(account.or(() -> wanted)), limits)
                .withDefaultLrm(lrm);
        DescribedJob read = carried.read(other, reading);
        String account = permit.account(Optional.ofNullable(read.account()).or(() -> wanted));
        String id = clientId(named);
        return new JobRequest(
                new JobOrigin(JobSubmissions.ORIGIN.door(), other.language().name()),
                new Owner(permit.subject(), account),
                lrm,
                carried.whole(
                        job,
                        other,
                        read.description(),
                        more.apply(context.variables().of(account, lrm))),
                id == null ? read.clientId() : id,
                terminationTime(create),
                create.child("Subscribe").map(this::subscription));
    }

    private JobDescription description(
            XmlElement job, JobPermit permit, String account, String lrm, UnaryOperator<Variables> more) {
        if (job.localName().equals(MultiJobReading.ELEMENT)) {
            return multiJobs.read(
                    job,
                    context.jobs().lrms(),
                    permit::account,
                    (owner, target) -> more.apply(context.variables().of(owner, target)));
        }
        return parser.parse(job, more.apply(context.variables().of(account, lrm)));
    }

    private SubscriptionRequest subscription(XmlElement element) {
        Instant now = context.clock().instant();
        return SubscriptionRequest.read(
                element,
                gt4.generation(),
                expression -> JobTopics.subscribed(expression, gt4.generation(), gt4.wsrf()),
                context.callbacks(),
                gt4.wsrf(),
                now);
    }

    private static @Nullable String clientId(XmlElement create) {
        XmlElement element = create.child("JobID").orElse(null);
        if (element == null) {
            return null;
        }
        String id = element.trimmedText();
        if (id.isEmpty() || id.length() > CLIENT_ID_CHARACTERS || id.chars().anyMatch(Character::isISOControl)) {
            throw new FaultException(Fault.of(
                            FaultCode.INVALID_DESCRIPTION,
                            "The JobID has " + id.length() + " characters; it must have 1 to " + CLIENT_ID_CHARACTERS
                                    + ", none of them a control character.",
                            "Send a JobID of the form uuid:XXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXXXXXX, or none.")
                    .about("JobID", ""));
        }
        return id;
    }

    private @Nullable Instant terminationTime(XmlElement create) {
        Instant now = context.clock().instant();
        XmlElement element = create.child("InitialTerminationTime").orElse(null);
        if (element == null || element.isNil()) {
            return lifetimes.initial(gt4.generation(), now);
        }
        Instant time = parsed(element);
        lifetimes.refusal(time, now).ifPresent(why -> {
            throw new FaultException(why);
        });
        return time;
    }

    private static Instant parsed(XmlElement element) {
        try {
            return Times.parse(element.text());
        } catch (IllegalArgumentException e) {
            throw new FaultException(
                    Fault.of(
                                    FaultCode.INVALID_TERMINATION_TIME,
                                    "InitialTerminationTime is " + e.getMessage() + ".",
                                    "Send a time in the future, or none for no end.")
                            .about("InitialTerminationTime", element.trimmedText()),
                    e);
        }
    }
}
