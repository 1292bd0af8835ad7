// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.time.Clock;
import java.time.Instant;
import org.jobgate.access.Jobs;
import org.jobgate.gram.fault.GramFaults;
import org.jobgate.gram.fault.ResourceFaults;
import org.jobgate.gram.fault.StateNames;
import org.jobgate.gt4.Actions;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Times;
import org.jobgate.gt4.subscription.Subscriptions;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.ShortText;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlElement;
import org.jspecify.annotations.Nullable;

/** The end of a job by its owner's wish: {@code Destroy}, which is GT 4.0's cancel, {@code SetTerminationTime}, {@code release}, and GT 4.2's {@code terminate}. */
final class JobLifetime {

    private final Generation generation;
    private final Jobs jobs;
    private final Subscriptions subscriptions;
    private final JobCalls calls;
    private final ResourceFaults faults;
    private final LifetimeRules rules;
    private final Clock clock;

    JobLifetime(GramContext context, Gt4Context gt4, LifetimeRules rules) {
        this.generation = gt4.generation();
        this.jobs = context.jobs();
        this.subscriptions = context.subscriptions();
        this.calls = new JobCalls(generation, context.access());
        this.faults = gt4.wsrf();
        this.rules = rules;
        this.clock = context.clock();
    }

    /** Answers at once and ends the job in the background: the original's waiting hung its container (gram4.md section 11). */
    Reply destroy(SoapCall call) {
        JobCalls.NamedJob named = calls.job(call, faults::unknownToLifetime);
        if (jobs.destroy(named.caller(), named.id()).isEmpty()) {
            throw faults.unknownToLifetime("job " + named.id());
        }
        return new Reply(Actions.destroyed(generation), out -> out.empty(generation.lifetime("DestroyResponse")));
    }

    Reply release(SoapCall call) {
        JobCalls.NamedJob named = calls.job(call, faults::unknownToProperties);
        if (generation == Generation.GT42) {
            requireHeld(named);
        }
        if (jobs.release(named.caller(), named.id()).isEmpty()) {
            throw faults.unknownToProperties("job " + named.id());
        }
        return new Reply(
                Actions.gram(generation, "releaseResponse"), out -> out.empty(generation.release("releaseResponse")));
    }

    private void requireHeld(JobCalls.NamedJob named) {
        Job job = jobs.find(named.caller(), named.id())
                .orElseThrow(() -> faults.unknownToProperties("job " + named.id()));
        if (!job.isHeld()) {
            throw faults.notReleased("The job " + named.id() + " is not held: it is " + StateNames.of(job, generation)
                    + ". Release it when its property holding is true.");
        }
    }

    /** GT 4.2's cancel: answers at once, and ends the job in the background (capture 52). */
    Reply terminate(SoapCall call) {
        JobCalls.NamedJob named = calls.job(call, faults::unknownToLifetime);
        boolean destroys = flag(call.body(), "destroyAfterCleanup");
        boolean notifies = flag(call.body(), "continueNotifying");
        if (flag(call.body(), "destroyDelegatedCredentials")) {
            jobs.destroyCredentials(named.caller(), named.id());
        }
        if (!notifies && jobs.find(named.caller(), named.id()).isPresent()) {
            subscriptions.ofResource(named.id()).forEach(subscriptions::destroy);
        }
        Job job = (destroys ? jobs.destroy(named.caller(), named.id()) : jobs.cancel(named.caller(), named.id()))
                .orElseThrow(() -> faults.unknownToLifetime("job " + named.id()));
        boolean isOver = job.state().isTerminal();
        return new Reply(Actions.gram(generation, "terminateResponse"), out -> {
            out.open(generation.terminate("terminateResponse"));
            out.element(generation.terminate("terminationCompleted"), Boolean.toString(isOver));
            out.close();
        });
    }

    private static boolean flag(XmlElement terminate, String name) {
        String text = terminate.child(name).map(XmlElement::trimmedText).orElse("");
        return switch (text) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default ->
                throw SoapFaultException.client("terminate must hold " + name + ", true or false; it is '"
                        + ShortText.of(text, 60) + "'. Say all three flags.");
        };
    }

    Reply setTerminationTime(SoapCall call) {
        JobCalls.NamedJob named = calls.job(call, faults::unknownToLifetime);
        Instant requested = requestedTime(call.body(), clock.instant());
        rules.refusal(requested, clock.instant()).ifPresent(why -> {
            throw faults.terminationTimeRefused(GramFaults.explain(why));
        });
        Instant granted = requested == null ? rules.endless(generation, clock.instant()) : requested;
        Job job;
        try {
            job = jobs.setTerminationTime(named.caller(), named.id(), granted)
                    .orElseThrow(() -> faults.unknownToLifetime("job " + named.id()));
        } catch (FaultException e) {
            if (e.fault().code() == FaultCode.INVALID_TERMINATION_TIME) {
                throw faults.terminationTimeRefused(GramFaults.explain(e.fault()));
            }
            throw e;
        }
        return new Reply(Actions.terminationTimeSet(generation), out -> {
            out.open(generation.lifetime("SetTerminationTimeResponse"));
            out.nillable(generation.lifetime("NewTerminationTime"), Times.formatNullable(job.terminationTime()));
            out.element(generation.lifetime("CurrentTime"), Times.format(clock.instant()));
            out.close();
        });
    }

    /** @param now what a lifetime that is given as a duration, as WSRF 1.2 allows, begins with */
    private static @Nullable Instant requestedTime(XmlElement body, Instant now) {
        XmlElement requested = body.child("RequestedTerminationTime")
                .or(() -> body.child("RequestedLifetimeDuration"))
                .orElseThrow(() -> SoapFaultException.client(
                        "SetTerminationTime must hold RequestedTerminationTime, with xsi:nil=\"true\" for never."));
        if (requested.isNil()) {
            return null;
        }
        try {
            return Times.parse(requested.text(), now);
        } catch (IllegalArgumentException e) {
            throw SoapFaultException.client(requested.localName() + " is " + e.getMessage() + ". Correct it.");
        }
    }
}
