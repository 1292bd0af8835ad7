// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import javax.xml.namespace.QName;
import org.jobgate.authz.Action;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.subscription.ProducerReplies;
import org.jobgate.gt4.subscription.StandingNotifier;
import org.jobgate.gt4.subscription.Subscription;
import org.jobgate.gt4.subscription.SubscriptionOperations;
import org.jobgate.gt4.subscription.SubscriptionRequest;
import org.jobgate.gt4.subscription.Subscriptions;
import org.jobgate.job.JobId;
import org.jobgate.notify.CallbackPolicy;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.soap.SoapService;
import org.jobgate.xml.XmlElement;

/** Subscriptions to requests: made by {@code Subscribe} (capture 31), and resources of a service of their own. */
final class RftSubscribing implements SoapService {

    private final Subscriptions subscriptions;
    private final StandingNotifier notifier;
    private final CallbackPolicy callbacks;
    private final String baseUrl;
    private final Map<Generation, RftFaults> faults;
    private final Map<Generation, SubscriptionOperations> operations = new EnumMap<>(Generation.class);
    private final Clock clock;

    RftSubscribing(
            Subscriptions subscriptions,
            StandingNotifier notifier,
            CallbackPolicy callbacks,
            RftCallers callers,
            String baseUrl,
            Map<Generation, RftFaults> faults,
            Clock clock) {
        this.subscriptions = requireNonNull(subscriptions, "subscriptions is null");
        this.notifier = requireNonNull(notifier, "notifier is null");
        this.callbacks = requireNonNull(callbacks, "callbacks is null");
        this.baseUrl = requireNonNull(baseUrl, "baseUrl is null");
        this.faults = faults;
        this.clock = requireNonNull(clock, "clock is null");
        faults.forEach((generation, own) -> operations.put(
                generation,
                new SubscriptionOperations(
                        subscriptions,
                        generation,
                        call -> callers.owner(call, Action.QUERY),
                        own,
                        about -> own.unknownResource(about, "subscription"),
                        clock)));
    }

    @Override
    public String name() {
        return RftNames.SUBSCRIPTIONS;
    }

    private RftFaults faults(SoapCall call) {
        return requireNonNull(faults.get(Generation.of(call)));
    }

    Reply subscribe(SoapCall call, RftRequests.Present present) {
        Generation generation = Generation.of(call);
        SubscriptionRequest asked = SubscriptionRequest.read(
                call.body(),
                generation,
                expression -> expression.isEmpty()
                        ? generation.transfer(RftNames.OVERALL)
                        : topic(expression, generation, faults(call)::subscribeFailed),
                callbacks,
                faults(call),
                clock.instant());
        Subscription made = subscriptions.addAnother(asked, JobId.parse(present.key()), present.owner());
        if (present.state().started() != null) {
            notifier.changed(made.resource()); // what has happened before is told as well
        }
        return ProducerReplies.subscribed(
                generation,
                EndpointReference.of(baseUrl + "/" + name(), generation.core("SubscriptionKey"), made.key()));
    }

    /** @param unknown makes the fault for another topic */
    private static QName topic(
            Optional<XmlElement> expression, Generation generation, Function<String, SoapFaultException> unknown) {
        QName overall = generation.transfer(RftNames.OVERALL);
        QName status = generation.transfer(RftNames.STATUS);
        return expression
                .flatMap(XmlElement::qualifiedName)
                .filter(name -> name.equals(overall) || name.equals(status))
                .orElseThrow(() -> unknown.apply("The topic is not known. Use " + overall + " or " + status + "."));
    }

    /** How the request stands now, as its topic would say it. */
    Reply currentMessage(SoapCall call, RftRequests.Present present) {
        Generation generation = Generation.of(call);
        QName topic = topic(call.body().child("Topic"), generation, faults(call)::topicNotSupported);
        RftProperties.StatusWriting writing = new RftProperties.StatusWriting(generation, faults(call));
        return ProducerReplies.currentMessage(generation, out -> writing.topic(out, topic, present));
    }

    @Override
    public Reply answer(SoapCall call) {
        SubscriptionOperations own = requireNonNull(operations.get(Generation.of(call)));
        return switch (call.body().localName()) {
            case "Destroy" -> own.destroy(call);
            case "SetTerminationTime" -> own.setTerminationTime(call);
            case "Unsubscribe" -> own.unsubscribe(call);
            case "PauseSubscription" -> own.pause(call);
            case "ResumeSubscription" -> own.resume(call, resumed -> notifier.changed(resumed.resource()));
            default ->
                throw SoapFaultException.client(name()
                        + " has no such operation. It has: Destroy, Unsubscribe, PauseSubscription, ResumeSubscription,"
                        + " SetTerminationTime.");
        };
    }
}
