// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jobgate.cli.ca.Issued;
import org.jobgate.cli.ca.KeyKind;
import org.jobgate.cli.ca.PemFiles;
import org.jobgate.cli.ca.ProxyIssuer;
import org.jobgate.cli.ca.ProxyKind;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.CredentialException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jobgate proxy}: the proxy of the one who calls. */
@Command(
        name = "proxy",
        mixinStandardHelpOptions = true,
        description = "Make, show and remove your proxy, or get and renew one at a MyProxy server.")
public final class ProxyCommand {
    private static final int NOT_VALID = 1;
    private static final String HOURS = "12";
    private static final int HOURS_MAX = 24 * 366;
    private static final Duration NETWORK_PATIENCE = Duration.ofSeconds(60);

    private final ProxyPlaces places;
    private final InputStream in;
    private final Clock clock;

    @Spec
    @Nullable
    CommandSpec spec;

    public ProxyCommand() {
        this(ProxyPlaces.ofProcess(), System.in, Clock.systemUTC());
    }

    ProxyCommand(ProxyPlaces places, InputStream in, Clock clock) {
        this.places = places;
        this.in = in;
        this.clock = clock;
    }

    /** How a proxy that is written shall be. */
    static final class Wanted {
        @Option(
                names = "--hours",
                defaultValue = HOURS,
                description = "How long it is valid. Default: ${DEFAULT-VALUE}")
        int hours = Integer.parseInt(HOURS);

        @Option(names = "--key", defaultValue = "rsa", description = "The kind of its own key: rsa (default) or ecdsa.")
        KeyKind kind = KeyKind.RSA;

        @Option(
                names = "--bits",
                description =
                        "The strength of its own key: 2048 (default), 3072, 4096, 8192; ecdsa: 256 (default), 384, 521.")
        @Nullable
        Integer bits;

        @Option(
                names = "--out",
                paramLabel = "FILE",
                description =
                        "Where it is written. Default: X509_USER_PROXY, else /tmp/x509up_u and your number; what is renewed, in its own place.")
        @Nullable
        Path out;

        @Option(
                names = "--passphrase-stdin",
                description = "The pass phrase is the first line of standard input; without, you are asked.")
        boolean isFromStdin;

        int strength() {
            return bits != null ? bits : kind.usualBits();
        }

        Duration lifetime() {
            if (hours < 1 || hours > HOURS_MAX) {
                throw new IllegalArgumentException("--hours " + hours + " is not from 1 to " + HOURS_MAX + ".");
            }
            return Duration.ofHours(hours);
        }
    }

    /** Which proxy of which MyProxy server. */
    static final class Left {
        @Option(
                names = "--server",
                paramLabel = "HOST[:PORT]",
                description = "Default: MYPROXY_SERVER; port MYPROXY_SERVER_PORT, else 7512.")
        @Nullable
        String server;

        @Option(
                names = "--server-subject",
                paramLabel = "DN",
                description = "Expect this subject. Default: MYPROXY_SERVER_DN, else the host's certificate.")
        @Nullable
        String subject;

        @Option(
                names = "--user",
                paramLabel = "NAME",
                description = "Under which name it was left there. Default: LOGNAME.")
        @Nullable
        String user;

        @Option(
                names = "--credential",
                paramLabel = "NAME",
                description = "Which one of that name, where there are several.")
        @Nullable
        String credential;

        MyProxyServer at(ProxyPlaces places) throws CredentialException {
            return MyProxyAddress.of(server, subject, places.environment(), NETWORK_PATIENCE);
        }

        MyProxyServer.Wish wish(ProxyPlaces places, Duration lifetime) {
            String name =
                    user != null ? user : places.environment().getOrDefault("LOGNAME", System.getProperty("user.name"));
            return new MyProxyServer.Wish(name, credential, lifetime);
        }
    }

    @Command(
            name = "init",
            mixinStandardHelpOptions = true,
            description = "Make a proxy (RFC 3820) of your certificate.")
    int init(
            @Mixin Wanted wanted,
            @Option(
                            names = "--cert",
                            paramLabel = "FILE",
                            description =
                                    "Your certificate, or a proxy. Default: X509_USER_CERT, else ~/.globus/usercert.pem.")
                    @Nullable
                    Path certificate,
            @Option(
                            names = "--privkey",
                            paramLabel = "FILE",
                            description =
                                    "Its key. Default: X509_USER_KEY, else ~/.globus/userkey.pem; with --cert: in the same file, else userkey.pem beside it.")
                    @Nullable
                    Path key,
            @Option(names = "--limited", description = "It may move files and not start jobs.") boolean isLimited,
            @Option(names = "--independent", description = "It inherits no right of yours.") boolean isIndependent,
            @Option(names = "--depth", description = "How many further proxies may be made from it.") @Nullable
                    Integer depth)
            throws GeneralSecurityException, IOException, CredentialException {
        if (isLimited && isIndependent) {
            throw new IllegalArgumentException("A proxy is --limited or --independent, not both.");
        }
        if (depth != null && depth < 0) {
            throw new IllegalArgumentException("--depth " + depth + " is below 0.");
        }
        Duration lifetime = wanted.lifetime();
        Path target = wanted.out != null ? wanted.out : places.proxy();
        Credential own = own(certificate, key, wanted);
        ProxyKind kind = isLimited ? ProxyKind.LIMITED : isIndependent ? ProxyKind.INDEPENDENT : ProxyKind.FULL;
        try {
            Issued proxy = new ProxyIssuer(clock, new SecureRandom())
                    .proxy(
                            new Issued(own.chain(), own.key()),
                            kind,
                            depth,
                            wanted.kind.generate(wanted.strength()),
                            lifetime);
            return save(proxy, target, lifetime);
        } catch (GeneralSecurityException e) {
            throw new CredentialException(
                    "No proxy can be made of " + own.source() + ": " + Sentence.of(e.getMessage()), e);
        }
    }

    private static Path keyOf(Path certificate) throws IOException {
        Path beside = certificate.resolveSibling("userkey.pem");
        boolean isWithin = Files.isReadable(certificate)
                && Files.size(certificate) < Credential.FILE_BYTES_MAX
                && Files.readString(certificate, StandardCharsets.ISO_8859_1).contains("PRIVATE KEY-----");
        return isWithin || !Files.exists(beside) ? certificate : beside;
    }

    private int save(Issued proxy, Path target, Duration lifetime) throws CredentialException {
        try {
            PemFiles.writeProxy(target, proxy);
        } catch (IOException e) {
            throw new CredentialException(
                    "The proxy cannot be written to " + target + ": " + Sentence.reason(e) + ".", e);
        }
        ProxyDescription made = ProxyDescription.of(target, proxy.chain());
        say("Identity: " + made.identity());
        say("Proxy:    " + target + "   (" + made.type() + ", " + made.strength() + ")");
        say("Valid to: " + made.end());
        if (made.left(clock.instant()).compareTo(lifetime.minusMinutes(1)) < 0) {
            say("Note: that is less than the " + lifetime.toHours()
                    + " hours asked for: what it is made from ends then.");
        }
        return 0;
    }

    @Command(
            name = "info",
            mixinStandardHelpOptions = true,
            description = "Show your proxy. Exit status 1: there is none, or it is not as asked for.")
    int info(
            @Option(
                            names = "--file",
                            paramLabel = "FILE",
                            description = "The proxy. Default: X509_USER_PROXY, else /tmp/x509up_u and your number.")
                    @Nullable
                    Path file,
            @Option(
                            names = "--print",
                            split = ",",
                            paramLabel = "FIELD",
                            description =
                                    "Print these alone: subject, issuer, identity, type, strength (bits), path, timeleft (seconds), vo, fqan.")
                    @Nullable
                    List<ProxyReport.Field> fields,
            @Option(
                            names = "--exists",
                            description = "Print nothing; exit status 0 if there is a proxy that has not expired.")
                    boolean isTest,
            @Option(
                            names = "--valid",
                            paramLabel = "HOURS[:MINUTES]",
                            description = "With --exists: and is valid that long yet.")
                    @Nullable
                    String valid,
            @Option(names = "--bits", description = "With --exists: and has a key of that strength.") @Nullable
                    Integer bits)
            throws CredentialException {
        Duration least = valid == null ? Duration.ZERO : hoursAndMinutes(valid);
        Path path = file != null ? file : places.proxy();
        if (isTest && !Files.exists(path)) {
            return NOT_VALID;
        }
        ProxyDescription proxy = ProxyDescription.of(path, Credential.chain(path));
        Instant now = clock.instant();
        Duration left = proxy.left(now);
        if (isTest) {
            boolean isGood = !left.isZero() && left.compareTo(least) >= 0 && (bits == null || proxy.bits() >= bits);
            return isGood ? 0 : NOT_VALID;
        }
        if (fields == null) {
            ProxyReport.all(proxy, now).forEach(this::say);
        } else {
            fields.forEach(field -> ProxyReport.one(proxy, field, now).forEach(this::say));
        }
        return left.isZero() ? NOT_VALID : 0;
    }

    private static Duration hoursAndMinutes(String text) {
        if (!text.matches("[0-9]{1,5}(:[0-9]{1,2})?")) {
            throw new IllegalArgumentException("--valid " + text + " is not HOURS or HOURS:MINUTES.");
        }
        String[] parts = text.split(":", 2);
        return Duration.ofHours(Integer.parseInt(parts[0]))
                .plusMinutes(parts.length == 1 ? 0 : Integer.parseInt(parts[1]));
    }

    @Command(name = "destroy", mixinStandardHelpOptions = true, description = "Overwrite your proxy and remove it.")
    int destroy(
            @Parameters(
                            arity = "0..*",
                            paramLabel = "FILE",
                            description = "Default: X509_USER_PROXY, else /tmp/x509up_u and your number.")
                    @Nullable
                    List<Path> files)
            throws CredentialException {
        for (Path file : files == null || files.isEmpty() ? List.of(places.proxy()) : files) {
            ProxyPlaces.destroy(file);
            say("Removed: " + file);
        }
        return 0;
    }

    @Command(
            name = "get",
            mixinStandardHelpOptions = true,
            description = "Get a proxy from a MyProxy server by user name and pass phrase.")
    int get(@Mixin Wanted wanted, @Mixin Left left) throws GeneralSecurityException, IOException, CredentialException {
        MyProxyServer from = left.at(places);
        MyProxyServer.Wish wish = left.wish(places, wanted.lifetime());
        char[] passphrase = Passphrases.from(
                        wanted.isFromStdin, "MyProxy pass phrase of " + wish.user() + " at " + from.host(), in)
                .get();
        Issued proxy = fetch(from, wish, new Entitlement.Secret(passphrase), wanted);
        return save(proxy, wanted.out != null ? wanted.out : places.proxy(), wish.lifetime());
    }

    @Command(
            name = "renew",
            mixinStandardHelpOptions = true,
            description =
                    "Get a newer proxy from a MyProxy server in the place of one that has not expired, without a pass phrase.")
    int renew(
            @Mixin Wanted wanted,
            @Mixin Left left,
            @Option(
                            names = "--file",
                            paramLabel = "FILE",
                            description =
                                    "What is renewed, and replaced unless --out says otherwise. Default: X509_USER_PROXY, else /tmp/x509up_u and your number.")
                    @Nullable
                    Path file,
            @Option(
                            names = "--cert",
                            paramLabel = "FILE",
                            description =
                                    "The certificate of the renewer, as the server's rules name it. Default: X509_USER_CERT, else ~/.globus/usercert.pem.")
                    @Nullable
                    Path certificate,
            @Option(
                            names = "--privkey",
                            paramLabel = "FILE",
                            description =
                                    "The renewer's key. Default: X509_USER_KEY, else ~/.globus/userkey.pem; with --cert: in the same file, else userkey.pem beside it.")
                    @Nullable
                    Path key)
            throws GeneralSecurityException, IOException, CredentialException {
        MyProxyServer from = left.at(places);
        MyProxyServer.Wish wish = left.wish(places, wanted.lifetime());
        Path path = file != null ? file : places.proxy();
        Path target = wanted.out != null ? wanted.out : path;
        Credential present = Credential.read(path, path, Passphrases.none());
        Entitlement.Renewal renewal = new Entitlement.Renewal(own(certificate, key, wanted), present);
        Issued proxy = fetch(from, wish, renewal, wanted);
        renewal.require(proxy.chain(), target);
        return save(proxy, target, wish.lifetime());
    }

    private Issued fetch(MyProxyServer from, MyProxyServer.Wish wish, Entitlement by, Wanted wanted)
            throws GeneralSecurityException, CredentialException {
        try {
            return from.get(wish, by, wanted.kind.generate(wanted.strength()), places.trusted());
        } catch (IOException e) {
            throw new CredentialException(String.valueOf(e.getMessage()), e);
        }
    }

    /** A certificate with its key, by default one's own. */
    private Credential own(@Nullable Path certificate, @Nullable Path key, Wanted wanted)
            throws IOException, CredentialException {
        Path from = certificate != null ? certificate : places.certificate();
        Path secret = key != null ? key : certificate != null ? keyOf(certificate) : places.key();
        return Credential.read(from, secret, Passphrases.from(wanted.isFromStdin, "Pass phrase of " + secret, in));
    }

    private void say(String line) {
        if (spec != null) {
            spec.commandLine().getOut().println(line);
        }
    }
}
