// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static java.util.Objects.requireNonNull;

import eu.emi.security.authn.x509.CrlCheckingMode;
import eu.emi.security.authn.x509.NamespaceCheckingMode;
import eu.emi.security.authn.x509.OCSPCheckingMode;
import eu.emi.security.authn.x509.OCSPParametes;
import eu.emi.security.authn.x509.RevocationParameters;
import eu.emi.security.authn.x509.ValidationError;
import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.X509CertChainValidator;
import eu.emi.security.authn.x509.X509CertChainValidatorExt;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.CredentialsConfig;
import org.jobgate.container.config.ServerConfig;

/**
 * Says whether a chain of certificates is good by the trust directory, proxies included (RFC 3820, GSI-3 draft, legacy).
 *
 * <p>A good chain is remembered for a short while, so that clients that connect again and again cost no new validation; within that
 * while a new revocation list is not noticed, an expiry is.
 */
public final class ChainValidator implements AutoCloseable {

    /** The longest chain that is looked at: an end entity, its authorities, and a long row of delegations. */
    static final int MAX_CHAIN = 16;

    private final TrustDirectory trust;
    private final X509CertChainValidatorExt validator;
    private final VomsAttributes attributes;
    private final TrustReload reload;
    private final X509CertChainValidator servers;
    private final Clock clock;
    private final RememberedChains<Caller> good;

    /**
     * Reads the trust directory.
     *
     * @throws ConfigurationException if it is no directory or no authority is in it
     */
    public ChainValidator(ServerConfig config, CredentialsConfig credentials, RefusalLog refusals, Clock clock) {
        this.clock = requireNonNull(clock, "clock is null");
        this.good = new RememberedChains<>(config.validationCache(), clock);
        Path directory = config.trustDirectory();
        if (!Files.isDirectory(directory) || !Files.isReadable(directory)) {
            throw refused(directory, "is not a directory that can be read");
        }
        NamespaceCheckingMode namespaces = namespaces(config.namespaces());
        this.trust = new TrustDirectory(directory, namespaces);
        trust.look();
        this.validator = new DirectoryValidator(
                trust, namespaces, revocation(config.crls()), new KeyStrength(credentials.minRsaBits()), clock);
        if (validator.getTrustedIssuers().length == 0) {
            validator.dispose();
            List<String> troubles = trust.snapshot().troubles();
            throw refused(
                    directory,
                    "holds no certificate authority that can be used; put them there as HASH.0 (`openssl rehash` names them)"
                            + (troubles.isEmpty() ? "" : ". " + troubles.getFirst()));
        }
        this.servers = new RememberingValidator(validator, new RememberedChains<>(config.validationCache(), clock));
        this.attributes = new VomsAttributes(credentials, validator, refusals);
        this.reload = new TrustReload(config.trustReload(), List.of(trust::look, attributes::look)).start();
    }

    /**
     * How the files are that say whom to trust.
     *
     * @param leftOut what is wrong with which file while all others hold, as sentences
     * @param stopped why the files are not followed any more; empty if they are
     * @param authorities how many are trusted
     * @param age how long ago the last look at the files ended
     */
    public record Trust(List<String> leftOut, Optional<String> stopped, int authorities, Duration age) {}

    /** How the files are now that say whom to trust. */
    public Trust trust() {
        TrustDirectory.Snapshot known = trust.snapshot();
        List<String> leftOut = new ArrayList<>(known.troubles());
        leftOut.addAll(attributes.troubles());
        return new Trust(List.copyOf(leftOut), reload.trouble(), known.anchors().size(), reload.age());
    }

    /** What is wrong with which file of the trust directory and of the directory of VOMS servers, as sentences, by a look at each now. */
    public static List<String> troubles(ServerConfig config, CredentialsConfig credentials) {
        TrustDirectory trust = new TrustDirectory(config.trustDirectory(), namespaces(config.namespaces()));
        trust.look();
        List<String> troubles = new ArrayList<>(trust.snapshot().troubles());
        if (Files.isDirectory(credentials.vomsDirectory())) {
            VomsDirectory servers = new VomsDirectory(credentials.vomsDirectory());
            servers.look();
            troubles.addAll(servers.troubles());
        }
        return troubles;
    }

    private static ConfigurationException refused(Path directory, String why) {
        return new ConfigurationException(List.of("server.trustDirectory = " + directory + ": " + why));
    }

    private static NamespaceCheckingMode namespaces(ServerConfig.NamespacePolicy policy) {
        return switch (policy) {
            case IF_PRESENT -> NamespaceCheckingMode.EUGRIDPMA_GLOBUS;
            case REQUIRE -> NamespaceCheckingMode.EUGRIDPMA_GLOBUS_REQUIRE;
            case IGNORE -> NamespaceCheckingMode.IGNORE;
        };
    }

    private static RevocationParameters revocation(ServerConfig.CrlPolicy policy) {
        CrlCheckingMode mode = switch (policy) {
            case IF_VALID -> CrlCheckingMode.IF_VALID;
            case REQUIRE -> CrlCheckingMode.REQUIRE;
            case IGNORE -> CrlCheckingMode.IGNORE;
        };
        // OCSP would make every new client wait for a third party
        return new RevocationParameters(mode, new OCSPParametes(OCSPCheckingMode.IGNORE));
    }

    /** The same trust, for the servers that are gone to as a client, with a memory of its own. Closed with this. */
    public X509CertChainValidator servers() {
        return servers;
    }

    /**
     * Who stands behind the chain.
     *
     * @param chain the certificate of the peer first
     * @throws CertificateException with the reason why the chain is not good
     */
    public Caller validate(X509Certificate[] chain) throws CertificateException {
        if (chain.length == 0 || chain.length > MAX_CHAIN) {
            throw new CertificateException(
                    "the chain has " + chain.length + " certificates; 1 to " + MAX_CHAIN + " are looked at");
        }
        Caller known = good.of(chain);
        if (known != null) {
            return known;
        }
        Caller caller = read(chain, clock.instant());
        good.put(chain, caller, caller.attributesUntil());
        return caller;
    }

    private Caller read(X509Certificate[] chain, Instant now) throws CertificateException {
        try {
            ValidationResult result = validator.validate(chain);
            if (!result.isValid()) {
                throw new CertificateException(reason(chain, result, now));
            }
            X509Certificate[] needed = needed(chain, result);
            return Caller.of(needed, attributes.of(needed));
        } catch (IllegalArgumentException | IllegalStateException | ClassCastException | NullPointerException e) {
            // what the library throws at an extension that is not what its name says
            throw new CertificateException("the chain cannot be read: " + e.getMessage(), e);
        }
    }

    /** The certificates that the peer sent, and those that its path needed: only the latter say who the peer is, and until when. */
    private static X509Certificate[] needed(X509Certificate[] chain, ValidationResult result) {
        List<X509Certificate> valid = result.getValidChain();
        Set<X509Certificate> sent = new HashSet<>(List.of(chain));
        return valid == null ? chain : valid.stream().filter(sent::contains).toArray(X509Certificate[]::new);
    }

    private static String reason(X509Certificate[] chain, ValidationResult result, Instant now) {
        X509Certificate[] looked = result.getErrors().stream()
                .map(ValidationError::getChain)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(chain);
        for (X509Certificate certificate : looked) {
            if (certificate.getNotAfter().toInstant().isBefore(now)) {
                return "the certificate " + certificate.getSubjectX500Principal() + " expired at "
                        + certificate.getNotAfter().toInstant();
            }
        }
        return result.getErrors().stream()
                .map(ValidationError::getMessage)
                .distinct()
                .limit(3)
                .collect(Collectors.joining("; "));
    }

    /** The authorities that are trusted now. */
    X509Certificate[] authorities() {
        return Arrays.copyOf(validator.getTrustedIssuers(), validator.getTrustedIssuers().length);
    }

    @Override
    public void close() {
        reload.close();
        validator.dispose();
    }
}
