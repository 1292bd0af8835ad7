// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.gateway;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The certificates that the systems of the lab share ({@code docker/lab/gridftp pki}), so that our gateway, its peers and the GridFTP
 * servers all know the same user.
 *
 * @param pki the lab's directory of certificates
 * @param account the user
 */
public record LabGrid(Path pki, Account account) {

    private static final String DEFAULT_PKI = "/var/lib/jobgate-lab/gridftp/pki";
    private static final String USER = "jobgate-a";
    private static final String DEFAULT_PORT = "2811";

    public LabGrid {
        requireNonNull(pki, "pki is null");
        requireNonNull(account, "account is null");
    }

    /** The lab's certificates, if this is a machine with a lab and we may read them. */
    public static Optional<LabGrid> find() {
        Path pki = Path.of(System.getenv().getOrDefault("JOBGATE_LAB_PKI", DEFAULT_PKI));
        LabGrid grid = new LabGrid(pki, new Account(USER));
        return Files.isReadable(grid.hostKey()) && Files.isReadable(grid.proxy())
                ? Optional.of(grid)
                : Optional.empty();
    }

    /** The same, or a sentence that says how to get it. */
    public static LabGrid require() throws IOException {
        return find().orElseThrow(() -> new IOException("the lab's certificates are not there (looked in " + DEFAULT_PKI
                + ", or $JOBGATE_LAB_PKI); as root: docker/lab/gridftp up"));
    }

    public Path hostCertificate() {
        return pki.resolve("a/cert.pem");
    }

    public Path hostKey() {
        return pki.resolve("a/key.pem");
    }

    public Path trustDirectory() {
        return pki.resolve("certificates");
    }

    public Path gridMapfile() {
        return pki.resolve("grid-mapfile");
    }

    /** The user's proxy. */
    public Path proxy() {
        return pki.resolve(account.name()).resolve("proxy.pem");
    }

    /** Jobs of the user by Fork. */
    public LrmChoice fork() {
        return new LrmChoice("Fork", "fork", account.name(), "~/.jobgate/perf", List.of());
    }

    /** What programs of the Grid Community Toolkit need to act for the user. */
    public Map<String, String> environment() throws IOException {
        Map<String, String> environment = new HashMap<>(account.environment());
        environment.put("X509_USER_PROXY", proxy().toString());
        environment.put("X509_CERT_DIR", trustDirectory().toString());
        environment.put("GLOBUS_HOSTNAME", "localhost");
        return environment;
    }

    /** A file at the first GridFTP server. */
    public static String near(Path file) {
        return "gsiftp://localhost:" + port(0) + file;
    }

    /** A file at the second one, which has an address of its own. */
    public static String far(Path file) {
        return "gsiftp://127.0.0.2:" + port(1) + file;
    }

    private static int port(int place) {
        return Integer.parseInt(System.getenv().getOrDefault("JOBGATE_LAB_GRIDFTP_PORT", DEFAULT_PORT)) + place;
    }
}
