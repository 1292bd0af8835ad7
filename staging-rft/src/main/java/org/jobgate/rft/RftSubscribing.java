// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.authz.Action;
import org.jobgate.gt4.Actions;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Times;
import org.jobgate.gt4.WsrfFaults.About;
import org.jobgate.notify.CallbackPolicy;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.soap.SoapService;
import org.jobgate.xml.XmlElement;
import org.jspecify.annotations.Nullable;

/** Subscriptions to requests: made by {@code Subscribe} (capture 31), and resources of a service of their own. */
final class RftSubscribing implements SoapService {

    private final RftSubscriptions subscriptions;
    private final RftNotifier notifier;
    private final CallbackPolicy callbacks;
    private final RftCallers callers;
    private final String baseUrl;
    private final Map<Generation, RftFaults> faults;
    private final Clock clock;

    RftSubscribing(
            RftSubscriptions subscriptions,
            RftNotifier notifier,
            CallbackPolicy callbacks,
            RftCallers callers,
            String baseUrl,
            Map<Generation, RftFaults> faults,
            Clock clock) {
        this.subscriptions = requireNonNull(subscriptions, "subscriptions is null");
        this.notifier = requireNonNull(notifier, "notifier is null");
        this.callbacks = requireNonNull(callbacks, "callbacks is null");
        this.callers = requireNonNull(callers, "callers is null");
        this.baseUrl = requireNonNull(baseUrl, "baseUrl is null");
        this.faults = faults;
        this.clock = requireNonNull(clock, "clock is null");
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
        XmlElement body = call.body();
        for (String part : new String[] {"Precondition", "Selector", "SubscriptionPolicy"}) {
            if (body.child(part).isPresent()) {
                throw faults(call)
                        .subscribeFailed("Subscribe holds " + part + ", which is not supported. Leave it out.");
            }
        }
        Optional<XmlElement> expression = generation == Generation.GT40
                ? body.child("TopicExpression")
                : body.child("Filter").flatMap(filter -> filter.child("TopicExpression"));
        String topic = expression
                .map(element -> topic(element, generation))
                .orElse(Optional.of(RftNames.OVERALL))
                .orElseThrow(() -> faults(call)
                        .subscribeFailed("The topic is not known. Use " + generation.transfer(RftNames.OVERALL) + " or "
                                + generation.transfer(RftNames.STATUS) + "."));
        RftSubscription made =
                subscriptions.add(present.key(), present.owner(), generation, topic, consumer(call), expires(call));
        if (present.state().started() != null) {
            notifier.changed(made.request()); // what has happened before is told as well
        }
        return new Reply(Actions.producer(generation, "Subscribe"), out -> {
            out.open(generation.notification("SubscribeResponse"));
            EndpointReference.of(baseUrl + "/" + name(), generation.core("SubscriptionKey"), made.key())
                    .write(out, generation, generation.notification("SubscriptionReference"));
            out.close();
        });
    }

    private static Optional<String> topic(XmlElement expression, Generation generation) {
        QName name = expression.qualifiedName().orElse(null);
        if (generation.transfer(RftNames.OVERALL).equals(name)) {
            return Optional.of(RftNames.OVERALL);
        }
        return generation.transfer(RftNames.STATUS).equals(name) ? Optional.of(RftNames.STATUS) : Optional.empty();
    }

    private EndpointReference consumer(SoapCall call) {
        XmlElement reference = call.body()
                .child("ConsumerReference")
                .orElseThrow(() -> faults(call)
                        .subscribeFailed("Subscribe has no ConsumerReference. Say in it where the messages go."));
        try {
            EndpointReference consumer = EndpointReference.read(reference);
            var unused = callbacks.requireAddress(consumer.address());
            return consumer;
        } catch (IllegalArgumentException e) {
            throw faults(call)
                    .subscribeFailed("The ConsumerReference cannot be used: " + e.getMessage()
                            + ". Name an address that this gateway can call.");
        }
    }

    private @Nullable Instant expires(SoapCall call) {
        XmlElement asked = call.body().child("InitialTerminationTime").orElse(null);
        return asked == null || asked.isNil() ? null : time(asked);
    }

    private Instant time(XmlElement asked) {
        try {
            return Times.parse(asked.text(), clock.instant());
        } catch (IllegalArgumentException e) {
            throw SoapFaultException.client(asked.localName() + " is " + e.getMessage() + ".");
        }
    }

    /** How the request stands now, as its topic would say it. */
    Reply currentMessage(SoapCall call, RftRequests.Present present) {
        Generation generation = Generation.of(call);
        String topic = call.body()
                .child("Topic")
                .flatMap(element -> topic(element, generation))
                .orElseThrow(() -> faults(call)
                        .topicNotSupported("The topic is not known. Use " + generation.transfer(RftNames.OVERALL)
                                + " or " + generation.transfer(RftNames.STATUS) + "."));
        RftProperties.StatusWriting writing = new RftProperties.StatusWriting(generation, faults(call));
        return new Reply(Actions.producer(generation, "GetCurrentMessage"), out -> {
            out.open(generation.notification("GetCurrentMessageResponse"));
            if (topic.equals(RftNames.STATUS)) {
                writing.request(out, present);
            } else {
                writing.overall(out, present);
            }
            out.close();
        });
    }

    @Override
    public Reply answer(SoapCall call) {
        Generation generation = Generation.of(call);
        return switch (call.body().localName()) {
            case "Destroy" -> {
                end(named(call, About.LIFETIME));
                yield new Reply(
                        Actions.destroyed(generation), out -> out.empty(generation.lifetime("DestroyResponse")));
            }
            case "Unsubscribe" -> {
                end(named(call, About.NOTIFICATION));
                yield done(generation, "Unsubscribe");
            }
            case "PauseSubscription" -> {
                subscriptions.replace(named(call, About.NOTIFICATION).paused(true));
                yield done(generation, "PauseSubscription");
            }
            case "ResumeSubscription" -> {
                RftSubscription resumed = named(call, About.NOTIFICATION).paused(false);
                subscriptions.replace(resumed);
                notifier.changed(resumed.request());
                yield done(generation, "ResumeSubscription");
            }
            case "SetTerminationTime" -> setTerminationTime(call);
            default ->
                throw SoapFaultException.client(name()
                        + " has no such operation. It has: Destroy, Unsubscribe, PauseSubscription, ResumeSubscription,"
                        + " SetTerminationTime.");
        };
    }

    private void end(RftSubscription subscription) {
        subscriptions.destroy(subscription.key());
        notifier.forget(subscription.key());
    }

    private static Reply done(Generation generation, String operation) {
        return new Reply(
                Actions.subscription(generation, operation),
                out -> out.empty(generation.notification(operation + "Response")));
    }

    private Reply setTerminationTime(SoapCall call) {
        Generation generation = Generation.of(call);
        RftSubscription subscription = named(call, About.LIFETIME);
        XmlElement asked = call.body()
                .child("RequestedTerminationTime")
                .or(() -> call.body().child("RequestedLifetimeDuration"))
                .orElseThrow(() -> SoapFaultException.client(
                        "SetTerminationTime must hold RequestedTerminationTime, with xsi:nil=\"true\" for never."));
        Instant set = asked.isNil() ? null : time(asked);
        if (set != null && !set.isAfter(clock.instant())) {
            throw faults(call)
                    .terminationTimeRefused(
                            "The termination time " + set + " is past. Ask for a later one; compare the clocks.");
        }
        subscriptions.replace(subscription.expiring(set));
        return new Reply(Actions.terminationTimeSet(generation), out -> {
            out.open(generation.lifetime("SetTerminationTimeResponse"));
            out.nillable(generation.lifetime("NewTerminationTime"), Times.formatNullable(set));
            out.element(generation.lifetime("CurrentTime"), Times.format(clock.instant()));
            out.close();
        });
    }

    private RftSubscription named(SoapCall call, About about) {
        String owner = callers.owner(call, Action.QUERY);
        QName header = Generation.of(call).core("SubscriptionKey");
        String key = call.headerText(header)
                .orElseThrow(
                        () -> SoapFaultException.client(
                                "The SOAP header " + header
                                        + " is missing: it says which subscription is meant. Repeat in it what the endpoint reference holds."));
        return subscriptions
                .find(key)
                .filter(one -> one.owner().equals(owner))
                .orElseThrow(() -> faults(call).unknownResource(about, "subscription"));
    }
}
