// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jobgate.container.config.CredentialsConfig;
import org.jobgate.container.config.ServerConfig;
import org.jobgate.container.tls.ChainValidator;
import org.jobgate.job.Reason;
import org.jobgate.site.SiteFile;

/** The trust directory: authorities and their revocation lists. */
final class TrustFindings {

    private static final String AREA = "trust directory";
    private static final String CRL_AREA = "revocation lists";
    private static final Duration SOON = Duration.ofHours(24);
    private static final long MAX_BYTES = 64L * 1024 * 1024;

    private final ServerConfig config;
    private final CredentialsConfig credentials;
    private final Clock clock;

    TrustFindings(ServerConfig config, CredentialsConfig credentials, Clock clock) {
        this.config = config;
        this.credentials = credentials;
        this.clock = clock;
    }

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        Path directory = config.trustDirectory();
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> all = files.sorted().toList();
            List<Path> authorities = all.stream()
                    .filter(file -> file.getFileName().toString().matches("[0-9a-f]{8}\\.\\d"))
                    .toList();
            if (authorities.isEmpty()) {
                findings.add(Finding.bad(
                        AREA,
                        directory + " holds no authority",
                        "put their certificates there as HASH.0 (openssl rehash " + directory + ")"));
            } else {
                findings.add(Finding.good(AREA, directory + " has " + authorities.size() + " files of authorities"));
            }
            // as the service itself reads them, so that both say the same
            ChainValidator.troubles(config, credentials)
                    .forEach(trouble -> findings.add(Finding.bad(AREA, trouble.replaceFirst("[.]$", ""), "mend it")));
            authorities.forEach(file -> authority(findings, file));
            authorities.forEach(file -> list(findings, file));
        } catch (IOException e) {
            findings.add(
                    Finding.bad(AREA, directory + " cannot be read: " + Reason.of(e), "set server.trustDirectory"));
        }
        return findings;
    }

    private void authority(List<Finding> findings, Path file) {
        try (InputStream in = SiteFile.read(file, MAX_BYTES).open()) {
            X509Certificate certificate =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            if (certificate.getNotAfter().toInstant().isBefore(clock.instant())) {
                findings.add(Finding.warning(
                        AREA,
                        file + " expired at " + certificate.getNotAfter().toInstant(),
                        "fetch the authority's new certificate, or remove the file"));
            }
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            findings.add(Finding.bad(AREA, file + " is no certificate: " + e.getMessage(), "replace or remove it"));
        }
    }

    private void list(List<Finding> findings, Path authority) {
        Path list = authority.resolveSibling(authority.getFileName().toString().replaceFirst("\\.(\\d)$", ".r$1"));
        if (!Files.exists(list)) {
            if (config.crls() == ServerConfig.CrlPolicy.REQUIRE) {
                findings.add(Finding.bad(
                        CRL_AREA,
                        list + " is missing, and server.crls is require: nobody of this authority is let in",
                        "fetch it (fetch-crl does it regularly)"));
            } else {
                findings.add(Finding.warning(
                        CRL_AREA,
                        list + " is missing: what this authority has revoked is still accepted",
                        "fetch it (fetch-crl does it regularly)"));
            }
            return;
        }
        try (InputStream in = SiteFile.read(list, MAX_BYTES).open()) {
            X509CRL crl = (X509CRL) CertificateFactory.getInstance("X.509").generateCRL(in);
            findings.add(freshness(list, crl));
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            findings.add(Finding.bad(CRL_AREA, list + " is no revocation list: " + e.getMessage(), "fetch it again"));
        }
    }

    private Finding freshness(Path list, X509CRL crl) {
        Instant now = clock.instant();
        Instant next = crl.getNextUpdate() == null ? now : crl.getNextUpdate().toInstant();
        if (next.isBefore(now)) {
            return Finding.bad(
                    CRL_AREA, list + " was to be replaced at " + next, "fetch it again; is fetch-crl's timer running?");
        }
        return next.isBefore(now.plus(SOON))
                ? Finding.warning(CRL_AREA, list + " is to be replaced at " + next, "see that fetch-crl runs")
                : Finding.good(CRL_AREA, list + " is fresh until " + next);
    }
}
