// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jobgate.authz.Authorizer;
import org.jobgate.authz.Decision;
import org.jobgate.gram.fault.WsrfFaults;
import org.jobgate.gram.jdd.JddParser;
import org.jobgate.gram.jdd.Variables;
import org.jobgate.gram.notification.CallbackPolicy;
import org.jobgate.gram.notification.Subscription;
import org.jobgate.gram.notification.SubscriptionRequest;
import org.jobgate.gram.notification.Subscriptions;
import org.jobgate.gram.soap.Reply;
import org.jobgate.gram.soap.SoapCall;
import org.jobgate.gram.soap.SoapFaultException;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.gram.wsrf.Times;
import org.jobgate.gram.xml.XmlElement;
import org.jobgate.gram.xml.XmlWriter;
import org.jobgate.identity.Identity;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.lifecycle.Jobs;
import org.jobgate.lifecycle.Submission;
import org.jobgate.store.DoorRecord;
import org.jspecify.annotations.Nullable;

/** {@code createManagedJob}: the one call that submits a job (facts/gram4.md section 1.4; captures 04, 05, 08, 09, 23). */
final class CreateManagedJob implements Operation {

    private static final String REPLY_ACTION = "/ManagedJobFactoryPortType/createManagedJobResponse";
    private static final int CLIENT_ID_CHARACTERS = 256;

    private final Addresses addresses;
    private final Generation generation;
    private final Jobs jobs;
    private final Authorizer authorizer;
    private final Callers callers;
    private final Factories factories;
    private final JddParser parser;
    private final AccountVariables variables;
    private final Subscriptions subscriptions;
    private final CallbackPolicy callbacks;
    private final WsrfFaults faults;
    private final Clock clock;

    CreateManagedJob(
            Addresses addresses,
            Jobs jobs,
            Authorizer authorizer,
            Callers callers,
            Factories factories,
            JddParser parser,
            AccountVariables variables,
            Subscriptions subscriptions,
            CallbackPolicy callbacks,
            WsrfFaults faults,
            Clock clock) {
        this.addresses = addresses;
        this.generation = addresses.generation();
        this.jobs = jobs;
        this.authorizer = authorizer;
        this.callers = callers;
        this.factories = factories;
        this.parser = parser;
        this.variables = variables;
        this.subscriptions = subscriptions;
        this.callbacks = callbacks;
        this.faults = faults;
        this.clock = clock;
    }

    @Override
    public Reply answer(SoapCall call) {
        Identity identity = callers.identity(call);
        List<String> accounts = authorize(identity);
        String lrm = factories.named(call);
        XmlElement body = call.body();
        XmlElement jobElement = body.child("job")
                .or(() -> body.child("multiJob"))
                .orElseThrow(() -> SoapFaultException.client("createManagedJob holds no job element."));
        String account = account(accounts, parser.localUserId(jobElement));
        Variables ofAccount = variables.of(account);
        JobDescription description = parser.parse(jobElement, ofAccount);
        Optional<SubscriptionRequest> subscribe = body.child("Subscribe")
                .map(element -> SubscriptionRequest.read(element, generation, callbacks, faults));
        return submit(
                new Owner(identity.subject(), account),
                lrm,
                description,
                clientId(body),
                terminationTime(body),
                subscribe);
    }

    private Reply submit(
            Owner owner,
            String lrm,
            JobDescription description,
            @Nullable String clientId,
            @Nullable Instant terminationTime,
            Optional<SubscriptionRequest> subscribe) {
        AtomicReference<Subscription> made = new AtomicReference<>();
        Jobs.Submitted submitted = jobs.submit(new Submission(
                owner, clientId, lrm, description, terminationTime, id -> records(id, owner, subscribe, made)));
        Subscription subscription = subscribe
                .map(request -> submitted.isNew()
                        ? made.get()
                        : subscriptions.add(request, submitted.job().id(), owner.subject()))
                .orElse(null);
        return reply(submitted.job(), subscription);
    }

    private List<DoorRecord> records(
            JobId id, Owner owner, Optional<SubscriptionRequest> subscribe, AtomicReference<Subscription> made) {
        List<Subscription> all = subscribe.map(request -> subscriptions.create(request, id, owner.subject())).stream()
                .toList();
        all.forEach(made::set);
        subscriptions.willHave(id, all);
        return all.stream().map(subscriptions::record).toList();
    }

    private List<String> authorize(Identity identity) {
        if (identity.limited()) {
            throw denied(identity, "a limited proxy may not start jobs", "Use a full proxy.");
        }
        String ask = "Ask the site's administrator to be admitted.";
        return switch (authorizer.decide(identity)) {
            case Decision.Permit permit -> permit.accounts();
            case Decision.Deny deny -> throw denied(identity, deny.reason(), ask);
            case Decision.Indeterminate unclear -> throw denied(identity, unclear.reason(), ask);
        };
    }

    private static FaultException denied(Identity identity, String reason, String remedy) {
        return new FaultException(Fault.of(
                FaultCode.NOT_AUTHORIZED, identity.subject() + " may not submit jobs here: " + reason + ".", remedy));
    }

    private static String account(List<String> accounts, Optional<String> wanted) {
        String account = wanted.orElse(accounts.getFirst());
        if (!accounts.contains(account)) {
            throw new FaultException(Fault.of(
                            FaultCode.NOT_AUTHORIZED,
                            "Requested local user ID " + account + " is not authorized.",
                            "Leave localUserId out, or name one of: " + String.join(", ", accounts) + ".")
                    .about("localUserId", account));
        }
        return account;
    }

    private static @Nullable String clientId(XmlElement body) {
        XmlElement element = body.child("JobID").orElse(null);
        if (element == null) {
            return null;
        }
        String id = element.trimmedText();
        if (id.isEmpty() || id.length() > CLIENT_ID_CHARACTERS || id.chars().anyMatch(Character::isISOControl)) {
            throw new FaultException(Fault.of(
                            FaultCode.INVALID_DESCRIPTION,
                            "The JobID has " + id.length() + " characters; it must have 1 to " + CLIENT_ID_CHARACTERS
                                    + ", none of them a control character.",
                            "Send a JobID of the form uuid:XXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXXXXXX, or none.")
                    .about("JobID", ""));
        }
        return id;
    }

    private static @Nullable Instant terminationTime(XmlElement body) {
        XmlElement element = body.child("InitialTerminationTime").orElse(null);
        if (element == null || element.isNil()) {
            return null;
        }
        try {
            return Times.parse(element.text());
        } catch (IllegalArgumentException e) {
            throw new FaultException(
                    Fault.of(
                                    FaultCode.INVALID_TERMINATION_TIME,
                                    "InitialTerminationTime is " + e.getMessage() + ".",
                                    "Send a time in the future, or none for no end.")
                            .about("InitialTerminationTime", element.trimmedText()),
                    e);
        }
    }

    private Reply reply(Job job, @Nullable Subscription subscription) {
        return new Reply(generation.gram() + REPLY_ACTION, out -> {
            out.open(generation.job("createManagedJobResponse"));
            out.nillable(generation.job("NewTerminationTime"), Times.formatNullable(job.terminationTime()));
            out.element(generation.job("CurrentTime"), Times.format(clock.instant()));
            addresses.job(job.id().toString()).write(out, generation, generation.job("managedJobEndpoint"));
            writeSubscription(out, subscription);
            out.close();
        });
    }

    private void writeSubscription(XmlWriter out, @Nullable Subscription subscription) {
        if (subscription != null) {
            addresses.subscription(subscription.key()).write(out, generation, generation.job("subscriptionEndpoint"));
        }
    }
}
