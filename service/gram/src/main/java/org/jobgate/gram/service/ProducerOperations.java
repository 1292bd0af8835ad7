// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.util.Optional;
import org.jobgate.authz.Action;
import org.jobgate.gram.fault.WsrfFaults;
import org.jobgate.gram.notification.JobTopics;
import org.jobgate.gram.notification.StateMessage;
import org.jobgate.gram.notification.Subscription;
import org.jobgate.gram.notification.SubscriptionRequest;
import org.jobgate.gram.soap.Reply;
import org.jobgate.gram.soap.SoapCall;
import org.jobgate.gram.soap.SoapFaultException;
import org.jobgate.gram.wsrf.Actions;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.gram.xml.XmlElement;
import org.jobgate.job.Job;
import org.jobgate.job.JobState;

/** What a job can be asked as a producer of notifications: {@code Subscribe} and {@code GetCurrentMessage} (captures 24 and 21). */
final class ProducerOperations {

    private final Site site;
    private final Speech speech;
    private final Generation generation;
    private final Callers callers;
    private final StateMessage message;
    private final RendezvousOperations rendezvous;

    ProducerOperations(Site site, Speech speech, RendezvousOperations rendezvous) {
        this.rendezvous = rendezvous;
        this.site = site;
        this.speech = speech;
        this.generation = speech.generation();
        this.callers = new Callers(generation, site.authorizer());
        this.message = new StateMessage(generation, speech.gram());
    }

    Reply subscribe(SoapCall call) {
        WsrfFaults faults = speech.wsrf();
        Job job = job(call);
        SubscriptionRequest request = SubscriptionRequest.read(
                call.body(), generation, site.callbacks(), faults, site.clock().instant());
        Subscription subscription =
                site.subscriptions().add(request, job.id(), job.owner().subject());
        return new Reply(Actions.producer(generation, "Subscribe"), out -> {
            out.open(generation.notification("SubscribeResponse"));
            speech.addresses()
                    .subscription(subscription.key())
                    .write(out, generation, generation.notification("SubscriptionReference"));
            out.close();
        });
    }

    /** The message that a consumer would have got last; the first state of a job is told to nobody. */
    Reply currentMessage(SoapCall call) {
        WsrfFaults faults = speech.wsrf();
        Job job = job(call);
        XmlElement topic = call.body()
                .child("Topic")
                .orElseThrow(() -> SoapFaultException.client(
                        "GetCurrentMessage has no Topic. Name the topic " + generation.stateTopic() + "."));
        if (JobTopics.isRendezvous(JobTopics.read(topic, generation, faults, faults::topicNotSupported), generation)) {
            return rendezvous.currentMessage(job.id());
        }
        if (job.state() == JobState.UNSUBMITTED && !job.holding()) {
            throw faults.noCurrentMessage("The job " + job.id() + " has not changed its state yet. Ask again later.");
        }
        return new Reply(Actions.producer(generation, "GetCurrentMessage"), out -> {
            out.open(generation.notification("GetCurrentMessageResponse"));
            message.write(out, job.state(), job.holding(), Optional.of(job));
            out.close();
        });
    }

    private Job job(SoapCall call) {
        WsrfFaults faults = speech.wsrf();
        Callers.NamedJob named = callers.job(call, Action.QUERY, faults::unknownToNotification);
        return site.jobs()
                .find(named.subject(), named.id())
                .orElseThrow(() -> faults.unknownToNotification("job " + named.id()));
    }
}
