// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.container.config.DelegationConfig;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.tls.Caller;
import org.jobgate.container.tls.ChainValidator;
import org.jobgate.delegation.Delegation;
import org.jobgate.delegation.DelegationSettings;
import org.jobgate.delegation.job.CredentialPolicy;
import org.jobgate.delegation.vault.ChainCheck;
import org.jobgate.delegation.vault.VaultSettings;
import org.jobgate.jobs.JobCredentials;
import org.jobgate.limits.Limit;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.PrivateFiles;
import org.jobgate.xml.XmlLimits;
import org.jspecify.annotations.Nullable;

/** The settings of delegation, read from the configuration. */
final class Delegations {

    private Delegations() {}

    /** Where the key is that opens delegated credentials. */
    static Path siteKey(DelegationConfig delegation, Path stateDirectory) {
        Path configured = delegation.siteKey();
        return configured != null ? configured : stateDirectory.resolve("delegation.key");
    }

    static DelegationSettings settings(JobgateConfig config, Path stateDirectory) {
        DelegationConfig delegation = config.delegation();
        VaultSettings defaults = VaultSettings.defaults();
        return new DelegationSettings(
                siteKey(delegation, stateDirectory),
                delegation.readyKeys(),
                new Limit("delegation.maxPendingKeys", delegation.maxPendingKeys()),
                new Limit("delegation.maxPendingKeysPerOwner", delegation.maxPendingKeysPerOwner()),
                new VaultSettings(
                        new Limit("delegation.maxCredentials", delegation.maxCredentials()),
                        new Limit("delegation.maxCredentialsPerOwner", delegation.maxCredentialsPerOwner()),
                        delegation.keepExpired(),
                        delegation.warnBefore(),
                        defaults.requestLifetime()),
                delegation.sweepInterval(),
                XmlLimits.defaults(),
                GramLimits.query(config.gram()),
                Version.current());
    }

    static CredentialPolicy policy(DelegationConfig delegation) {
        CredentialPolicy.Shorter shorter = switch (delegation.shortCredential()) {
            case REFUSE -> CredentialPolicy.Shorter.REFUSE;
            case WARN -> CredentialPolicy.Shorter.WARN;
            case ACCEPT -> CredentialPolicy.Shorter.ACCEPT;
        };
        return new CredentialPolicy(
                shorter,
                delegation.expiredCredential() == DelegationConfig.ExpiryPolicy.WAIT,
                delegation.jobKeys() == DelegationConfig.KeyPlace.ACCOUNT);
    }

    /** Delegated chains are held to the same trust as those of TLS. */
    static ChainCheck check(ChainValidator validator) {
        return chain -> {
            Caller caller = validator.validate(chain);
            return new ChainCheck.Verified(
                    caller.identity().subject(), caller.identity().limited(), caller.until());
        };
    }

    /** Gives jobs of these LRMs the credentials that were delegated; absent where none can be. */
    static @Nullable JobCredentials ofJobs(@Nullable Delegation delegation, List<Lrm> lrms, JobgateConfig config) {
        if (delegation == null) {
            return null;
        }
        Map<String, PrivateFiles> places = new HashMap<>();
        lrms.forEach(lrm -> {
            if (lrm instanceof PrivateFiles files) {
                places.put(lrm.name(), files);
            }
        });
        JobCredentials placed =
                delegation.jobCredentials(lrm -> Optional.ofNullable(places.get(lrm)), policy(config.delegation()));
        return new PlacedCredentials(placed, places.keySet());
    }
}
