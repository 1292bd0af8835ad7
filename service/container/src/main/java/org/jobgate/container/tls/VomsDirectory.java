// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static java.util.Objects.requireNonNull;

import eu.emi.security.authn.x509.impl.CertificateUtils;
import eu.emi.security.authn.x509.impl.CertificateUtils.Encoding;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.italiangrid.voms.store.LSCInfo;
import org.italiangrid.voms.store.VOMSTrustStore;
import org.italiangrid.voms.store.VOMSTrustStoreStatusListener;
import org.jobgate.job.Reason;
import org.jobgate.site.SiteFile;
import org.jspecify.annotations.Nullable;

/**
 * Whose VOMS attributes are believed: {@code VO/HOST.lsc} names the chain of a VOMS server, {@code *.pem} is the certificate of one. A file
 * that is bad is left out, and does not affect the others.
 */
final class VomsDirectory implements VOMSTrustStore {

    static final String LSC = ".lsc";

    private static final String CERTIFICATE = ".pem";
    private static final long MAX_LSC_BYTES = 64L * 1024;
    private static final long MAX_CERTIFICATE_BYTES = 1024L * 1024;
    private static final int MAX_FILES = 20_000;

    private final Path directory;
    private final SiteFiles<LscFile> lscFiles = new SiteFiles<>(
            "list of a VOMS server's names (LSC)", MAX_LSC_BYTES, SiteFiles.WhenBad.LEAVE_OUT, LscFile::parse);
    private final SiteFiles<X509Certificate> certificates = new SiteFiles<>(
            "certificate of a VOMS server",
            MAX_CERTIFICATE_BYTES,
            SiteFiles.WhenBad.LEAVE_OUT,
            VomsDirectory::certificate);

    private volatile Snapshot snapshot = new Snapshot(Map.of(), Map.of(), List.of());

    private record Server(String organization, String host) {}

    private record Snapshot(
            Map<Server, LscFile> chains, Map<X500Principal, X509Certificate> servers, List<String> troubles) {}

    /** Reads nothing yet. */
    VomsDirectory(Path directory) {
        this.directory = requireNonNull(directory, "directory is null");
    }

    /**
     * Looks at the directory and reads what has changed.
     *
     * @return whether nothing needs to be looked at again soon
     */
    boolean look() {
        List<Path> files;
        try (Stream<Path> found = Files.find(
                directory, 2, (path, attributes) -> isOurs(path), java.nio.file.FileVisitOption.FOLLOW_LINKS)) {
            files = found.limit(MAX_FILES + 1L).toList();
        } catch (IOException | UncheckedIOException e) {
            return notListed(Reason.of(e));
        }
        if (files.size() > MAX_FILES) {
            return notListed("it has more than " + MAX_FILES + " files");
        }
        Path top = directory.toAbsolutePath().normalize();
        SiteFiles.Found<LscFile> lsc = lscFiles.look(files.stream()
                .filter(file -> file.toString().endsWith(LSC))
                .filter(file -> !top.equals(file.toAbsolutePath().normalize().getParent()))
                .toList());
        SiteFiles.Found<X509Certificate> own = certificates.look(files.stream()
                .filter(file -> file.toString().endsWith(CERTIFICATE))
                .toList());
        Map<Server, LscFile> chains = new HashMap<>();
        lsc.good().values().forEach(file -> chains.put(new Server(file.getVOName(), file.getHostname()), file));
        Map<X500Principal, X509Certificate> servers = new HashMap<>();
        own.good().values().forEach(server -> servers.put(server.getSubjectX500Principal(), server));
        List<String> troubles = new ArrayList<>(lsc.troubles());
        troubles.addAll(own.troubles());
        snapshot = new Snapshot(Map.copyOf(chains), Map.copyOf(servers), List.copyOf(troubles));
        return lsc.settled() && own.settled();
    }

    private static boolean isOurs(Path path) {
        String name = path.toString();
        return name.endsWith(LSC) || name.endsWith(CERTIFICATE);
    }

    private boolean notListed(String why) {
        String trouble = directory + " cannot be listed: " + why + ". What was read before holds.";
        snapshot = new Snapshot(snapshot.chains(), snapshot.servers(), List.of(trouble));
        return true;
    }

    private static X509Certificate certificate(Path path, SiteFile file) throws IOException {
        try (InputStream in = file.open()) {
            return CertificateUtils.loadCertificate(in, Encoding.PEM);
        }
    }

    /** What is wrong with which file, as sentences. */
    List<String> troubles() {
        return snapshot.troubles();
    }

    /** How many servers are known by their chains. */
    int size() {
        return snapshot.chains().size();
    }

    @Override
    public List<String> getLocalTrustedDirectories() {
        return List.of(directory.toString());
    }

    @Override
    public List<X509Certificate> getLocalAACertificates() {
        return List.copyOf(snapshot.servers().values());
    }

    @Override
    public @Nullable X509Certificate getAACertificateBySubject(X500Principal subject) {
        return snapshot.servers().get(subject);
    }

    @Override
    public @Nullable LSCInfo getLSC(String organization, String host) {
        return snapshot.chains().get(new Server(organization, host));
    }

    @Override
    public Map<String, Set<LSCInfo>> getAllLSCInfo() {
        Map<String, Set<LSCInfo>> all = new HashMap<>();
        snapshot.chains()
                .forEach((server, file) -> all.computeIfAbsent(
                                server.organization(), organization -> new java.util.HashSet<>())
                        .add(file));
        return all;
    }

    @Override
    public void loadTrustInformation() {
        look();
    }

    @Override
    public void setStatusListener(VOMSTrustStoreStatusListener listener) {
        throw new UnsupportedOperationException("what is wrong with the files is told by the log and by the health");
    }
}
