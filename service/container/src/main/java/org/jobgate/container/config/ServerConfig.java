// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.nio.file.Path;
import java.time.Duration;

/** Where the service listens, and by which certificates. */
@Section("Where the service listens, and by which certificates it and its callers prove who they are.")
public record ServerConfig(
        @Setting(
                description = "Address to listen on. 0.0.0.0 means every address of the machine.",
                byDefault = "127.0.0.1",
                tier = Tier.ESSENTIAL)
        String host,

        @Setting(
                description =
                        "Port of the one HTTPS connector. 0 lets the system choose; the log and the status tell which.",
                byDefault = "8443",
                min = "0",
                max = "65535",
                tier = Tier.ESSENTIAL)
        int port,

        @Setting(
                description = "The name by which clients reach this machine; it is in every address that is given out.",
                byDefault = "localhost",
                tier = Tier.ESSENTIAL)
        String publicName,

        @Setting(
                description =
                        "The service's certificate, PEM, followed by its intermediate certificates if there are any.",
                byDefault = "/etc/grid-security/hostcert.pem",
                tier = Tier.ESSENTIAL)
        Path hostCertificate,

        @Setting(
                description =
                        "The private key of the certificate: PEM, RSA or EC, PKCS#1, SEC 1 or PKCS#8, not encrypted. Nobody but the"
                                + " account of the service may be able to read it.",
                byDefault = "/etc/grid-security/hostkey.pem",
                tier = Tier.ESSENTIAL)
        Path hostKey,

        @Setting(
                description = "Directory of the certificate authorities whose users are let in: HASH.0, HASH.r0,"
                        + " HASH.signing_policy, as `openssl rehash` names them.",
                byDefault = "/etc/grid-security/certificates",
                tier = Tier.ESSENTIAL)
        Path trustDirectory,

        @Setting(
                description = "How often the trust directory is read again.",
                byDefault = "10m",
                min = "1s",
                max = "1d")
        Duration trustReload,

        @Setting(
                description =
                        "What to do about certificate revocation lists: `if-valid` checks against those that are there and"
                                + " current, `require` refuses where there is none, `ignore` does not look.",
                byDefault = "if-valid")
        CrlPolicy crls,

        @Setting(
                description =
                        "Whether a signing policy or namespaces file must exist for an authority: `if-present` holds an authority to"
                                + " the file that is there, `require` refuses where there is none, `ignore` does not look.",
                byDefault = "if-present",
                tier = Tier.RARE)
        NamespacePolicy namespaces,

        @Setting(
                description =
                        "How long a chain of certificates that was found good is taken as good without looking again.",
                byDefault = "1m",
                min = "0s",
                max = "10m",
                tier = Tier.RARE)
        Duration validationCache,

        @Setting(
                description = "How long a client may resume a TLS session without showing its certificate again.",
                byDefault = "10m",
                min = "1s",
                max = "1h",
                tier = Tier.RARE)
        Duration sessionLifetime,

        @Setting(
                description = "A connection on which nothing happens is closed after this time.",
                byDefault = "1m",
                min = "1s",
                max = "1h")
        Duration idleTimeout,

        @Setting(
                description = "At a stop, how long running requests may take to finish.",
                byDefault = "10s",
                min = "0s",
                max = "10m")
        Duration stopTimeout) {

    /** What to do about certificate revocation lists. */
    public enum CrlPolicy {
        IF_VALID,
        REQUIRE,
        IGNORE
    }

    /** What to do about signing policy and namespaces files. */
    public enum NamespacePolicy {
        IF_PRESENT,
        REQUIRE,
        IGNORE
    }
}
