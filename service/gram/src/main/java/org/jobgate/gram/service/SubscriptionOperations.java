// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.time.Clock;
import org.jobgate.gram.fault.WsrfFaults;
import org.jobgate.gram.notification.CallbackPolicy;
import org.jobgate.gram.notification.Subscription;
import org.jobgate.gram.notification.SubscriptionRequest;
import org.jobgate.gram.notification.Subscriptions;
import org.jobgate.gram.soap.Reply;
import org.jobgate.gram.soap.SoapCall;
import org.jobgate.gram.soap.SoapFaultException;
import org.jobgate.gram.wsrf.Actions;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.lifecycle.Jobs;

/** {@code Subscribe} to a job that is there already, and {@code Destroy} of a subscription (captures 24 and 14). */
final class SubscriptionOperations {

    private final Addresses addresses;
    private final Generation generation;
    private final Jobs jobs;
    private final Callers callers;
    private final Subscriptions subscriptions;
    private final CallbackPolicy callbacks;
    private final WsrfFaults faults;
    private final Clock clock;

    SubscriptionOperations(Site site, Speech speech) {
        this.addresses = speech.addresses();
        this.generation = speech.generation();
        this.jobs = site.jobs();
        this.callers = new Callers(generation);
        this.subscriptions = site.subscriptions();
        this.callbacks = site.callbacks();
        this.faults = speech.wsrf();
        this.clock = site.clock();
    }

    Reply subscribe(SoapCall call) {
        Callers.NamedJob named = callers.job(call, faults::unknownToNotification);
        if (jobs.find(named.subject(), named.id()).isEmpty()) {
            throw faults.unknownToNotification("job " + named.id());
        }
        SubscriptionRequest request =
                SubscriptionRequest.read(call.body(), generation, callbacks, faults, clock.instant());
        Subscription subscription = subscriptions.add(request, named.id(), named.subject());
        return new Reply(Actions.producer(generation, "Subscribe"), out -> {
            out.open(generation.notification("SubscribeResponse"));
            addresses
                    .subscription(subscription.key())
                    .write(out, generation, generation.notification("SubscriptionReference"));
            out.close();
        });
    }

    Reply destroy(SoapCall call) {
        String subject = callers.identity(call).subject();
        String key = call.headerText(generation.core("SubscriptionKey"))
                .orElseThrow(() -> SoapFaultException.client("The SOAP header " + generation.core("SubscriptionKey")
                        + " is missing: it says which subscription is meant."));
        Subscription subscription = subscriptions
                .find(subject, key)
                .orElseThrow(() -> faults.unknownToLifetime("subscription of that key"));
        subscriptions.destroy(subscription);
        return new Reply(Actions.destroyed(generation), out -> out.empty(generation.lifetime("DestroyResponse")));
    }
}
