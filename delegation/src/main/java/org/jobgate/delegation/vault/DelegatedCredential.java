// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import java.time.Instant;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;

/** A credential that a user delegated to this service: a proxy, or a token. */
public sealed interface DelegatedCredential permits DelegatedProxy, DelegatedToken {

    /** The subject who delegated it, and who alone may use, renew and destroy it. */
    String owner();

    /** The name that the owner gave it; unique among the credentials of one owner. */
    String key();

    /** When it is of no use any more. */
    Instant expires();

    /** When it is forgotten: at the expiry, or before if its owner says so. */
    Instant terminates();

    /** The same with another end, which is not after its expiry. */
    DelegatedCredential terminatingAt(Instant time);

    /** Whether it can be used at this time. */
    default boolean isUsable(Instant now) {
        return now.isBefore(terminates());
    }

    /** Whether its owner had it end before its expiry. */
    default boolean isShortened() {
        return terminates().isBefore(expires());
    }

    /**
     * The proxy that it is.
     *
     * @throws FaultException of code {@code CREDENTIAL_UNUSABLE} if it is a token
     */
    default DelegatedProxy asProxy() {
        if (this instanceof DelegatedProxy proxy) {
            return proxy;
        }
        throw new FaultException(Fault.of(
                FaultCode.CREDENTIAL_UNUSABLE,
                "The delegated credential " + key() + " is a token, and a proxy is needed here.",
                "Delegate a proxy for it."));
    }

    /**
     * Checks that it ends at its expiry or before.
     *
     * @throws IllegalArgumentException if it would be kept after its expiry
     */
    static void checkEnd(Instant expires, Instant terminates) {
        if (terminates.isAfter(expires)) {
            throw new IllegalArgumentException("it would be kept after its expiry: " + terminates);
        }
    }
}
