// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Delegated credentials. */
@Section("Credentials that clients delegate to the service for their jobs.")
public record DelegationConfig(
        @Setting(
                description =
                        "Whether credentials can be delegated. If not, jobs run without any, whatever their descriptions name.",
                byDefault = "true")
        boolean enabled,

        @Setting(
                description =
                        "File of the key that delegated credentials are stored under, made if it is not there; `delegation.key` in the"
                                + " state directory if not given. Back it up apart from the store: without it the credentials are lost,"
                                + " with it and the store they can be used.")
        @Nullable
        Path siteKey,

        @Setting(
                description =
                        "What to do with a job whose credential ends before its wall time limit: `refuse` it, `warn` in its history,"
                                + " or `accept` it.",
                byDefault = "warn")
        ShortPolicy shortCredential,

        @Setting(
                description =
                        "What to do with a job whose credential has expired before it could be given to the LRM: it can `wait` for the"
                                + " owner to renew the credential, or `fail`.",
                byDefault = "wait")
        ExpiryPolicy expiredCredential,

        @Setting(
                description =
                        "Where the keys of the jobs' proxies are made: by the `service`, which hands them to the worker of the account, or"
                                + " in the `account`, by its worker with openssl, so that they never leave it.",
                byDefault = "service")
        KeyPlace jobKeys,

        @Setting(
                description = "How long an expired credential can still be renewed before it is forgotten.",
                byDefault = "1d",
                min = "1m",
                max = "365d")
        Duration keepExpired,

        @Setting(
                description =
                        "So long before a credential ends, the log and the histories of the jobs that use it say so.",
                byDefault = "1h",
                min = "0s",
                max = "30d")
        Duration warnBefore,

        @Setting(
                description = "Delegated credentials in the service.",
                byDefault = "100000",
                min = "1",
                max = "10000000")
        long maxCredentials,

        @Setting(description = "Delegated credentials of one subject.", byDefault = "10000", min = "1", max = "1000000")
        long maxCredentialsPerOwner,

        @Setting(
                description = "Keys that may wait at the same time for clients to sign proxies over them.",
                byDefault = "1000",
                min = "1",
                max = "100000",
                tier = Tier.RARE)
        long maxPendingKeys,

        @Setting(
                description = "The same of one subject.",
                byDefault = "100",
                min = "1",
                max = "100000",
                tier = Tier.RARE)
        long maxPendingKeysPerOwner,

        @Setting(
                description = "Key pairs that are made ahead.",
                byDefault = "64",
                min = "1",
                max = "10000",
                tier = Tier.RARE)
        int readyKeys,

        @Setting(
                description = "Time between two looks for credentials that are over.",
                byDefault = "30s",
                min = "100ms",
                max = "1h",
                tier = Tier.RARE)
        Duration sweepInterval) {

    /** What to do with a job whose credential is shorter than itself. */
    public enum ShortPolicy {
        REFUSE,
        WARN,
        ACCEPT
    }

    /** Where the keys of jobs are made. */
    public enum KeyPlace {
        SERVICE,
        ACCOUNT
    }

    /** What to do with a job whose credential has expired. */
    public enum ExpiryPolicy {
        WAIT,
        FAIL
    }
}
