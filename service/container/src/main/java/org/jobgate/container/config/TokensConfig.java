// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.time.Duration;
import java.util.List;

/** What bearer tokens are held to. */
@Section("What bearer tokens (WLCG, SciTokens) are held to. Whose are taken says `tokenIssuers`.")
public record TokensConfig(
        @Setting(
                description =
                        "A token must be meant for one of these (`aud`). If none is given: `https://` and `server.publicName`, with and"
                                + " without the port.")
        List<String> audiences,

        @Setting(
                description =
                        "Whether a token that is meant for every service (`https://wlcg.cern.ch/jwt/v1/any`, `ANY`) is taken too.",
                byDefault = "true")
        boolean anyAudience,

        @Setting(
                description =
                        "A token must have each of these scopes. By default all that a job's owner may need: what a token's scopes allow is not"
                                + " looked at request by request.",
                byDefault = "compute.read,compute.create,compute.modify,compute.cancel")
        List<String> requiredScopes,

        @Setting(description = "Only what is below these paths takes tokens.", byDefault = "/", tier = Tier.RARE)
        List<String> paths,

        @Setting(
                description = "A token of more bytes is refused. `limits.maxHeaderBytes` bounds it as well.",
                byDefault = "12KiB",
                min = "256B",
                max = "64KiB",
                tier = Tier.RARE)
        DataSize maxBytes,

        @Setting(
                description = "A token that is valid for longer, from `iat` to `exp`, is refused.",
                byDefault = "1d",
                min = "1m",
                max = "365d")
        Duration maxLifetime,

        @Setting(
                description = "How far the clocks of issuers may differ from ours.",
                byDefault = "1m",
                min = "0s",
                max = "10m",
                tier = Tier.RARE)
        Duration clockSkew,

        @Setting(
                description = "How long the keys of an issuer are used before they are fetched again.",
                byDefault = "1h",
                min = "1s",
                max = "7d")
        Duration keysFresh,

        @Setting(
                description = "For how long after that they are used while the issuer cannot be reached.",
                byDefault = "1d",
                min = "0s",
                max = "30d")
        Duration keysGrace,

        @Setting(
                description = "The least time between two tries to fetch the keys of one issuer.",
                byDefault = "30s",
                min = "100ms",
                max = "1h",
                tier = Tier.RARE)
        Duration keysPause,

        @Setting(
                description = "How long an issuer may take to answer.",
                byDefault = "10s",
                min = "100ms",
                max = "1m",
                tier = Tier.RARE)
        Duration keysTimeout,

        @Setting(
                description =
                        "By whose word an issuer's server is believed: `system` by the authorities of the operating system's Java,"
                                + " `grid` by `server.trustDirectory`.",
                byDefault = "system")
        Trust trust) {

    public TokensConfig {
        audiences = List.copyOf(audiences);
        paths = List.copyOf(paths);
        requiredScopes = List.copyOf(requiredScopes);
    }

    /** By whose word an issuer's server is believed. */
    public enum Trust {
        SYSTEM,
        GRID
    }
}
