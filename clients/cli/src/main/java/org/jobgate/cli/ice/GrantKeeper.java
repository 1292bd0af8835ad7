// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.cli.cream.CreamClient;
import org.jobgate.cli.cream.CreamException;
import org.jobgate.cli.cream.CreamTime;
import org.jobgate.cli.wire.PlainSoap;

/** Delegates a proxy once for all jobs of an owner at a computing element, renews it in time, and keeps the lease of the jobs alive. */
final class GrantKeeper {

    private final Grants grants;
    private final Clock clock;
    private final long renewBeforeMs;
    private final long leaseMs;
    private final Map<String, Object> locks = new ConcurrentHashMap<>();

    /** For how long the lease was given last, where that was less than was asked for: by owner and endpoint, in milliseconds. */
    private final Map<String, Long> clamped = new ConcurrentHashMap<>();

    /** @param lease how long from now on jobs may run without a renewal from us; zero for no lease */
    GrantKeeper(Grants grants, Clock clock, Duration renewBefore, Duration lease) {
        this.grants = requireNonNull(grants, "grants is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.renewBeforeMs = renewBefore.toMillis();
        this.leaseMs = lease.toMillis();
    }

    boolean hasLeases() {
        return leaseMs > 0;
    }

    String id(String owner) {
        return grants.id(owner);
    }

    /** Does what is due for the owner there. */
    Grants.Grant keep(Contacts.Contact contact) throws CreamException {
        String owner = contact.proxy().owner();
        String endpoint = contact.endpoint().toString();
        synchronized (locks.computeIfAbsent(owner + " " + endpoint, name -> new Object())) {
            Grants.Grant grant = known(contact);
            CreamException trouble = null;
            try {
                delegate(contact, owner, endpoint, grant);
            } catch (CreamException e) {
                if (Trouble.of(e).isOfElement()) {
                    throw e;
                }
                // the jobs that are there need their lease all the same
                trouble = e;
            }
            lease(contact, owner, endpoint, grant);
            if (trouble != null) {
                throw trouble;
            }
            return grant;
        }
    }

    /** What the owner has there, without asking. */
    Grants.Grant known(Contacts.Contact contact) {
        return grants.of(contact.proxy().owner(), contact.endpoint().toString(), clock.millis());
    }

    private void delegate(Contacts.Contact contact, String owner, String endpoint, Grants.Grant grant)
            throws CreamException {
        long now = clock.millis();
        long end = contact.proxy().end().toEpochMilli();
        boolean isThere = grant.delegatedUntil() > now;
        boolean isDue = grant.delegatedUntil() - now < renewBeforeMs && end > grant.delegatedUntil();
        if (isThere && !isDue) {
            return;
        }
        String id = grants.id(owner);
        if (isThere) {
            try {
                contact.delegation().renew(contact.endpoint(), id);
            } catch (CreamException e) {
                delegateAnew(contact, id, e);
            }
        } else {
            try {
                contact.delegation().delegate(contact.endpoint(), id);
            } catch (CreamException e) {
                if (!(e.getCause() instanceof PlainSoap.FaultException)) {
                    throw e;
                }
                // one that a computing element still has under this id may want to be renewed
                contact.delegation().renew(contact.endpoint(), id);
            }
        }
        grants.delegated(owner, endpoint, end);
    }

    private static void delegateAnew(Contacts.Contact contact, String id, CreamException why) throws CreamException {
        if (!(why.getCause() instanceof PlainSoap.FaultException)) {
            throw why;
        }
        contact.delegation().delegate(contact.endpoint(), id);
    }

    private void lease(Contacts.Contact contact, String owner, String endpoint, Grants.Grant grant)
            throws CreamException {
        long now = clock.millis();
        String place = owner + " " + endpoint;
        // a site that gives less would else be asked before every request
        long span = Math.min(leaseMs, clamped.getOrDefault(place, leaseMs));
        if (leaseMs == 0 || grant.leasedUntil() - now > span / 2) {
            return;
        }
        Instant wanted = Instant.ofEpochMilli(now + leaseMs);
        Instant granted = CreamTime.parse(contact.cream()
                .lease(contact.endpoint(), grants.id(owner), wanted.toString())
                .childText(CreamClient.TYPES, "leaseTime"));
        long until = granted == null ? wanted.toEpochMilli() : granted.toEpochMilli();
        clamped.put(place, until - now);
        grants.leased(owner, endpoint, until);
    }

    /** The computing element does not know, or cannot use, what was delegated. */
    void forgetDelegation(String owner, String endpoint) {
        grants.delegated(owner, endpoint, 0);
    }

    void forgetLease(String owner, String endpoint) {
        grants.leased(owner, endpoint, 0);
    }
}
