// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.doctor;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.tls.HostCredential;
import org.jobgate.job.Reason;

/**
 * Looks at everything that an installation needs, and says for each thing that is not right how to mend it. It changes nothing, and may
 * run beside the service, as the same account.
 */
public final class Doctor {

    private static final Set<PosixFilePermission> NOT_OURS =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private static final Path VISUDO = Path.of("/usr/sbin/visudo");

    private final JobgateConfig config;
    private final Path home;
    private final Clock clock;
    private final Supplier<List<Finding>> policies;
    private final String own = System.getProperty("user.name", "");

    /**
     * Looks at nothing yet.
     *
     * @param home where Jobgate is installed: the Perl adapters are below it
     * @param policies what is wrong with the content of files that decide, and of files of keys; whoever makes the service knows how they
     *     are read
     */
    public Doctor(JobgateConfig config, Path home, Clock clock, Supplier<List<Finding>> policies) {
        this.policies = requireNonNull(policies, "policies is null");
        this.config = requireNonNull(config, "config is null");
        this.home = requireNonNull(home, "home is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** All that was looked at. */
    public List<Finding> look() {
        List<Finding> findings = new ArrayList<>();
        findings.add(hostCredential());
        findings.addAll(new TrustFindings(config.server(), config.credentials(), clock).all());
        findings.add(stateDirectory());
        policyFiles(findings);
        perl(findings);
        findings.addAll(accounts().all());
        findings.addAll(new PasswordFindings(config, accounts()).all());
        findings.addAll(new LrmFindings(config.lrms(), home).all());
        findings.add(new ClockFindings(clock).look());
        return findings;
    }

    /**
     * The rules for sudo that this configuration needs.
     *
     * @param serviceAccount the account of the gateway
     * @throws IOException if a file that maps people to accounts cannot be read
     */
    public String sudoers(String serviceAccount) throws IOException {
        return accounts().sudoers(serviceAccount).text(MappedAccounts.of(config));
    }

    /**
     * Installs these rules for sudo, in a file that is named by the gateway. Must run as root.
     *
     * @param serviceAccount the account of the gateway
     * @param directory where sudo reads files of rules
     * @return what was done, in sentences
     * @throws IOException if a file that maps people to accounts cannot be read
     * @throws ConfigurationException if the rules cannot be installed, or are not good; then all is as it was
     */
    public List<String> installSudoers(String serviceAccount, Path directory) throws IOException {
        Path visudo = Stream.of(Programs.find("visudo").orElse(VISUDO), VISUDO)
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new ConfigurationException(
                        List.of("there is no visudo, without which no rules are installed; install sudo, or put "
                                + VISUDO.getParent() + " on the PATH")));
        Sudoers rules = accounts().sudoers(serviceAccount);
        Path file = new SudoersDirectory(directory, visudo)
                .install(rules.fileName(), rules.text(MappedAccounts.of(config)));
        List<String> done = new ArrayList<>();
        done.add("The rules for sudo are in " + file + "; visudo accepts them. See what they allow: sudo -l -U "
                + serviceAccount);
        Path earlier = directory.resolve("jobgate");
        if (Files.exists(earlier)) {
            done.add(earlier
                    + " is there too. If it holds rules of this gateway, made by an earlier version, remove it: "
                    + "what it allows is allowed beside these.");
        }
        return done;
    }

    private AccountFindings accounts() {
        return new AccountFindings(config, worker(), own);
    }

    private Path worker() {
        return home.resolve("perl/jobgate-worker").toAbsolutePath().normalize();
    }

    private Finding hostCredential() {
        String area = "host certificate";
        try {
            HostCredential host = HostCredential.load(
                    config.server().hostCertificate(),
                    config.server().hostKey(),
                    config.credentials().minRsaBits());
            return host.warning(clock)
                    .map(warning -> Finding.warning(area, warning.replaceFirst("[.]$", ""), "renew it"))
                    .orElseGet(() -> Finding.good(
                            area,
                            config.server().hostCertificate()
                                    + " and its key fit, and the key is this account's alone"));
        } catch (ConfigurationException e) {
            return Finding.bad(
                    area,
                    String.join("; ", e.problems()),
                    "chown " + own + " and chmod 600 the key, or name other files");
        }
    }

    private Finding stateDirectory() {
        String area = "state directory";
        Path directory = config.state().directory();
        try {
            if (!Files.isDirectory(directory)) {
                return Finding.bad(
                        area, directory + " is not there", "as root: install -d -m 700 -o " + own + " " + directory);
            }
            String owner = Files.getOwner(directory).getName();
            String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(directory));
            if (!owner.equals(own) || !mode.equals("rwx------")) {
                return Finding.bad(
                        area,
                        directory + " is " + owner + "'s and " + mode + "; it must be " + own + "'s and rwx------",
                        "chown " + own + " " + directory + "; chmod 700 " + directory
                                + " (or run this as the gateway's account)");
            }
            return Finding.good(area, directory + " is this account's alone");
        } catch (IOException e) {
            return Finding.bad(
                    area, directory + " cannot be looked at: " + Reason.of(e), "make it readable for " + own);
        }
    }

    private void policyFiles(List<Finding> findings) {
        List<Path> files = config.decisionPoints().stream()
                .map(point -> Optional.ofNullable(point.file())
                        .orElse(config.authorization().gridMapfile()))
                .distinct()
                .toList();
        for (Path file : files) {
            findings.add(notWritableByOthers("authorization", file));
        }
        findings.addAll(policies.get());
    }

    private static Finding notWritableByOthers(String area, Path file) {
        try {
            if (!Files.isReadable(file)) {
                return Finding.bad(area, file + " cannot be read", "make it readable for the gateway's account");
            }
            return Files.getPosixFilePermissions(file).stream().anyMatch(NOT_OURS::contains)
                    ? Finding.bad(area, file + " can be written by others", "chmod go-w " + file)
                    : Finding.good(area, file + " can be read, and not written by others");
        } catch (IOException e) {
            return Finding.bad(
                    area, file + " cannot be looked at: " + Reason.of(e), "make it readable for the gateway's account");
        }
    }

    private void perl(List<Finding> findings) {
        Path perl = config.lrms().getFirst().perl();
        Programs.Result checked = Programs.run(List.of(perl.toString(), "-c", worker().toString()));
        findings.add(
                checked.isWell()
                        ? Finding.good("perl", perl + " runs " + worker())
                        : Finding.bad(
                                "perl",
                                perl + " does not run " + worker() + ": " + head(checked.output()),
                                "install perl"));
        findings.add(notWritableByOthers("perl", worker()));
    }

    private static String head(String text) {
        return text.lines().findFirst().orElse("it says nothing");
    }
}
