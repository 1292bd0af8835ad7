// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.config.JobgateConfig;
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
        Path perl = Path.of(System.getProperty("jobgate.root"), "lrm-adapters/src/main/perl");
        Files.createSymbolicLink(folder.resolve("perl/lib"), perl.resolve("lib"));
        Files.createSymbolicLink(folder.resolve("perl/jobgate-probe"), perl.resolve("jobgate-probe"));
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

    private JobgateConfig config(String lrms) throws IOException {
        doctor(lrms, Clock.systemUTC());
        return ConfigurationFile.read(folder.resolve("gate.yaml"), Map.of());
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
    void whatPasswordsOfAccountsNeedIsLookedAt() throws IOException {
        Path list = folder.resolve("passwords");
        Files.writeString(list, "a\t$pam$no-such-account\t/O=Grid/CN=A\nd\t$pam$daemon\t/O=Grid/CN=D\n");
        String settings = "adapter: fork } ]\nmessageSecurity: { mode: accept, passwordFile: passwords%s }\n#";
        assertThat(bad(look(settings.formatted(""))))
                .anySatisfy(line -> assertThat(line).contains("passwords", "chmod 600"));
        mode("passwords", "rw-------");
        assertThat(bad(look(settings.formatted(""))))
                .anySatisfy(line -> assertThat(line).contains("no service of PAM is given", "pamService"));
        assertThat(bad(look(settings.formatted(", pamService: no-such-service"))))
                .anySatisfy(line -> assertThat(line).contains("no PAM service no-such-service", "/etc/pam.d/"))
                .anySatisfy(line -> assertThat(line).contains("no local account no-such-account"))
                .anySatisfy(line -> assertThat(line).contains("password of daemon", "nothing may be done"));
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
                .containsPattern("Runas_Alias JOBGATE_ACCOUNTS_[0-9A-F]{8} = ")
                .contains("alice, carol, shared")
                .containsPattern("gate ALL=\\(JOBGATE_ACCOUNTS_([0-9A-F]{8})\\) NOPASSWD: JOBGATE_WORKER_\\1\n")
                .contains("/usr/bin/perl")
                .doesNotContain("daemon");
    }

    @Test
    void theWordsThatSudoersTakesForMoreThanAnAccountAreNoAccounts() throws IOException {
        Files.writeString(folder.resolve("map"), "/CN=e ALL,JOBGATE_WORKER\n/CN=f fine\n");
        String rules = doctor("adapter: fork", Clock.systemUTC()).sudoers("gate");

        assertThat(rules)
                .containsPattern("Runas_Alias JOBGATE_ACCOUNTS_[0-9A-F]{8} = fine\n")
                .doesNotContain("= ALL", "ALL,");
        for (String account : List.of("ALL", "JOBGATE", "a b", "x\ny ALL=(ALL) NOPASSWD: ALL", "")) {
            assertThatThrownBy(() -> doctor("adapter: fork", Clock.systemUTC()).sudoers(account))
                    .as(account)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("cannot be the name");
        }
    }

    @Test
    void noTwoGatewaysOfOneMachineHaveTheSameNamesInTheirRules() throws IOException {
        Sudoers one = sudoers("/var/lib/one", true);
        Sudoers two = sudoers("/var/lib/two", true);
        assertThat(one.fileName()).matches("jobgate-[0-9a-f]{8}").isNotEqualTo(two.fileName());
        NavigableSet<String> accounts = new TreeSet<>(List.of("alice", "gate"));
        assertThat(aliases(one.text(accounts))).hasSize(2).doesNotContainAnyElementsOf(aliases(two.text(accounts)));
        assertThat(sudoers("/var/lib/../lib/one", true).mark()).isEqualTo(one.mark());

        Path visudo = Path.of("/usr/sbin/visudo");
        assumeTrue(Files.isExecutable(visudo), "SKIPPED: there is no visudo");
        Path both = Files.writeString(folder.resolve("both"), one.text(accounts) + two.text(accounts));
        Programs.Result checked = Programs.run(List.of(visudo.toString(), "-c", "-f", both.toString()));
        assertThat(checked.isWell()).as(checked.output()).isTrue();
    }

    private static Sudoers sudoers(String state, boolean hasExpressions) {
        return new Sudoers(
                "gate",
                Path.of("/usr/bin/perl"),
                Path.of("/opt/job.gate/perl/jobgate-worker"),
                Path.of(state),
                hasExpressions);
    }

    private static List<String> aliases(String rules) {
        return rules.lines()
                .filter(line -> line.matches("\\w+_Alias .*"))
                .map(line -> line.split(" ", 3)[1])
                .toList();
    }

    /** A visudo that finds the word BAD in the file that it is to check, or in any file of the directory. */
    private SudoersDirectory directory() throws IOException {
        Path directory = Files.createDirectories(folder.resolve("sudoers.d"));
        Path visudo = folder.resolve("visudo");
        Files.writeString(visudo, """
                #!/bin/sh
                if [ "$2" = -f ]; then grep -q BAD "$3" && echo "$3: syntax error" && exit 1; exit 0; fi
                grep -l CLASH '%s'/jobgate* > /dev/null && echo "Alias already defined" && exit 1
                exit 0
                """.formatted(directory));
        Files.setPosixFilePermissions(visudo, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new SudoersDirectory(directory, visudo);
    }

    @Test
    void rulesAreInstalledOnlyIfVisudoAcceptsThemAndAllOthersWithThem() throws IOException {
        SudoersDirectory directory = directory();
        Path file = directory.install("jobgate-1", "good\n");
        assertThat(file).hasContent("good\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("r--r-----");

        for (String bad : List.of("BAD\n", "CLASH\n")) {
            assertThatThrownBy(() -> directory.install("jobgate-1", bad)).hasMessageContaining("all is as it was");
            assertThat(file).hasContent("good\n");
            assertThatThrownBy(() -> directory.install("jobgate-2", bad)).hasMessageContaining("all is as it was");
        }
        directory.install("jobgate-1", "better\n");
        assertThat(file).hasContent("better\n");
        try (var files = Files.list(directory.directory())) {
            assertThat(files).containsExactly(file);
        }
        SudoersDirectory nowhere = new SudoersDirectory(folder.resolve("nowhere"), directory.visudo());
        assertThatThrownBy(() -> nowhere.install("jobgate-1", "good\n"))
                .hasMessageContaining("does not exist")
                .hasMessageContaining("--install DIRECTORY")
                .hasMessageNotContaining("Exception");
    }

    @Test
    void anAdapterThatIsNotThereIsBadAndTheNearestIsNamed() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/perl")), "SKIPPED: there is no perl");
        assertThat(bad(look("adapter: slrum")))
                .singleElement()
                .asString()
                .contains("LRM Here", "there is no such adapter", "did you mean slurm?")
                .contains("condor, fork, gateway, pbs, sge, slurm");
        Adapters adapters = new Adapters(folder);
        JobgateConfig wrong = config("adapter: condro");
        assertThatThrownBy(() -> adapters.refuseUnknown(wrong.lrms()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("lrms[0].adapter = condro: there is no such adapter; did you mean condor?");
        for (String none : List.of("batch", "legacy", "../Slurm", "Slurm", "nothinglikeit")) {
            JobgateConfig named = config("adapter: \"" + none + "\"");
            assertThatThrownBy(() -> adapters.refuseUnknown(named.lrms()))
                    .as(none)
                    .hasMessageContaining("no such adapter");
        }
        for (String good : List.of("fork", "slurm", "condor", "sge", "pbs", "gateway")) {
            adapters.refuseUnknown(config("adapter: " + good).lrms());
        }
    }

    @Test
    void aModuleOfTheSiteIsLookedForWhereItsOptionSays() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/perl")), "SKIPPED: there is no perl");
        Adapters adapters = new Adapters(folder);
        String lrm = "adapter: toy, legacy: true, options: [\"modules=" + folder.resolve("site") + "\"]";
        assertThatThrownBy(() -> adapters.refuseUnknown(config(lrm).lrms()))
                .hasMessageContaining("there is no module Globus/GRAM/JobManager/toy.pm");
        Path module = folder.resolve("site/Globus/GRAM/JobManager/toy.pm");
        Files.createDirectories(module.getParent());
        Files.writeString(module, "1;\n");
        adapters.refuseUnknown(config(lrm).lrms());
        assertThat(bad(look(lrm))).isEmpty();
    }

    /** Commands that exist and fail are reported with their output. */
    @Test
    void aBatchSystemThatDoesNotAnswerIsBad() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/perl")), "SKIPPED: there is no perl");
        Path bin = Files.createDirectories(folder.resolve("bin"));
        for (String name : List.of("sbatch", "squeue", "scancel", "sacct", "scontrol")) {
            Path program = Files.writeString(
                    bin.resolve(name),
                    name.equals("squeue") || name.equals("scontrol")
                            ? "#!/bin/sh\n[ -f '" + folder
                                    + "/up' ] || { echo 'Unable to contact slurm controller' >&2; exit 1; }\n"
                            : "#!/bin/sh\nexit 0\n");
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        String lrm = "adapter: slurm, options: [slurm_bin=" + bin + "]";
        assertThat(bad(look(lrm)))
                .singleElement()
                .asString()
                .contains("LRM Here", "squeue: Unable to contact slurm controller", "->");
        Files.createFile(folder.resolve("up"));
        assertThat(look(lrm))
                .anySatisfy(finding -> assertThat(finding.line()).contains("ok", "squeue answers"))
                .filteredOn(finding -> finding.area().equals("LRM Here"))
                .isNotEmpty();
    }

    @Test
    void anotherGatewayThatCannotBeReachedIsBad() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
            assertThat(bad(look(gateway(free)))).isEmpty();
        }
        assertThat(bad(look(gateway(free))))
                .singleElement()
                .asString()
                .contains("cannot be connected to", "Connection refused")
                .doesNotContain("Exception");
    }

    private static String gateway(int port) {
        return "adapter: gateway, options: [\"url=https://127.0.0.1:" + port
                + "/wsrf/services/ManagedJobFactoryService\"]";
    }

    @Test
    void regularExpressionsAreUsedWhereSudoKnowsThem() {
        assertThat(Sudoers.hasExpressions("Sudo version 1.9.13p3\nmore")).isTrue();
        assertThat(Sudoers.hasExpressions("Sudo version 1.9.9")).isFalse();
        assertThat(Sudoers.hasExpressions("Sudo version 1.10.0")).isTrue();
        assertThat(Sudoers.hasExpressions("no idea")).isFalse();
        assertThat(sudoers("/var/lib/one", true).text(new TreeSet<>(List.of("alice", "gate"))))
                .containsPattern(
                        "JOBGATE_WORKER_[0-9A-F]{8} = /usr/bin/perl \\^/opt/job\\\\\\.gate/perl/jobgate-worker \\[0-9a-f\\]\\{32\\}\\$\n")
                .containsPattern("JOBGATE_ACCOUNTS_[0-9A-F]{8} = alice\n");
        assertThat(sudoers("/var/lib/one", false).text(new TreeSet<>(List.of("gate"))))
                .contains("nothing is allowed")
                .doesNotContain("NOPASSWD");
    }
}
