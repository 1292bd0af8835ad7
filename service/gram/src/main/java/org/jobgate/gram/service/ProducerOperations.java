// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.util.Optional;
import org.jobgate.gram.fault.ResourceFaults;
import org.jobgate.gram.notification.JobTopics;
import org.jobgate.gram.notification.StateMessage;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.subscription.ProducerReplies;
import org.jobgate.gt4.subscription.Subscription;
import org.jobgate.gt4.subscription.SubscriptionRequest;
import org.jobgate.job.Job;
import org.jobgate.job.JobState;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlElement;

/** What a job can be asked as a producer of notifications: {@code Subscribe} and {@code GetCurrentMessage} (captures 24 and 21). */
final class ProducerOperations {

    private final GramContext context;
    private final Gt4Context gt4;
    private final Generation generation;
    private final JobCalls calls;
    private final StateMessage message;
    private final RendezvousOperations rendezvous;

    ProducerOperations(GramContext context, Gt4Context gt4, RendezvousOperations rendezvous) {
        this.rendezvous = rendezvous;
        this.context = context;
        this.gt4 = gt4;
        this.generation = gt4.generation();
        this.calls = new JobCalls(generation, context.access());
        this.message = new StateMessage(generation, gt4.gram());
    }

    Reply subscribe(SoapCall call) {
        ResourceFaults faults = gt4.wsrf();
        Job job = job(call);
        SubscriptionRequest request = SubscriptionRequest.read(
                call.body(),
                generation,
                expression -> JobTopics.subscribed(expression, generation, faults),
                context.callbacks(),
                faults,
                context.clock().instant());
        Subscription subscription =
                context.subscriptions().add(request, job.id(), job.owner().subject());
        return ProducerReplies.subscribed(generation, gt4.addresses().subscription(subscription.key()));
    }

    /** The message that a consumer would have got last; the first state of a job is told to nobody. */
    Reply currentMessage(SoapCall call) {
        ResourceFaults faults = gt4.wsrf();
        Job job = job(call);
        XmlElement topic = call.body()
                .child("Topic")
                .orElseThrow(() -> SoapFaultException.client(
                        "GetCurrentMessage has no Topic. Name the topic " + generation.stateTopic() + "."));
        if (JobTopics.isRendezvous(JobTopics.read(topic, generation, faults, faults::topicNotSupported), generation)) {
            return rendezvous.currentMessage(job);
        }
        if (job.state() == JobState.UNSUBMITTED) {
            throw faults.noCurrentMessage("The job " + job.id() + " has not changed its state yet. Ask again later.");
        }
        return ProducerReplies.currentMessage(
                generation, out -> message.write(out, job.state(), job.isHeld(), Optional.of(job)));
    }

    private Job job(SoapCall call) {
        ResourceFaults faults = gt4.wsrf();
        JobCalls.NamedJob named = calls.job(call, faults::unknownToNotification);
        return context.jobs()
                .find(named.caller(), named.id())
                .orElseThrow(() -> faults.unknownToNotification("job " + named.id()));
    }
}
