// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import eu.emi.security.authn.x509.NamespaceCheckingMode;
import eu.emi.security.authn.x509.helpers.ObserversHandler;
import eu.emi.security.authn.x509.helpers.ns.EuGridPmaNamespacesParser;
import eu.emi.security.authn.x509.helpers.ns.EuGridPmaNamespacesStore;
import eu.emi.security.authn.x509.helpers.ns.GlobusNamespacesParser;
import eu.emi.security.authn.x509.helpers.ns.GlobusNamespacesStore;
import eu.emi.security.authn.x509.helpers.ns.NamespacePolicy;
import eu.emi.security.authn.x509.helpers.ns.NamespacesParser;
import eu.emi.security.authn.x509.helpers.ns.NamespacesStore;
import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import eu.emi.security.authn.x509.impl.CertificateUtils;
import eu.emi.security.authn.x509.impl.CertificateUtils.Encoding;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.jobgate.job.Reason;
import org.jobgate.site.SiteFile;

/**
 * The trust directory: authorities as {@code HASH.0}, their revocation lists as {@code HASH.r0}, and what they may sign as {@code
 * HASH.namespaces} or {@code HASH.signing_policy}. Each look makes a new {@link Snapshot}; each validation takes one and keeps to it.
 *
 * <p>An authority whose certificate is bad is left out. So is one of which a file says what it may sign, and no such file can be read: it
 * could sign anything. A revocation list that is bad holds on as it was.
 */
final class TrustDirectory {

    /** More files than all authorities of the world have. */
    private static final int MAX_FILES = 20_000;

    private static final long MAX_CERTIFICATE_BYTES = 1024L * 1024;
    private static final long MAX_LIST_BYTES = 64L * 1024 * 1024;

    private static final Pattern AUTHORITY = Pattern.compile("[0-9a-fA-F]{8}\\.[0-9]{1,9}");
    private static final Pattern LIST = Pattern.compile("[0-9a-fA-F]{8}\\.r[0-9]{1,9}");
    private static final Pattern NAMESPACES = Pattern.compile("[0-9a-fA-F]{8}\\.namespaces");
    private static final Pattern SIGNING_POLICY = Pattern.compile("[0-9a-fA-F]{8}\\.signing_policy");

    private final Path directory;
    private final boolean policiesCount;
    private final SiteFiles<Named<X509Certificate>> authorities = new SiteFiles<>(
            "certificate of an authority",
            MAX_CERTIFICATE_BYTES,
            SiteFiles.WhenBad.LEAVE_OUT,
            TrustDirectory::authority);
    private final SiteFiles<Named<X509CRL>> lists =
            new SiteFiles<>("revocation list", MAX_LIST_BYTES, SiteFiles.WhenBad.KEEP, TrustDirectory::list);
    private final SiteFiles<List<NamespacePolicy>> policies = new SiteFiles<>(
            "policy of what an authority may sign",
            MAX_CERTIFICATE_BYTES,
            SiteFiles.WhenBad.KEEP,
            TrustDirectory::policy);

    private volatile Snapshot snapshot = Snapshot.EMPTY;

    /** @param counts whether the file's name has the hash of today's OpenSSL; by that of OpenSSL 0.9 the same file has a further name */
    private record Named<T>(T content, boolean counts) {}

    /**
     * What the directory says.
     *
     * @param lists by the authority that made them
     * @param troubles what is wrong with which file, as sentences
     */
    record Snapshot(
            Set<TrustAnchor> anchors,
            Map<X500Principal, List<X509CRL>> lists,
            NamespacesStore namespaces,
            NamespacesStore signingPolicies,
            List<String> troubles) {

        static final Snapshot EMPTY =
                new Snapshot(Set.of(), Map.of(), new Namespaces(List.of()), new SigningPolicies(List.of()), List.of());

        /** The authorities that are trusted. */
        X509Certificate[] authorities() {
            return anchors.stream().map(TrustAnchor::getTrustedCert).toArray(X509Certificate[]::new);
        }
    }

    private static final class Namespaces extends EuGridPmaNamespacesStore {
        Namespaces(List<NamespacePolicy> policies) {
            super(new ObserversHandler(), true);
            setPolicies(policies);
        }
    }

    private static final class SigningPolicies extends GlobusNamespacesStore {
        SigningPolicies(List<NamespacePolicy> policies) {
            super(new ObserversHandler(), true);
            setPolicies(policies);
        }
    }

    /** Reads nothing yet. */
    TrustDirectory(Path directory, NamespaceCheckingMode mode) {
        this.directory = directory;
        this.policiesCount = mode.globusEnabled() || mode.euGridPmaEnabled();
        CertificateUtils.configureSecProvider();
    }

    /** What the last look found. */
    Snapshot snapshot() {
        return snapshot;
    }

    /**
     * Looks at the directory, reads what has changed, and makes the new snapshot.
     *
     * @return whether nothing needs to be looked at again soon
     */
    boolean look() {
        List<Path> files;
        try (Stream<Path> listed = Files.list(directory)) {
            files = listed.limit(MAX_FILES + 1L).toList();
        } catch (IOException | java.io.UncheckedIOException e) {
            return notListed(Reason.of(e));
        }
        if (files.size() > MAX_FILES) {
            return notListed("it has more than " + MAX_FILES + " files");
        }
        SiteFiles.Found<Named<X509Certificate>> certificates = authorities.look(named(files, AUTHORITY));
        SiteFiles.Found<Named<X509CRL>> revocations = lists.look(named(files, LIST));
        List<Path> policyFiles = new ArrayList<>();
        if (policiesCount) {
            policyFiles.addAll(named(files, NAMESPACES));
            policyFiles.addAll(named(files, SIGNING_POLICY));
        }
        SiteFiles.Found<List<NamespacePolicy>> rules = policies.look(policyFiles);

        List<String> troubles = new ArrayList<>();
        troubles.addAll(certificates.troubles());
        troubles.addAll(revocations.troubles());
        troubles.addAll(rules.troubles());
        Set<String> unknown = unknownRules(policyFiles, rules.good().keySet());
        Set<TrustAnchor> anchors = new HashSet<>();
        certificates.good().forEach((path, authority) -> {
            if (!authority.counts()) {
                return;
            }
            if (unknown.contains(hash(path))) {
                troubles.add(
                        "The authority " + path + " is left out: the file that says what it may sign cannot be used.");
            } else {
                anchors.add(new Anchor(authority.content()));
            }
        });
        snapshot = new Snapshot(
                Set.copyOf(anchors),
                byIssuer(revocations.good().values().stream()
                        .filter(Named::counts)
                        .map(Named::content)
                        .toList()),
                new Namespaces(ofKind(rules.good(), NAMESPACES)),
                new SigningPolicies(ofKind(rules.good(), SIGNING_POLICY)),
                List.copyOf(troubles));
        return certificates.settled() && revocations.settled() && rules.settled();
    }

    /** The same authority under two names is one: the plain class compares by identity. */
    private static final class Anchor extends TrustAnchor {

        Anchor(X509Certificate certificate) {
            super(certificate, null);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Anchor anchor && anchor.getTrustedCert().equals(getTrustedCert());
        }

        @Override
        public int hashCode() {
            return getTrustedCert().hashCode();
        }
    }

    private boolean notListed(String why) {
        Snapshot known = snapshot;
        String trouble = directory + " cannot be listed: " + why + ". What was read before holds.";
        snapshot = new Snapshot(
                known.anchors(), known.lists(), known.namespaces(), known.signingPolicies(), List.of(trouble));
        return true;
    }

    private static List<Path> named(List<Path> files, Pattern name) {
        return files.stream()
                .filter(file -> name.matcher(file.getFileName().toString()).matches())
                .toList();
    }

    private static String hash(Path file) {
        return file.getFileName().toString().substring(0, 8).toLowerCase(Locale.ROOT);
    }

    /** The hashes of authorities of which there are files that say what they may sign, and none of them can be used. */
    private static Set<String> unknownRules(List<Path> files, Set<Path> good) {
        Set<String> hashes = new HashSet<>();
        files.forEach(file -> hashes.add(hash(file)));
        good.forEach(file -> hashes.remove(hash(file)));
        return hashes;
    }

    private static List<NamespacePolicy> ofKind(Map<Path, List<NamespacePolicy>> rules, Pattern name) {
        List<NamespacePolicy> all = new ArrayList<>();
        rules.forEach((path, some) -> {
            if (name.matcher(path.getFileName().toString()).matches()) {
                all.addAll(some);
            }
        });
        return all;
    }

    private static Map<X500Principal, List<X509CRL>> byIssuer(List<X509CRL> lists) {
        Map<X500Principal, List<X509CRL>> byIssuer = new HashMap<>();
        lists.forEach(list -> byIssuer.computeIfAbsent(list.getIssuerX500Principal(), issuer -> new ArrayList<>())
                .add(list));
        return byIssuer;
    }

    private static Named<X509Certificate> authority(Path path, SiteFile file) throws IOException {
        X509Certificate[] found;
        try (InputStream in = file.open()) {
            found = CertificateUtils.loadCertificates(in, Encoding.PEM);
        }
        if (found.length != 1) {
            throw new IOException("it holds " + found.length + " certificates; it must hold one");
        }
        return new Named<>(found[0], counts(path, found[0].getSubjectX500Principal()));
    }

    private static Named<X509CRL> list(Path path, SiteFile file) throws IOException, GeneralSecurityException {
        try (InputStream in = file.open()) {
            X509CRL list = (X509CRL) CertificateFactory.getInstance("X.509", BouncyCastleProvider.PROVIDER_NAME)
                    .generateCRL(in);
            if (list == null) {
                throw new IOException("there is none in it");
            }
            if (list.getNextUpdate() == null) {
                throw new IOException("it does not say until when it holds (nextUpdate)");
            }
            return new Named<>(list, counts(path, list.getIssuerX500Principal()));
        }
    }

    private static boolean counts(Path path, X500Principal name) throws IOException {
        String now = OpensslTruststoreHelper.getOpenSSLCAHash(name, true);
        if (hash(path).equals(now)) {
            return true;
        }
        if (hash(path).equals(OpensslTruststoreHelper.getOpenSSLCAHash(name, false))) {
            return false;
        }
        throw new IOException("by the name in it, its own must begin with " + now + " (openssl rehash does it)");
    }

    /** The library's parsers open the file themselves; that it is one, and of a size, is known by then. */
    private static List<NamespacePolicy> policy(Path path, SiteFile file) throws IOException {
        NamespacesParser parser =
                NAMESPACES.matcher(path.getFileName().toString()).matches()
                        ? new EuGridPmaNamespacesParser(path.toString(), true)
                        : new GlobusNamespacesParser(path.toString());
        List<NamespacePolicy> rules = parser.parse();
        if (!SiteFile.stamp(path, MAX_CERTIFICATE_BYTES).equals(file.stamp())) {
            throw new IOException("it changed while it was read");
        }
        if (rules.isEmpty()) {
            throw new IOException("it says nothing of what the authority may sign");
        }
        return rules;
    }
}
