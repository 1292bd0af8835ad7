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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.config.LrmConfig;
import org.jobgate.container.tls.HostCredential;

/**
 * Looks at everything that an installation needs, and says for each thing that is not right how to mend it. It changes nothing, and may
 * run beside the service, as the same account.
 */
public final class Doctor {

    private static final Set<PosixFilePermission> NOT_OURS =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
    private static final Map<String, List<String>> COMMANDS = Map.of(
            "condor", List.of("condor_submit", "condor_q", "condor_rm", "condor_history"),
            "slurm", List.of("sbatch", "squeue", "scancel", "sacct", "scontrol"),
            "sge", List.of("qsub", "qstat", "qdel", "qacct"),
            "pbs", List.of("qsub", "qstat", "qdel"));

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
        config.lrms().forEach(lrm -> commands(findings, lrm));
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
        return accounts().sudoers(serviceAccount);
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
            return Finding.bad(area, directory + " cannot be looked at: " + e, "make it readable for " + own);
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
            return Finding.bad(area, file + " cannot be looked at: " + e, "make it readable for the gateway's account");
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

    private static void commands(List<Finding> findings, LrmConfig lrm) {
        String area = "LRM " + lrm.name();
        Optional<String> directory = Optional.ofNullable(lrm.optionsByName().get(lrm.adapter() + "_bin"));
        List<String> wanted = COMMANDS.getOrDefault(lrm.adapter(), List.of());
        List<String> missing = wanted.stream()
                .filter(name -> Programs.find(name, directory).isEmpty())
                .toList();
        if (!missing.isEmpty()) {
            findings.add(Finding.bad(
                    area,
                    String.join(", ", missing) + " not found "
                            + directory.map(place -> "in " + place).orElse("on the PATH"),
                    "install the batch system's commands, or say options: [" + lrm.adapter() + "_bin=DIRECTORY]"));
        } else if (wanted.isEmpty()) {
            findings.add(Finding.good(area, "the adapter " + lrm.adapter() + " needs no commands of a batch system"));
        } else {
            findings.add(Finding.good(area, "all commands are there: " + String.join(", ", wanted)));
        }
    }

    private static String head(String text) {
        return text.lines().findFirst().orElse("it says nothing");
    }
}
