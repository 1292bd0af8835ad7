// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.security.Provider;
import java.security.Security;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RSA and elliptic curves by a native library (Amazon Corretto Crypto Provider, AWS-LC) instead of the JDK's own Java code, which the
 * first-level compiler, all that the service runs with, makes ten to fifteen times slower: it is what a TLS handshake and a delegation
 * consist of. Where the library cannot be loaded (another machine, a temporary directory that is mounted {@code noexec}) the JDK's own
 * is used as before. What the library lacks, X25519, is done by {@link Curve25519}.
 */
public final class NativeCryptography {

    /** The system property that, set to {@code false}, leaves the JDK's own in its place. */
    static final String SWITCH = "jobgate.nativeCryptography";

    private static final Logger LOG = LoggerFactory.getLogger(NativeCryptography.class);

    private NativeCryptography() {}

    /** Puts it before the JDK's providers, soon: loading it takes some tenths of a second, which nobody has to wait for. */
    public static void installSoon() {
        if (!Boolean.parseBoolean(System.getProperty(SWITCH, "true"))) {
            LOG.info("Cryptography is the JDK's own, as -D{}=false says.", SWITCH);
            return;
        }
        Thread.ofPlatform().name("native-cryptography").daemon().start(() -> {
            provider().ifPresent(NativeCryptography::prefer);
            Security.insertProviderAt(new Curve25519(), 1);
        });
    }

    private static void prefer(Provider provider) {
        Security.insertProviderAt(provider, 1);
        LOG.info("RSA and elliptic curves are done by {} {}.", provider.getName(), provider.getVersionStr());
    }

    /** It, if it can be used here; says so in the log if not. */
    static Optional<Provider> provider() {
        Throwable why;
        try {
            why = AmazonCorrettoCryptoProvider.INSTANCE.getLoadingError();
            if (why == null) {
                return Optional.of(AmazonCorrettoCryptoProvider.INSTANCE);
            }
        } catch (LinkageError e) {
            why = e;
        }
        LOG.warn(
                "The native library for cryptography cannot be used, the JDK's own is: handshakes and delegations cost some ten times"
                        + " as much. {}. It is for Linux on the machine that the service was built for, and is unpacked into {}.",
                why,
                System.getProperty("java.io.tmpdir"));
        return Optional.empty();
    }
}
