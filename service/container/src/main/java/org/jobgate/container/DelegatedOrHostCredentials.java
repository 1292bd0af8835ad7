// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jobgate.container.tls.TlsContexts;
import org.jobgate.delegation.vault.DelegatedCredential;
import org.jobgate.delegation.vault.DelegatedProxy;
import org.jobgate.delegation.vault.FurtherProxies;
import org.jobgate.delegation.vault.Vault;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.NamedCredential;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.remote.ClientCredential;
import org.jobgate.remote.DelegableCredential;
import org.jobgate.remote.GatewayCredentials;
import org.jspecify.annotations.Nullable;

/**
 * Acts with the credential that a job's owner delegated for it; for a job without one, as the gateway itself where the administrator
 * allows that.
 */
final class DelegatedOrHostCredentials implements GatewayCredentials {

    /** TLS set-ups that are kept. */
    private static final int MAX_REMEMBERED = 64;

    private final String lrm;
    private final @Nullable Vault vault;
    private final @Nullable ClientCredential host;
    private final TlsContexts tls;
    private final Clock clock;

    /** The oldest first. */
    private final Map<String, ClientCredential> remembered = new LinkedHashMap<>();

    /** @param host absent where the gateway may not act as itself */
    DelegatedOrHostCredentials(
            String lrm, @Nullable Vault vault, @Nullable ClientCredential host, TlsContexts tls, Clock clock) {
        this.lrm = requireNonNull(lrm, "lrm is null");
        this.vault = vault;
        this.host = host;
        this.tls = requireNonNull(tls, "tls is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    @Override
    public ClientCredential of(Job job, JobDescription description) throws LrmUnavailableException {
        Optional<NamedCredential> named = description.credential(CredentialUse.JOB);
        if (named.isPresent()) {
            return owners(job.owner().subject(), named.get().key());
        }
        if (host == null) {
            throw new FaultException(Fault.of(
                            FaultCode.CREDENTIAL_UNUSABLE,
                            "The job is for another gateway, " + lrm + ", and comes without a delegated credential.",
                            "Delegate one for the job, or ask the administrator to let this gateway act"
                                    + " as itself there.")
                    .about(DescriptionPart.JOB_CREDENTIAL, null));
        }
        return host;
    }

    @Override
    public DelegableCredential forFiles(Job job, String key) throws LrmUnavailableException {
        DelegatedProxy credential = proxy(job.owner().subject(), key);
        return new DelegableCredential(
                version(credential), request -> FurtherProxies.answer(credential, request, clock));
    }

    private ClientCredential owners(String subject, String key) throws LrmUnavailableException {
        return acting(proxy(subject, key));
    }

    private DelegatedProxy proxy(String subject, String key) throws LrmUnavailableException {
        if (vault == null) {
            throw new LrmUnavailableException("delegation is switched off; the administrator must switch it on again");
        }
        DelegatedCredential credential = vault.find(subject, key)
                .orElseThrow(() -> new LrmUnavailableException(
                        "the delegated credential is gone, so nobody may ask the gateway " + lrm + " for the job"));
        if (!credential.isUsable(clock.instant())) {
            throw new LrmUnavailableException(
                    "the delegated credential expired at " + credential.terminates() + "; its owner must refresh it");
        }
        return credential.asProxy();
    }

    private static String version(DelegatedProxy credential) {
        return HexFormat.of().formatHex(credential.chain().getFirst().getSignature());
    }

    private ClientCredential acting(DelegatedProxy credential) {
        String name = credential.owner() + " " + credential.key() + " " + version(credential);
        synchronized (remembered) {
            ClientCredential known = remembered.get(name);
            if (known != null) {
                return known;
            }
            ClientCredential made =
                    new ClientCredential(name, tls.forGateway(credential.chain(), credential.privateKey()));
            if (remembered.size() >= MAX_REMEMBERED) {
                remembered.remove(remembered.keySet().iterator().next());
            }
            remembered.put(name, made);
            return made;
        }
    }
}
