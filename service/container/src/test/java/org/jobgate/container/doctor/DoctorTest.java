// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.tls.TestPki;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {

    private static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    private static final TestPki.Credential HOST = PKI.issue("CN=localhost,O=Grid");
    private static final String OWN = System.getProperty("user.name");

    @TempDir
    Path folder;

    @BeforeEach
    void install() throws IOException {
        TestPki.write(folder.resolve("cert.pem"), (Object[]) HOST.chain());
        TestPki.write(folder.resolve("key.pem"), HOST.key());
        mode("key.pem", "rw-------");
        PKI.trustIn(folder.resolve("trust"));
        Files.createDirectories(folder.resolve("state"));
        mode("state", "rwx------");
        Files.createDirectories(folder.resolve("perl"));
        Files.writeString(folder.resolve("perl/jobgate-worker"), "use strict;\n");
        mode("perl/jobgate-worker", "rw-r--r--");
        Files.writeString(folder.resolve("map"), "\"/O=Grid/CN=Alice\" " + OWN + "\n");
        mode("map", "rw-r--r--");
    }

    private void mode(String file, String permissions) throws IOException {
        Files.setPosixFilePermissions(folder.resolve(file), PosixFilePermissions.fromString(permissions));
    }

    private List<Finding> look(String lrms) throws IOException {
        return look(lrms, Clock.systemUTC());
    }

    private List<Finding> look(String lrms, Clock clock) throws IOException {
        return doctor(lrms, clock).look();
    }

    private Doctor doctor(String lrms, Clock clock) throws IOException {
        Path file = folder.resolve("gate.yaml");
        Files.writeString(file, """
                server: { hostCertificate: cert.pem, hostKey: key.pem, trustDirectory: trust }
                state: { directory: state }
                authorization: { gridMapfile: map, deniedAccounts: [daemon] }
                lrms: [ { name: Here, %s } ]
                """.formatted(lrms));
        return new Doctor(ConfigurationFile.read(file, Map.of()), folder, clock, List::of);
    }

    private static List<String> bad(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.grade() == Finding.Grade.BAD)
                .map(Finding::line)
                .toList();
    }

    @Test
    void aGoodInstallationHasNothingBad() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/perl")), "SKIPPED: there is no perl");
        assertThat(bad(look("adapter: fork"))).isEmpty();
    }

    @Test
    void everyFindingThatIsNotGoodSaysHowToMendIt() throws IOException {
        mode("key.pem", "rw-r--r--");
        mode("state", "rwxr-xr-x");
        mode("map", "rw-rw-rw-");
        Files.writeString(folder.resolve("map"), "\"/O=Grid/CN=Eve\" no-such-account\n");
        Files.writeString(folder.resolve("perl/jobgate-worker"), "this is not perl (((\n");
        Path list = folder.resolve("trust").resolve(hash() + ".r0");
        Files.writeString(list, "nonsense");

        List<Finding> findings = look("adapter: slurm, sudo: /no/such/sudo, options: [slurm_bin=/no/such/place]");

        assertThat(bad(findings))
                .anySatisfy(line -> assertThat(line).contains("host certificate", "chmod 600"))
                .anySatisfy(line -> assertThat(line).contains("state directory", "chmod 700"))
                .anySatisfy(line -> assertThat(line).contains("map can be written by others", "chmod go-w"))
                .anySatisfy(line -> assertThat(line).contains("perl", "does not run"))
                .anySatisfy(line -> assertThat(line).contains("is no revocation list"))
                .anySatisfy(line -> assertThat(line).contains("/no/such/sudo does not run"))
                .anySatisfy(line -> assertThat(line).contains("LRM Here", "sbatch", "slurm_bin=DIRECTORY"));
        assertThat(findings)
                .filteredOn(finding -> finding.grade() != Finding.Grade.GOOD)
                .allSatisfy(finding -> assertThat(finding.remedy()).isNotEmpty());
    }

    /** A file that the service leaves out, or keeps as it was, is named here too. */
    @Test
    void badFilesOfTrustAreNamed() throws IOException {
        Path vo = Files.createDirectories(folder.resolve("vomsdir/atlas"));
        Files.writeString(vo.resolve("voms.example.org.lsc"), "# nothing\n");
        Files.writeString(folder.resolve("trust").resolve(hash() + ".namespaces"), "TO Issuer");
        Path file = folder.resolve("gate.yaml");
        Files.writeString(file, """
                server: { hostCertificate: cert.pem, hostKey: key.pem, trustDirectory: trust }
                credentials: { vomsDirectory: vomsdir }
                state: { directory: state }
                authorization: { gridMapfile: map }
                lrms: [ { name: Here, adapter: fork } ]
                """);
        Doctor doctor = new Doctor(
                ConfigurationFile.read(file, Map.of()),
                folder,
                Clock.systemUTC(),
                () -> List.of(Finding.bad("authorization", "a file that decides is broken", "mend it")));
        assertThat(bad(doctor.look()))
                .anySatisfy(line -> assertThat(line).contains("voms.example.org.lsc", "left out"))
                .anySatisfy(line -> assertThat(line).contains(".namespaces"))
                .anySatisfy(line -> assertThat(line).contains("may sign cannot be used"))
                .anySatisfy(line -> assertThat(line).contains("a file that decides is broken"));
    }

    @Test
    void aClockThatIsBehindTheSystemIsBad() throws IOException {
        List<Finding> findings = look(
                "adapter: fork",
                Clock.offset(Clock.systemUTC(), Duration.ofDays(10_000).negated()));
        assertThat(bad(findings)).anySatisfy(line -> assertThat(line).contains("clock", "set it right"));
    }

    private String hash() throws IOException {
        try (var files = Files.list(folder.resolve("trust"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".0"))
                    .map(name -> name.substring(0, 8))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void theRulesNameOneCommandAndTheAccountsOfTheMap() throws IOException {
        Files.writeString(
                folder.resolve("map"),
                "# people\n\"/O=Grid/CN=A B\" alice,shared # both\n/CN=c carol\n/CN=d daemon\n/CN=e ALL\n");
        String rules =
                doctor("adapter: fork, perl: /usr/bin/perl", Clock.systemUTC()).sudoers("gate");

        assertThat(rules)
                .contains("Runas_Alias JOBGATE_ACCOUNTS = ")
                .contains("alice, carol, shared")
                .contains("gate ALL=(JOBGATE_ACCOUNTS) NOPASSWD: JOBGATE_WORKER\n")
                .contains("/usr/bin/perl")
                .doesNotContain("daemon");
    }

    @Test
    void theWordsThatSudoersTakesForMoreThanAnAccountAreNoAccounts() throws IOException {
        Files.writeString(folder.resolve("map"), "/CN=e ALL,JOBGATE_WORKER\n/CN=f fine\n");
        String rules = doctor("adapter: fork", Clock.systemUTC()).sudoers("gate");

        assertThat(rules).contains("Runas_Alias JOBGATE_ACCOUNTS = fine\n").doesNotContain("= ALL", "ALL,");
    }

    @Test
    void regularExpressionsAreUsedWhereSudoKnowsThem() {
        assertThat(Sudoers.hasExpressions("Sudo version 1.9.13p3\nmore")).isTrue();
        assertThat(Sudoers.hasExpressions("Sudo version 1.9.9")).isFalse();
        assertThat(Sudoers.hasExpressions("Sudo version 1.10.0")).isTrue();
        assertThat(Sudoers.hasExpressions("no idea")).isFalse();
        Path worker = Path.of("/opt/job.gate/perl/jobgate-worker");
        assertThat(new Sudoers("gate", Path.of("/usr/bin/perl"), worker, true)
                        .text(new TreeSet<>(List.of("alice", "gate"))))
                .contains("JOBGATE_WORKER = /usr/bin/perl ^/opt/job\\.gate/perl/jobgate-worker [0-9a-f]{32}$\n")
                .contains("JOBGATE_ACCOUNTS = alice\n");
        assertThat(new Sudoers("gate", Path.of("/usr/bin/perl"), worker, false).text(new TreeSet<>(List.of("gate"))))
                .contains("nothing is allowed")
                .doesNotContain("NOPASSWD");
    }
}
