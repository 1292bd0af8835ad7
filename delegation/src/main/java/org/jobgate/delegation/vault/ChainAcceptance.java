// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static java.util.Objects.requireNonNull;

import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;

/** Checks whether a certificate chain that a caller sends is a delegation of the caller's own credential to this service. */
public final class ChainAcceptance {

    /** A credential that ends within this is of no use to anybody. */
    private static final Duration SHORTEST = Duration.ofSeconds(10);

    private static final String REMEDY =
            "Sign a proxy certificate over the key that this service gave, with your own credential, and send it with the whole chain.";

    private final ChainCheck check;
    private final Clock clock;

    public ChainAcceptance(ChainCheck check, Clock clock) {
        this.check = requireNonNull(check, "check is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** A chain that was found good, and whose it is. */
    public record Accepted(String owner, List<X509Certificate> chain, boolean limited, Instant expires) {
        public Accepted {
            chain = List.copyOf(chain);
        }
    }

    /**
     * Checks a chain.
     *
     * @param caller who sends it
     * @param chain its newest certificate first
     * @param key the key of ours that the newest certificate must be made for
     * @throws FaultException of code {@code CREDENTIAL_UNUSABLE} with the reason
     */
    public Accepted check(String caller, List<X509Certificate> chain, PublicKey key) {
        X509Certificate newest = chain.getFirst();
        if (!Arrays.equals(newest.getPublicKey().getEncoded(), key.getEncoded())) {
            throw refused("the newest certificate is made for another key than the one this service gave");
        }
        if (!ProxyUtils.isProxy(newest)) {
            throw refused("the newest certificate is no proxy certificate");
        }
        ChainCheck.Verified verified = verified(chain);
        if (!verified.subject().equals(caller)) {
            throw refused("it speaks for " + verified.subject() + ", but " + caller + " sends it");
        }
        if (!verified.expires().isAfter(clock.instant().plus(SHORTEST))) {
            throw refused("it expires at " + verified.expires());
        }
        return new Accepted(caller, chain, verified.limited(), verified.expires());
    }

    private ChainCheck.Verified verified(List<X509Certificate> chain) {
        try {
            return check.check(chain.toArray(X509Certificate[]::new));
        } catch (CertificateException e) {
            throw refused(String.valueOf(e.getMessage()));
        }
    }

    /** The fault for what cannot be read as a chain at all. */
    public static FaultException unreadable(CertificateException e) {
        return refused("it cannot be read: " + e.getMessage());
    }

    private static FaultException refused(String why) {
        return new FaultException(Fault.of(
                FaultCode.CREDENTIAL_UNUSABLE, "The delegated credential is not accepted: " + why + ".", REMEDY));
    }
}
