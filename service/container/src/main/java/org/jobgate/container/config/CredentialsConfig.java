// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.nio.file.Path;

/** Which credentials are taken. */
@Section(
        "Which credentials callers may prove who they are with. The first two hold for `server.port`; further ports have their own.")
public record CredentialsConfig(
        @Setting(
                description =
                        "Whether clients are asked for a certificate in the TLS handshake: `want` asks and takes those who have"
                                + " none, `need` refuses those, `none` does not ask.",
                byDefault = "want")
        ClientCertificates clientCertificates,

        @Setting(
                description =
                        "Whether a bearer token is taken in place of a certificate. It takes `tokenIssuers` as well.",
                byDefault = "true")
        boolean tokens,

        @Setting(
                description =
                        "What a limited proxy may do: `read` refuses to start jobs with it, as Globus services do, `submit` takes it"
                                + " as a full one.",
                byDefault = "read",
                tier = Tier.RARE)
        LimitedProxies limitedProxies,

        @Setting(
                description =
                        "Directory of VOMS servers: `VO/HOST.lsc`, or `VO/HOST.pem`. If it is not there, the VOMS attributes of proxies"
                                + " are not looked at.",
                byDefault = "/etc/grid-security/vomsdir")
        Path vomsDirectory,

        @Setting(
                description =
                        "What to do with a proxy whose VOMS attributes are not good: `ignore` takes it without them, `refuse`"
                                + " does not take it at all.",
                byDefault = "ignore",
                tier = Tier.RARE)
        BadAttributes badAttributes,

        @Setting(
                description =
                        "The bits that every RSA key of a chain of certificates must have: of users, proxies, hosts and authorities,"
                                + " of our own host certificate and of servers that are gone to. Less than 2048 is for grids whose"
                                + " old tools make shorter keys. Keys on elliptic curves must have 256 bits.",
                byDefault = "2048",
                min = "512",
                max = "16384",
                tier = Tier.RARE)
        int minRsaBits) {

    /** Whether clients are asked for a certificate. */
    public enum ClientCertificates {
        WANT,
        NEED,
        NONE
    }

    /** What a limited proxy may do. */
    public enum LimitedProxies {
        READ,
        SUBMIT
    }

    /** What to do with VOMS attributes that are not good. */
    public enum BadAttributes {
        IGNORE,
        REFUSE
    }
}
