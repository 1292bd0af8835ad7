// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static java.util.Objects.requireNonNull;

import eu.emi.security.authn.x509.X509CertChainValidatorExt;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.italiangrid.voms.VOMSError;
import org.italiangrid.voms.VOMSValidators;
import org.italiangrid.voms.ac.VOMSACValidator;
import org.italiangrid.voms.ac.VOMSValidationResult;
import org.italiangrid.voms.error.VOMSValidationErrorMessage;
import org.jobgate.container.config.CredentialsConfig;
import org.jobgate.container.config.CredentialsConfig.BadAttributes;
import org.jobgate.identity.Identity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The VOMS attributes of a proxy: FQANs that a VOMS server of the site's vomsdir has signed for the proxy's owner. Trust in the server is by
 * the same trust directory as all other trust.
 */
final class VomsAttributes {

    private static final Logger LOG = LoggerFactory.getLogger(VomsAttributes.class);

    private final BadAttributes policy;
    private final RefusalLog refusals;
    private final @Nullable VomsDirectory servers;
    private final @Nullable VOMSACValidator validator;

    /**
     * Attributes that hold.
     *
     * @param fqans the primary one first
     * @param until when the first of their certificates expires; far away if there are none
     */
    record Found(List<String> fqans, Instant until) {
        static final Found NONE = new Found(List.of(), Instant.MAX);
    }

    VomsAttributes(CredentialsConfig config, X509CertChainValidatorExt trust, RefusalLog refusals) {
        this.policy = config.badAttributes();
        this.refusals = requireNonNull(refusals, "refusals is null");
        Path directory = config.vomsDirectory();
        if (!Files.isDirectory(directory)) {
            LOG.info("VOMS attributes are not looked at: credentials.vomsDirectory = {} is not there", directory);
            this.servers = null;
            this.validator = null;
            return;
        }
        VomsDirectory found = new VomsDirectory(directory);
        found.look();
        this.servers = found;
        this.validator = VOMSValidators.newValidator(found, trust);
    }

    /** Looks again at whose attributes are believed; answers whether nothing needs to be looked at again soon. */
    boolean look() {
        return servers == null || servers.look();
    }

    /** What is wrong with which file that says whose attributes are believed, as sentences. */
    List<String> troubles() {
        return servers == null ? List.of() : servers.troubles();
    }

    /**
     * What the chain holds.
     *
     * @throws CertificateException it holds attributes that are not good, and the site refuses such proxies
     */
    synchronized Found of(X509Certificate[] chain) throws CertificateException {
        if (validator == null) {
            return Found.NONE;
        }
        List<VOMSValidationResult> results;
        try {
            results = validator.validateWithResult(chain);
        } catch (VOMSError | IllegalArgumentException | ClassCastException | NullPointerException e) {
            // the last two: what the library throws at certificates that lack what it looks for
            bad(chain[0], "they cannot be read: " + e.getMessage());
            return Found.NONE;
        }
        return good(chain[0], results == null ? List.of() : results);
    }

    private Found good(X509Certificate proxy, List<VOMSValidationResult> results) throws CertificateException {
        Set<String> fqans = new LinkedHashSet<>();
        Instant until = Instant.MAX;
        for (VOMSValidationResult result : results) {
            if (!result.isValid()) {
                bad(proxy, why(result));
                continue;
            }
            fqans.addAll(result.getAttributes().getFQANs());
            Instant end = result.getAttributes().getNotAfter().toInstant();
            until = end.isBefore(until) ? end : until;
        }
        if (fqans.size() > Identity.MAX_ATTRIBUTES) {
            bad(proxy, "there are " + fqans.size() + "; at most " + Identity.MAX_ATTRIBUTES + " are taken");
            return Found.NONE;
        }
        return new Found(List.copyOf(fqans), until);
    }

    private static String why(VOMSValidationResult result) {
        return result.getValidationErrors().stream()
                .map(VOMSValidationErrorMessage::getMessage)
                .distinct()
                .limit(3)
                .collect(Collectors.joining("; "));
    }

    private void bad(X509Certificate proxy, String reason) throws CertificateException {
        if (policy == BadAttributes.REFUSE) {
            throw new CertificateException("its VOMS attributes are not good: " + reason);
        }
        refusals.refused("VOMS attributes", proxy.getSubjectX500Principal().toString(), reason);
    }
}
