// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ca;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.x500.X500Name;
import org.jobgate.cli.tls.CredentialException;
import org.jobgate.cli.tls.SlashName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jobgate ca}: certificates for trials and tests. */
@Command(
        name = "ca",
        mixinStandardHelpOptions = true,
        description = "Make a certificate authority for trials, and certificates and proxies from it.")
public final class CaCommand {
    private static final String DAYS_YEAR = "365";

    private final Issuer issuer = new Issuer(Clock.systemUTC(), new SecureRandom());

    @Spec
    @Nullable
    CommandSpec spec;

    /** Options that all of them have. */
    static final class Common {
        @Option(
                names = "--dir",
                required = true,
                paramLabel = "DIRECTORY",
                description = "Where the authority lies: ca/, certificates/, hosts/, users/.")
        Path dir = Path.of(".");

        @Option(names = "--key", defaultValue = "rsa", description = "rsa (2048 bits, default) or ecdsa (P-256).")
        KeyKind kind = KeyKind.RSA;

        AuthorityFolder folder() {
            return new AuthorityFolder(dir);
        }
    }

    @Command(
            name = "init",
            mixinStandardHelpOptions = true,
            description = "Make the authority and its trust directory.")
    int init(
            @Mixin Common common,
            @Option(
                            names = "--subject",
                            defaultValue = "O=Jobgate Trial,CN=Jobgate Trial CA",
                            description = "Its name, most general part first. Default: ${DEFAULT-VALUE}")
                    String subject,
            @Option(names = "--days", defaultValue = "3650", description = "How long it is valid.") int days)
            throws GeneralSecurityException, IOException, CredentialException {
        AuthorityFolder folder = common.folder();
        if (folder.exists()) {
            say("An authority is there already: " + name(folder.authority()) + " in " + folder.authorityCertificate()
                    + ". Nothing changed.");
            return 0;
        }
        Issued authority = issuer.authority(new X500Name(subject), common.kind, Duration.ofDays(days));
        folder.save(authority);
        say("Authority:        " + name(authority));
        say("Trust directory:  " + folder.trustDirectory() + "   (X509_CERT_DIR)");
        return 0;
    }

    @Command(name = "host", mixinStandardHelpOptions = true, description = "Make a host's certificate and key.")
    int host(
            @Mixin Common common,
            @Parameters(
                            arity = "0..*",
                            paramLabel = "NAME",
                            description = "Names and addresses; localhost is always added.")
                    @Nullable
                    List<String> names,
            @Option(names = "--days", defaultValue = DAYS_YEAR, description = "How long it is valid.") int days,
            @Option(names = "--out", description = "The directory for hostcert.pem and hostkey.pem.") @Nullable
                    Path out)
            throws GeneralSecurityException, IOException, CredentialException {
        Set<String> all = new LinkedHashSet<>(names == null ? List.of() : names);
        all.addAll(List.of("localhost", "127.0.0.1", "::1"));
        Issued authority = common.folder().authority();
        Issued host = issuer.host(
                authority,
                common.folder().base(authority),
                all.stream().map(HostName::new).toList(),
                common.kind,
                Duration.ofDays(days));
        Path folder = out != null ? out : common.folder().host(all.iterator().next());
        save(host, folder.resolve("hostcert.pem"), folder.resolve("hostkey.pem"));
        return 0;
    }

    @Command(name = "user", mixinStandardHelpOptions = true, description = "Make a user's certificate and key.")
    int user(
            @Mixin Common common,
            @Parameters(paramLabel = "NAME", description = "E.g. \"Alice Tester\".") String name,
            @Option(names = "--days", defaultValue = DAYS_YEAR, description = "How long it is valid.") int days,
            @Option(names = "--out", description = "The directory for usercert.pem and userkey.pem.") @Nullable
                    Path out)
            throws GeneralSecurityException, IOException, CredentialException {
        Issued authority = common.folder().authority();
        Issued user = issuer.user(authority, common.folder().base(authority), name, common.kind, Duration.ofDays(days));
        Path folder = out != null ? out : common.folder().user(name);
        save(user, folder.resolve("usercert.pem"), folder.resolve("userkey.pem"));
        return 0;
    }

    private void save(Issued issued, Path certificate, Path key) throws IOException {
        PemFiles.writeKey(key, issued.key());
        PemFiles.writeCertificates(certificate, issued.chain());
        say("Subject:      " + name(issued));
        say("Certificate:  " + certificate);
        say("Key:          " + key);
    }

    @Command(
            name = "proxy",
            mixinStandardHelpOptions = true,
            description = "Make a proxy (RFC 3820) of a user's certificate, or of a proxy.")
    int proxy(
            @Option(names = "--cert", required = true, description = "The user's certificate, or a proxy.")
                    Path certificate,
            @Option(
                            names = "--privkey",
                            description = "Its key; default: in the same file, else userkey.pem beside it.")
                    @Nullable
                    Path key,
            @Option(names = "--out", required = true, description = "The proxy file.") Path out,
            @Option(names = "--hours", defaultValue = "12", description = "How long it is valid.") int hours,
            @Option(names = "--limited", description = "It may move files and not start jobs.") boolean isLimited,
            @Option(names = "--depth", description = "How many further proxies may be made from it.") @Nullable
                    Integer depth,
            @Option(names = "--key", defaultValue = "rsa", description = "rsa (default) or ecdsa.") KeyKind kind)
            throws GeneralSecurityException, IOException, CredentialException {
        Issued owner = AuthorityFolder.read(certificate, key != null ? key : keyOf(certificate));
        Issued proxy = new ProxyIssuer(Clock.systemUTC(), new SecureRandom())
                .proxy(
                        owner,
                        isLimited ? ProxyKind.LIMITED : ProxyKind.FULL,
                        depth,
                        kind.generate(),
                        Duration.ofHours(hours));
        PemFiles.writeProxy(out, proxy);
        say("Subject:  " + name(proxy));
        say("Proxy:    " + out + "   (X509_USER_PROXY)");
        say("Valid to: " + proxy.certificate().getNotAfter().toInstant());
        return 0;
    }

    private static Path keyOf(Path certificate) throws IOException {
        Path beside = certificate.resolveSibling("userkey.pem");
        return Files.readString(certificate).contains("PRIVATE KEY-----") || !Files.exists(beside)
                ? certificate
                : beside;
    }

    private static String name(Issued issued) {
        return SlashName.of(issued.certificate().getSubjectX500Principal());
    }

    private void say(String line) {
        if (spec != null) {
            spec.commandLine().getOut().println(line);
        }
    }
}
