// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.job;

import static java.util.Objects.requireNonNull;

import eu.emi.security.authn.x509.proxy.ProxyCertificateOptions;
import eu.emi.security.authn.x509.proxy.ProxyGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.jobgate.delegation.vault.DelegatedCredential;
import org.jobgate.delegation.vault.KeyPool;

/**
 * Proxies for jobs, made from delegated credentials. A job never gets the key of the credential itself, which belongs to the service;
 * it gets a further proxy with a key of its own. Jobs of one account that use the same credential share one, for a key takes longer
 * to make than the rest of the job's start.
 */
final class JobProxies {

    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);
    private static final int MAX_REMEMBERED = 256;

    private final KeyPool keys;
    private final Clock clock;

    /** The oldest first. */
    private final Map<Use, byte[]> remembered = new LinkedHashMap<>();

    /** A credential as it stands, in the hands of one account. */
    private record Use(X509Certificate certificate, Instant terminates, String account) {}

    JobProxies(KeyPool keys, Clock clock) {
        this.keys = requireNonNull(keys, "keys is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** The proxy file: certificate, key in the traditional form, and the rest of the chain, all PEM. */
    byte[] of(DelegatedCredential credential, String account) {
        Use use = new Use(credential.chain().getFirst(), credential.terminates(), account);
        synchronized (remembered) {
            byte[] known = remembered.get(use);
            if (known != null) {
                return known.clone();
            }
        }
        byte[] made = make(credential);
        synchronized (remembered) {
            if (remembered.size() >= MAX_REMEMBERED) {
                remembered.remove(remembered.keySet().iterator().next());
            }
            remembered.put(use, made);
        }
        return made.clone();
    }

    @SuppressWarnings("JavaUtilDate") // what the library takes
    private byte[] make(DelegatedCredential credential) {
        KeyPair pair = keys.take();
        try {
            ProxyCertificateOptions options =
                    new ProxyCertificateOptions(credential.chain().toArray(X509Certificate[]::new));
            options.setPublicKey(pair.getPublic());
            options.setLimited(credential.limited());
            options.setValidityBounds(Date.from(clock.instant().minus(CLOCK_SKEW)), Date.from(credential.terminates()));
            X509Certificate[] chain =
                    ProxyGenerator.generate(options, credential.privateKey()).getCertificateChain();
            return pem(chain, pair);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("no proxy can be made of " + credential, e);
        }
    }

    private static byte[] pem(X509Certificate[] chain, KeyPair pair) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter out = new JcaPEMWriter(text)) {
            out.writeObject(chain[0]);
            out.writeObject(pair.getPrivate());
            for (int i = 1; i < chain.length; i++) {
                out.writeObject(chain[i]);
            }
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
