// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jobgate.limits.Limit;

/**
 * The vault's bounds.
 *
 * @param credentials in all
 * @param credentialsPerOwner of one subject
 * @param keepExpired how long an expired credential can still be renewed before it is forgotten
 * @param warnBefore how long before its end the log and the jobs that use it say so
 * @param requestLifetime how long a request to sign a key waits for its answer
 */
public record VaultSettings(
        Limit credentials,
        Limit credentialsPerOwner,
        Duration keepExpired,
        Duration warnBefore,
        Duration requestLifetime) {

    public VaultSettings {
        requireNonNull(credentials, "credentials is null");
        requireNonNull(credentialsPerOwner, "credentialsPerOwner is null");
        requireNonNull(keepExpired, "keepExpired is null");
        requireNonNull(warnBefore, "warnBefore is null");
        requireNonNull(requestLifetime, "requestLifetime is null");
    }

    public static VaultSettings defaults() {
        return new VaultSettings(
                new Limit("delegation.maxCredentials", 100_000),
                new Limit("delegation.maxCredentialsPerOwner", 10_000),
                Duration.ofDays(1),
                Duration.ofHours(1),
                Duration.ofHours(1));
    }
}
