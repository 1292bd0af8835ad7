// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.time.Instant;
import java.util.List;
import org.jobgate.access.OwnedKind;
import org.jobgate.gram.notification.Subscription;
import org.jobgate.gram.notification.Subscriptions;
import org.jobgate.gt4.Actions;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.PropertySet;
import org.jobgate.gt4.Times;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** What can be done with a subscription (facts/gram4.md section 1.8; captures 14, 25 and 26). */
final class SubscriptionOperations {

    private final GramContext context;
    private final Gt4Context gt4;
    private final Generation generation;
    private final JobCalls calls;
    private final Subscriptions subscriptions;
    private final PropertySet<Subscription> properties;

    SubscriptionOperations(GramContext context, Gt4Context gt4) {
        this.context = context;
        this.gt4 = gt4;
        this.generation = gt4.generation();
        this.calls = new JobCalls(generation, context.access());
        this.subscriptions = context.subscriptions();
        this.properties = properties(new PropertySet<>(generation, gt4.wsrf(), generation.types("state")));
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
        return Times.format(context.clock().instant());
    }

    Reply property(SoapCall call) {
        Subscription subscription = named(call, gt4.wsrf().unknownToProperties("subscription of that key"));
        return properties.reply(call.body(), properties.requested(call.body()), subscription);
    }

    Reply destroy(SoapCall call) {
        subscriptions.destroy(named(call, gt4.wsrf().unknownToLifetime("subscription of that key")));
        return new Reply(Actions.destroyed(generation), out -> out.empty(generation.lifetime("DestroyResponse")));
    }

    /** WS-Notification 1.3's name for the same. */
    Reply unsubscribe(SoapCall call) {
        subscriptions.destroy(named(call, gt4.wsrf().unknownToNotification("subscription of that key")));
        return done("Unsubscribe");
    }

    /** What happens until it is resumed is not told later. */
    Reply pause(SoapCall call) {
        Subscription subscription = named(call, gt4.wsrf().unknownToNotification("subscription of that key"));
        subscriptions.replace(subscription.withPaused(true));
        return done("PauseSubscription");
    }

    Reply resume(SoapCall call) {
        Subscription subscription = named(call, gt4.wsrf().unknownToNotification("subscription of that key"));
        subscriptions.replace(subscription.withPaused(false));
        return done("ResumeSubscription");
    }

    private Reply done(String operation) {
        return new Reply(
                Actions.subscription(generation, operation),
                out -> out.empty(generation.notification(operation + "Response")));
    }

    Reply setTerminationTime(SoapCall call) {
        Subscription subscription = named(call, gt4.wsrf().unknownToLifetime("subscription of that key"));
        List<String> names = List.of("RequestedTerminationTime", "RequestedLifetimeDuration");
        Instant time = time(call.body(), names);
        if (isPast(time)) {
            throw gt4.wsrf()
                    .terminationTimeRefused(
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
    Reply renew(SoapCall call) {
        Subscription subscription = named(call, gt4.wsrf().unknownToNotification("subscription of that key"));
        Instant time = time(call.body(), List.of("TerminationTime"));
        if (isPast(time)) {
            throw gt4.wsrf()
                    .unacceptableTime(
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
        return time != null && !time.isAfter(context.clock().instant());
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
            return Times.parse(requested.text(), context.clock().instant());
        } catch (IllegalArgumentException e) {
            throw SoapFaultException.client(requested.localName() + " is " + e.getMessage() + ". Correct it.");
        }
    }

    private Subscription named(SoapCall call, SoapFaultException unknown) {
        String subject = calls.caller(call).query(OwnedKind.JOBS);
        String key = call.headerText(generation.core("SubscriptionKey"))
                .orElseThrow(
                        () -> SoapFaultException.client(
                                "The SOAP header " + generation.core("SubscriptionKey")
                                        + " is missing: it says which subscription is meant. Repeat in it what the subscription's endpoint reference holds."));
        return subscriptions.find(subject, key).orElseThrow(() -> unknown);
    }
}
