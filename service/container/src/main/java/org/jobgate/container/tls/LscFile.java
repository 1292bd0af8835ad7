// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static java.util.Objects.requireNonNull;

import eu.emi.security.authn.x509.impl.OpensslNameUtils;
import eu.emi.security.authn.x509.impl.X500NameUtils;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.italiangrid.voms.store.LSCInfo;
import org.jobgate.authz.SubjectForm;
import org.jobgate.site.SiteFile;

/**
 * What a file {@code VO/HOST.lsc} says: by which chains of names the VOMS server of that host is known. A chain is the subject and the
 * issuer of each certificate, from the server's own upwards; chains are set apart by a line {@code ------ NEXT CHAIN ------}, as a server
 * has two while it changes its authority.
 */
final class LscFile implements LSCInfo {

    private static final Pattern NEXT_CHAIN = Pattern.compile("-+\\s*NEXT\\s+CHAIN\\s*-+", Pattern.CASE_INSENSITIVE);

    /** More names than any chain that is looked at has. */
    private static final int MAX_NAMES = 2 * ChainValidator.MAX_CHAIN;

    private static final int MAX_CHAINS = 100;

    private final String organization;
    private final String host;
    private final List<List<String>> chains;
    private volatile String filename;

    private LscFile(String organization, String host, List<List<String>> chains, String filename) {
        this.organization = organization;
        this.host = host;
        this.chains = chains;
        this.filename = filename;
    }

    /**
     * Reads the file.
     *
     * @throws IOException that says what is wrong with it
     */
    static LscFile parse(Path path, SiteFile file) throws IOException {
        List<List<String>> chains = new ArrayList<>();
        List<String> chain = new ArrayList<>();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(file.open(), StandardCharsets.UTF_8))) {
            int number = 0;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                number++;
                String text = line.strip();
                if (text.isEmpty() || text.startsWith("#")) {
                    continue;
                }
                if (NEXT_CHAIN.matcher(text).matches()) {
                    add(chains, chain);
                    chain = new ArrayList<>();
                } else if (text.startsWith("/") && text.indexOf('=') > 0) {
                    chain.add(text);
                } else {
                    throw new IOException("line " + number
                            + " is neither a name (/NAME=value/...) nor \"------ NEXT CHAIN ------\" nor a comment");
                }
            }
        }
        add(chains, chain);
        if (chains.isEmpty()) {
            throw new IOException("there is no name in it");
        }
        String name = path.getFileName().toString();
        return new LscFile(
                requireNonNull(path.toAbsolutePath().getParent(), "a file is in a directory")
                        .getFileName()
                        .toString(),
                name.substring(0, name.length() - VomsDirectory.LSC.length()),
                List.copyOf(chains),
                path.toString());
    }

    /** An empty chain is none: a separator may stand before the first and behind the last. */
    private static void add(List<List<String>> chains, List<String> chain) throws IOException {
        if (chain.isEmpty()) {
            return;
        }
        if (chain.size() % 2 != 0) {
            throw new IOException("a chain in it has " + chain.size()
                    + " names; a chain is the subject and the issuer of each of its certificates");
        }
        if (chain.size() > MAX_NAMES || chains.size() == MAX_CHAINS) {
            throw new IOException(
                    "at most " + MAX_CHAINS + " chains of " + MAX_NAMES + " names each are taken, and it has more");
        }
        chains.add(List.copyOf(chain));
    }

    @Override
    public boolean matches(X509Certificate[] certificates) {
        return chains.stream().anyMatch(chain -> matches(chain, certificates));
    }

    private static boolean matches(List<String> chain, X509Certificate[] certificates) {
        if (certificates.length == 0 || chain.size() != 2 * certificates.length) {
            return false;
        }
        for (int i = 0; i < certificates.length; i++) {
            if (!isSame(certificates[i].getSubjectX500Principal(), chain.get(2 * i))
                    || !isSame(certificates[i].getIssuerX500Principal(), chain.get(2 * i + 1))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSame(X500Principal name, String line) {
        return SubjectForm.canonical(line).equals(slashForm(name)) || isSameToTheLibrary(name, line);
    }

    private static String slashForm(X500Principal name) {
        try {
            return SubjectForm.canonical(SubjectName.slashForm(name));
        } catch (CertificateException e) {
            // a name that could be taken for another has no such form; no line begins like this
            return "";
        }
    }

    /** Files in the field were written for this library, whose comparison forgives letters' case and blanks. */
    @SuppressWarnings("deprecation") // the only way from the slash form
    private static boolean isSameToTheLibrary(X500Principal name, String line) {
        try {
            return X500NameUtils.equal(name, OpensslNameUtils.opensslToRfc2253(line));
        } catch (IllegalArgumentException e) {
            // it knows fewer attributes than OpenSSL, and has just met one
            return false;
        }
    }

    @Override
    public String getVOName() {
        return organization;
    }

    @Override
    public String getHostname() {
        return host;
    }

    /** The first chain; the library has no word for several. */
    @Override
    public List<String> getCertificateChainDescription() {
        return chains.getFirst();
    }

    @Override
    public String getFilename() {
        return filename;
    }

    @Override
    public void setFilename(String name) {
        this.filename = requireNonNull(name, "name is null");
    }
}
