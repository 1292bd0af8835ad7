// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jobgate.access.JobPermit;
import org.jobgate.gram.fault.GramFaults;
import org.jobgate.gram.jdd.Variables;
import org.jobgate.gt4.Actions;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Times;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.limits.Limit;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/**
 * Our own {@code createManagedJobs}: many jobs in one request, stored together, with an answer for each. Either each job has an
 * element {@code create} of what {@code createManagedJob} holds, or all are made of one {@code template} and an {@code instance} each,
 * with its JobID and its variables. Every job needs a JobID: a client that got no answer repeats the request, and no job starts twice.
 */
final class CreateManagedJobs implements Operation {

    static final String NAME = "createManagedJobs";

    private final Gt4Context gt4;
    private final Generation generation;
    private final GramContext context;
    private final JobCalls calls;
    private final Factories factories;
    private final JobRequests requests;
    private final JobSubmissions submissions;
    private final Limit limit;

    CreateManagedJobs(
            GramContext context,
            Gt4Context gt4,
            Factories factories,
            JobRequests requests,
            JobSubmissions submissions,
            Limit limit) {
        this.context = context;
        this.gt4 = gt4;
        this.generation = gt4.generation();
        this.calls = new JobCalls(generation, context.access());
        this.factories = factories;
        this.requests = requests;
        this.submissions = submissions;
        this.limit = limit;
    }

    /** One job of the request, by the elements that say its content and its JobID. */
    private record Wanted(XmlElement content, XmlElement named) {

        boolean isOfTemplate() {
            return content != named;
        }
    }

    /** What is answered for one job: one of the last two is present. */
    private static final class Answer {

        private final Wanted wanted;
        private JobSubmissions.@Nullable Accepted accepted;
        private @Nullable SoapFaultException refusal;

        Answer(Wanted wanted) {
            this.wanted = wanted;
        }
    }

    @Override
    public Reply answer(SoapCall call) {
        JobPermit permit = calls.caller(call).submit();
        String lrm = factories.named(call);
        List<Answer> answers = wanted(call.body()).stream().map(Answer::new).toList();
        List<JobRequest> understood = new ArrayList<>();
        List<Answer> theirs = new ArrayList<>();
        for (Answer answer : answers) {
            try {
                understood.add(read(permit, lrm, answer.wanted));
                theirs.add(answer);
            } catch (FaultException e) {
                answer.refusal = refusal(e.fault());
            } catch (SoapFaultException e) {
                answer.refusal = e;
            }
        }
        List<JobSubmissions.Outcome> outcomes = submissions.submitAll(permit, understood);
        for (int i = 0; i < outcomes.size(); i++) {
            JobSubmissions.Outcome outcome = outcomes.get(i);
            Answer answer = theirs.get(i);
            answer.accepted = outcome.accepted();
            answer.refusal =
                    Optional.ofNullable(outcome.fault()).map(this::refusal).orElse(null);
        }
        return reply(answers);
    }

    private SoapFaultException refusal(Fault fault) {
        return fault.code() == FaultCode.INVALID_TERMINATION_TIME && generation == Generation.GT42
                ? gt4.wsrf().terminationTimeRefused(GramFaults.explain(fault))
                : gt4.gram().soap(fault);
    }

    private List<Wanted> wanted(XmlElement body) {
        Optional<XmlElement> template = body.child("template");
        String each = template.isPresent() ? "instance" : "create";
        List<Wanted> all = body.children().stream()
                .filter(child -> child.localName().equals(each))
                .map(child -> new Wanted(template.orElse(child), child))
                .toList();
        if (all.isEmpty()) {
            throw SoapFaultException.client(
                    NAME + " asks for no job: it must hold elements create, one for each job, or one"
                            + " template and elements instance, one for each job.");
        }
        limit.check(all.size(), "jobs of one " + NAME);
        return all;
    }

    private JobRequest read(JobPermit permit, String lrm, Wanted wanted) {
        if (wanted.named().child("JobID").isEmpty()) {
            throw new FaultException(Fault.of(
                            FaultCode.INVALID_DESCRIPTION,
                            "The job has no JobID, which each job of " + NAME + " needs.",
                            "Give each job an id of its own: then the request can be repeated and starts nothing twice.")
                    .about("JobID", ""));
        }
        UnaryOperator<Variables> more =
                wanted.isOfTemplate() ? InstanceVariables.read(wanted.named())::before : UnaryOperator.identity();
        return requests.read(permit, lrm, wanted.content(), wanted.named(), more);
    }

    private Reply reply(List<Answer> answers) {
        return new Reply(Actions.extension(generation, NAME + "Response"), out -> {
            out.open(generation.extension(NAME + "Response")).binding(generation.addressing("Address"));
            out.element(
                    generation.extension("CurrentTime"),
                    Times.format(context.clock().instant()));
            answers.forEach(answer -> write(out, answer));
            out.close();
        });
    }

    private void write(XmlWriter out, Answer answer) {
        out.open(generation.extension("result"));
        answer.wanted.named().child("JobID").ifPresent(id -> out.element(generation.extension("JobID"), shown(id)));
        JobSubmissions.Accepted accepted = answer.accepted;
        if (accepted != null) {
            writeAccepted(out, accepted);
        } else {
            writeRefusal(out, requireNonNull(answer.refusal, "a job without an answer"));
        }
        out.close();
    }

    private static String shown(XmlElement id) {
        String text = id.trimmedText();
        return text.length() <= JobRequests.CLIENT_ID_CHARACTERS
                ? text
                : text.substring(0, JobRequests.CLIENT_ID_CHARACTERS);
    }

    private void writeAccepted(XmlWriter out, JobSubmissions.Accepted accepted) {
        Addresses addresses = gt4.addresses();
        out.element(generation.job("ResourceID"), accepted.job().id().toString());
        out.element(generation.extension("isNew"), Boolean.toString(accepted.isNew()));
        addresses.job(accepted.job()).write(out, generation, generation.extension("managedJobEndpoint"));
        accepted.subscription()
                .ifPresent(subscription -> addresses
                        .subscription(subscription.key())
                        .write(out, generation, generation.extension("subscriptionEndpoint")));
    }

    private void writeRefusal(XmlWriter out, SoapFaultException refusal) {
        out.open(generation.extension("fault"));
        Optional.ofNullable(refusal.detail()).ifPresent(detail -> detail.write(out));
        out.close();
        out.element(generation.extension("explain"), String.valueOf(refusal.getMessage()));
    }
}
