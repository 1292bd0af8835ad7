// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.time.Duration;

/** What clients may take before they are known, and how slow they may be. */
@Section("What a client may take before it has said who it is, and how slow it may be.")
public record ClientsConfig(
        @Setting(
                description = "Connections from one address. One more is closed.",
                byDefault = "6000",
                min = "1",
                max = "1000000")
        int maxPerAddress,

        @Setting(
                description =
                        "Connections from one address on which no whole request has come yet: TLS handshakes under way, and clients that"
                                + " say nothing. One more is closed.",
                byDefault = "2000",
                min = "1",
                max = "1000000")
        int maxSilentPerAddress,

        @Setting(
                description =
                        "How long a client may take from the opening of a connection, or from the first byte of a further request, to the"
                                + " end of the request's head. The TLS handshake is in it.",
                byDefault = "30s",
                min = "1s",
                max = "10m")
        Duration headTimeout,

        @Setting(
                description =
                        "Bytes per second that a request's body must come with on average, after `clients.bodyGrace`; 0B means any"
                                + " pace.",
                byDefault = "512B",
                min = "0B",
                max = "1GiB",
                tier = Tier.RARE)
        DataSize minBodyRate,

        @Setting(
                description = "How long a body may take whatever its pace.",
                byDefault = "30s",
                min = "1s",
                max = "1h",
                tier = Tier.RARE)
        Duration bodyGrace) {}
