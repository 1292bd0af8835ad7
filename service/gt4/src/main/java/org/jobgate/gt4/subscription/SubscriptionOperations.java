// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4.subscription;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jobgate.gt4.Actions;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.PropertySet;
import org.jobgate.gt4.Times;
import org.jobgate.gt4.WsrfFaults;
import org.jobgate.gt4.WsrfFaults.About;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** What can be done with a subscription (facts/gram4.md section 1.8; captures 14, 25 and 26), at any door of one generation. */
public final class SubscriptionOperations {

    private final Subscriptions subscriptions;
    private final Generation generation;
    private final Function<SoapCall, String> callers;
    private final WsrfFaults faults;
    private final Function<About, SoapFaultException> unknown;
    private final Clock clock;
    private final PropertySet<Subscription> properties;

    /**
     * @param callers the subject of a call, who may see subscriptions of the subject's own
     * @param unknown the fault for a subscription that the caller does not have
     */
    public SubscriptionOperations(
            Subscriptions subscriptions,
            Generation generation,
            Function<SoapCall, String> callers,
            WsrfFaults faults,
            Function<About, SoapFaultException> unknown,
            Clock clock) {
        this.subscriptions = requireNonNull(subscriptions, "subscriptions is null");
        this.generation = requireNonNull(generation, "generation is null");
        this.callers = requireNonNull(callers, "callers is null");
        this.faults = requireNonNull(faults, "faults is null");
        this.unknown = requireNonNull(unknown, "unknown is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.properties = properties(new PropertySet<>(generation, faults, generation.types("state")));
    }

    private PropertySet<Subscription> properties(PropertySet<Subscription> set) {
        set.with(
                generation.notification("ConsumerReference"),
                (out, subscription) ->
                        subscription.consumer().write(out, generation, generation.notification("ConsumerReference")));
        if (generation == Generation.GT40) {
            set.with(generation.notification("TopicExpression"), this::writeTopic);
            set.with(
                    generation.notification("UseNotify"),
                    (out, subscription) -> out.element(generation.notification("UseNotify"), "true"));
        } else {
            set.with(generation.notification("Filter"), (out, subscription) -> {
                out.open(generation.notification("Filter"));
                writeTopic(out, subscription);
                out.close();
            });
        }
        set.with(
                generation.notification("CreationTime"),
                (out, subscription) ->
                        out.element(generation.notification("CreationTime"), Times.format(subscription.created())));
        set.with(
                generation.lifetime("TerminationTime"),
                (out, subscription) -> out.nillable(
                        generation.lifetime("TerminationTime"), Times.formatNullable(subscription.expires())));
        set.with(
                generation.lifetime("CurrentTime"),
                (out, subscription) -> out.element(generation.lifetime("CurrentTime"), now()));
        return set;
    }

    private void writeTopic(XmlWriter out, Subscription subscription) {
        out.open(generation.notification("TopicExpression")).attribute("Dialect", generation.simpleTopics());
        out.text(out.qualified(subscription.topic())).close();
    }

    private String now() {
        return Times.format(clock.instant());
    }

    /** Answers GetResourceProperty and GetMultipleResourceProperties. */
    public Reply property(SoapCall call) {
        Subscription subscription = named(call, About.PROPERTIES);
        return properties.reply(call.body(), properties.requested(call.body()), subscription);
    }

    /** Ends the subscription. */
    public Reply destroy(SoapCall call) {
        subscriptions.destroy(named(call, About.LIFETIME));
        return new Reply(Actions.destroyed(generation), out -> out.empty(generation.lifetime("DestroyResponse")));
    }

    /** WS-Notification 1.3's name for the same. */
    public Reply unsubscribe(SoapCall call) {
        subscriptions.destroy(named(call, About.NOTIFICATION));
        return done("Unsubscribe");
    }

    /** Changes until it is resumed are not notified later. */
    public Reply pause(SoapCall call) {
        Subscription subscription = named(call, About.NOTIFICATION);
        subscriptions.replace(subscription.withPaused(true));
        return done("PauseSubscription");
    }

    /** Goes on telling. */
    public Reply resume(SoapCall call) {
        return resume(call, subscription -> {});
    }

    /**
     * As {@link #resume(SoapCall)}, for a door that tells how the resource stands now.
     *
     * @param resumed is told the subscription
     */
    public Reply resume(SoapCall call, Consumer<Subscription> resumed) {
        Subscription subscription = named(call, About.NOTIFICATION).withPaused(false);
        subscriptions.replace(subscription);
        resumed.accept(subscription);
        return done("ResumeSubscription");
    }

    private Reply done(String operation) {
        return new Reply(
                Actions.subscription(generation, operation),
                out -> out.empty(generation.notification(operation + "Response")));
    }

    /** Says when the subscription is to end by itself. */
    public Reply setTerminationTime(SoapCall call) {
        Subscription subscription = named(call, About.LIFETIME);
        List<String> names = List.of("RequestedTerminationTime", "RequestedLifetimeDuration");
        Instant time = time(call.body(), names);
        if (isPast(time)) {
            throw faults.terminationTimeRefused(
                    "The termination time " + time + " is past. Ask for a later one; compare the clocks.");
        }
        subscriptions.replace(subscription.withExpires(time));
        return new Reply(Actions.terminationTimeSet(generation), out -> {
            out.open(generation.lifetime("SetTerminationTimeResponse"));
            out.nillable(generation.lifetime("NewTerminationTime"), Times.formatNullable(time));
            out.element(generation.lifetime("CurrentTime"), now()).close();
        });
    }

    /** WS-Notification 1.3's name for the same. */
    public Reply renew(SoapCall call) {
        Subscription subscription = named(call, About.NOTIFICATION);
        Instant time = time(call.body(), List.of("TerminationTime"));
        if (isPast(time)) {
            throw faults.unacceptableTime(
                    "The termination time " + time + " is past. Ask for a later one; compare the clocks.");
        }
        subscriptions.replace(subscription.withExpires(time));
        return new Reply(Actions.subscription(generation, "Renew"), out -> {
            out.open(generation.notification("RenewResponse"));
            out.nillable(generation.notification("TerminationTime"), Times.formatNullable(time));
            out.element(generation.notification("CurrentTime"), now()).close();
        });
    }

    private boolean isPast(@Nullable Instant time) {
        return time != null && !time.isAfter(clock.instant());
    }

    private @Nullable Instant time(XmlElement body, List<String> names) {
        XmlElement requested = body.children().stream()
                .filter(child -> names.contains(child.localName()))
                .findFirst()
                .orElseThrow(() -> SoapFaultException.client(
                        body.localName() + " must hold " + names.getFirst() + ", with xsi:nil=\"true\" for never."));
        if (requested.isNil()) {
            return null;
        }
        try {
            return Times.parse(requested.text(), clock.instant());
        } catch (IllegalArgumentException e) {
            throw SoapFaultException.client(requested.localName() + " is " + e.getMessage() + ". Correct it.");
        }
    }

    private Subscription named(SoapCall call, About about) {
        String subject = callers.apply(call);
        String key = call.headerText(generation.core("SubscriptionKey"))
                .orElseThrow(
                        () -> SoapFaultException.client(
                                "The SOAP header " + generation.core("SubscriptionKey")
                                        + " is missing: it says which subscription is meant. Repeat in it what the subscription's endpoint reference holds."));
        return subscriptions.find(subject, key).orElseThrow(() -> unknown.apply(about));
    }
}
