// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.job;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.jobgate.delegation.vault.DelegatedProxy;
import org.jobgate.delegation.vault.FurtherProxies;
import org.jobgate.delegation.vault.KeyPool;
import org.jobgate.lrm.LrmUnavailableException;

/**
 * Proxies for jobs, made from delegated credentials. A job never gets the key of the credential itself, which belongs to the service;
 * it gets a further proxy with a key of its own. Jobs of one account that use the same credential share one, for a key takes longer
 * to make than the rest of the job's start.
 */
final class JobProxies {

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
    byte[] of(DelegatedProxy credential, String account) {
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

    /**
     * A proxy over a key that is not ours, as PEM.
     *
     * @param certificate the newest certificate, which stands before the key in a proxy file
     * @param chain the others, which stand behind it
     */
    record Signed(String certificate, String chain) {

        byte[] before() {
            return certificate.getBytes(StandardCharsets.US_ASCII);
        }

        byte[] after() {
            return chain.getBytes(StandardCharsets.US_ASCII);
        }
    }

    /**
     * Signs a proxy over somebody's key.
     *
     * @param publicKey as PEM (SubjectPublicKeyInfo)
     * @throws LrmUnavailableException if that is no RSA key of {@link KeyPool#BITS} bits or more
     */
    Signed over(DelegatedProxy credential, String publicKey) throws LrmUnavailableException {
        X509Certificate[] chain = FurtherProxies.over(credential, read(publicKey), clock);
        try {
            return new Signed(pem(chain[0]), pem((Object[]) Arrays.copyOfRange(chain, 1, chain.length)));
        } catch (IOException e) {
            throw new IllegalStateException("no proxy can be made of " + credential, e);
        }
    }

    private static PublicKey read(String pem) throws LrmUnavailableException {
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            if (parser.readObject() instanceof SubjectPublicKeyInfo info
                    && new JcaPEMKeyConverter().getPublicKey(info) instanceof RSAPublicKey key
                    && key.getModulus().bitLength() >= KeyPool.BITS) {
                return key;
            }
        } catch (IOException e) {
            throw new LrmUnavailableException("the account's worker gave a key that cannot be read", e);
        }
        throw new LrmUnavailableException(
                "the account's worker gave no RSA key of " + KeyPool.BITS + " bits for the job's proxy");
    }

    private byte[] make(DelegatedProxy credential) {
        KeyPair pair = keys.take();
        X509Certificate[] chain = FurtherProxies.over(credential, pair.getPublic(), clock);
        List<Object> parts = new ArrayList<>(Arrays.asList(chain));
        parts.add(1, pair.getPrivate());
        try {
            return pem(parts.toArray()).getBytes(StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new IllegalStateException("no proxy can be made of " + credential, e);
        }
    }

    private static String pem(Object... parts) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter out = new JcaPEMWriter(text)) {
            for (Object part : parts) {
                out.writeObject(part);
            }
        }
        return text.toString();
    }
}
