// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Turns between addresses while passwords are looked at. A hash is made to take long, and anybody may have one made by sending a name, known or
 * not; of one address few are looked at at once, so that those who come from others need not wait behind all that it sends.
 */
final class PasswordTurns {

    static final int AT_ONCE = 2;
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Duration patience;
    private final Map<String, Address> addresses = new HashMap<>();

    private static final class Address {
        private final Semaphore places = new Semaphore(AT_ONCE, true);
        private int users;
    }

    /** @param patience how long one waits behind others of the same address */
    PasswordTurns(Duration patience) {
        this.patience = requireNonNull(patience, "patience is null");
    }

    /**
     * Does the check when it is the address's turn.
     *
     * @throws org.jobgate.soap.SoapFaultException where that takes too long
     */
    boolean check(String address, BooleanSupplier check) {
        Address own = enter(address);
        try {
            if (!tryAcquire(own.places)) {
                throw Refusals.failedAuthentication(
                        "Too many passwords from this address are to be looked at: this one was not, within "
                                + patience.toSeconds() + " s. Send fewer messages at the same time.");
            }
            try {
                return check.getAsBoolean();
            } finally {
                own.places.release();
            }
        } finally {
            leave(address, own);
        }
    }

    private boolean tryAcquire(Semaphore places) {
        try {
            return places.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false; // the service stops
        }
    }

    private synchronized Address enter(String address) {
        Address own = addresses.computeIfAbsent(address, any -> new Address());
        own.users++;
        return own;
    }

    private synchronized void leave(String address, Address own) {
        own.users--;
        if (own.users == 0) {
            addresses.remove(address);
        }
    }

    /** How many addresses are remembered. */
    synchronized int remembered() {
        return addresses.size();
    }
}
