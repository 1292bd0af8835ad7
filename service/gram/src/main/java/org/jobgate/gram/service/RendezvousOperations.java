// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.util.Base64;
import java.util.Optional;
import org.jobgate.access.Caller;
import org.jobgate.access.Jobs;
import org.jobgate.gram.fault.ResourceFaults;
import org.jobgate.gram.notification.RendezvousMessage;
import org.jobgate.gram.rendezvous.RefusedRegistrationException;
import org.jobgate.gram.rendezvous.Registration;
import org.jobgate.gram.rendezvous.Rendezvouses;
import org.jobgate.gt4.Actions;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.subscription.ProducerReplies;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.ShortText;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** The rendezvous of a job as its port types declare it: {@code register}, three properties and a topic. */
final class RendezvousOperations {

    private static final int ANY_RANK = -1;
    private static final int SHOWN_CHARACTERS = 60;

    private final Jobs jobs;
    private final Rendezvouses rendezvouses;
    private final Generation generation;
    private final JobCalls calls;
    private final ResourceFaults faults;
    private final RendezvousMessage message;

    RendezvousOperations(GramContext context, Gt4Context gt4) {
        this.jobs = context.jobs();
        this.rendezvouses = context.rendezvouses();
        this.generation = gt4.generation();
        this.calls = new JobCalls(generation, context.access());
        this.faults = gt4.wsrf();
        this.message = new RendezvousMessage(generation);
    }

    /** Answers when the registration is on disk. */
    Reply register(SoapCall call) {
        JobCalls.NamedJob named = calls.job(call, faults::unknownToProperties);
        Job job = jobs.findToManage(named.caller(), named.id())
                .orElseThrow(() -> faults.unknownToProperties("job " + named.id()));
        if (job.state().isTerminal()) {
            throw SoapFaultException.client(
                    "The job " + job.id() + " is over: nobody can register with it. Register while the job runs.");
        }
        int rank = rank(named.caller(), job, registration(call));
        return new Reply(Actions.registered(generation), out -> {
            out.open(generation.rendezvous("registerResponse"));
            out.element(generation.rendezvous("rank"), Integer.toString(rank));
            out.close();
        });
    }

    private int rank(Caller caller, Job job, Registration registration) {
        try {
            return rendezvouses.register(caller, job, registration);
        } catch (RefusedRegistrationException e) {
            String sentence = String.valueOf(e.getMessage());
            throw switch (e.reason()) {
                case NO_SUCH_RANK -> SoapFaultException.client(sentence);
                case RANK_TAKEN -> faults.rankTaken(sentence);
                case ALL_TAKEN -> faults.capacityReached(sentence);
            };
        }
    }

    private Registration registration(SoapCall call) {
        XmlElement register = call.body();
        String messageId = call.headerText(generation.addressing("MessageID")).orElse(null);
        return new Registration(data(register), rank(register), messageId);
    }

    private static byte[] data(XmlElement register) {
        String text = register.child("data")
                .map(XmlElement::text)
                .orElseThrow(() -> SoapFaultException.client(
                        "register has no element data. Send what the others are to get, in Base64; it may be empty."));
        try {
            // lines may be broken, as XML Schema allows in base64Binary
            return Base64.getDecoder().decode(text.replaceAll("[ \t\r\n]", ""));
        } catch (IllegalArgumentException e) {
            throw SoapFaultException.client("The data of register are not Base64: " + e.getMessage()
                    + ". Send what the others are to get, in Base64.");
        }
    }

    private static @Nullable Integer rank(XmlElement register) {
        String text = register.child("rank").map(XmlElement::trimmedText).orElse("");
        if (text.isEmpty()) {
            return null;
        }
        try {
            int rank = Integer.parseInt(text);
            return rank == ANY_RANK ? null : rank;
        } catch (NumberFormatException e) {
            throw SoapFaultException.client("The rank '"
                    + ShortText.of(text, SHOWN_CHARACTERS)
                    + "' is not a whole number. Send one from 0, or -1 for the lowest that is free.");
        }
    }

    void writeCapacity(XmlWriter out, Optional<JobDescription> description) {
        description.ifPresent(present ->
                out.element(generation.rendezvous("Capacity"), Integer.toString(Rendezvouses.capacity(present))));
    }

    /** GT 4.0's property sets demand the property always, GT 4.2's do not. */
    void writeData(XmlWriter out, Job job) {
        Optional<byte[]> data = rendezvouses.data(job.id(), job.owner().subject());
        if (data.isPresent() || generation == Generation.GT40) {
            String text = data.map(Base64.getEncoder()::encodeToString).orElse("");
            out.element(generation.rendezvous("RegistrantData"), text);
        }
    }

    void writeCompleted(XmlWriter out, Job job) {
        out.element(
                generation.rendezvous("RendezvousCompleted"),
                Boolean.toString(rendezvouses.isComplete(job.id(), job.owner().subject())));
    }

    /** The message that a consumer of the topic would have got. */
    Reply currentMessage(Job job) {
        byte[] data = rendezvouses
                .data(job.id(), job.owner().subject())
                .orElseThrow(() -> faults.noCurrentMessage(
                        "Not all have come to the rendezvous of the job " + job.id() + " yet. Ask again later."));
        return ProducerReplies.currentMessage(generation, out -> message.write(out, data));
    }
}
