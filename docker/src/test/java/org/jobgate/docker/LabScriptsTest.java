// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the scripts of the lab do before there is a lab, and how they refuse what is in the way of one. */
class LabScriptsTest {

    private static final Map<String, String> NOTHING = Map.of();

    @TempDir
    private Path room;

    private Script.Result lab(Map<String, String> more, String command) throws IOException, InterruptedException {
        return Script.run(more, "JOBGATE_LAB", room.resolve("lab"), command);
    }

    private static void needRoot() {
        assumeTrue(System.getProperty("user.name").equals("root"), "SKIPPED: labs are for root only");
    }

    @Test
    void packagesAreInstalledWhereTheLabHasNoDirectoryYet() throws IOException, InterruptedException {
        needRoot();
        Script.Result said = lab(NOTHING, ". docker/lab/common.sh; need_packages bash; echo \"there: $LAB\"");

        assertThat(said.output()).isEqualTo("there: " + room.resolve("lab") + "\n");
    }

    @Test
    void aPortOfAnotherLabIsRefusedAtOnceWithItsHolder() throws IOException, InterruptedException {
        needRoot();
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(other.getLocalPort());
            Script.Result said = lab(Map.of("JOBGATE_LAB_HTCONDOR_PORT", port), "docker/lab/htcondor up");

            assertThat(said.status()).isEqualTo(1);
            assertThat(said.output())
                    .isEqualTo(
                            "[htcondor] port %s is in use by java (pid %d); set JOBGATE_LAB_HTCONDOR_PORT to a free one\n"
                                    .formatted(port, ProcessHandle.current().pid()));
            assertThat(room.resolve("lab/htcondor/root")).doesNotExist();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "slurm, JOBGATE_LAB_SLURM_PORT, 1",
        "slurm, JOBGATE_LAB_SLURM_PORT, 2",
        "sge, JOBGATE_LAB_SGE_PORT, 1",
        "gridftp, JOBGATE_LAB_GRIDFTP_PORT, 2",
    })
    void soIsEachFurtherPortOfASystem(String system, String variable, int further)
            throws IOException, InterruptedException {
        needRoot();
        InetAddress address = system.equals("slurm")
                ? InetAddress.getByName(lab(NOTHING, "hostname -s").output().strip())
                : InetAddress.getLoopbackAddress();
        try (ServerSocket other = new ServerSocket(0, 1, address)) {
            String first = String.valueOf(other.getLocalPort() - further);
            Script.Result said = lab(Map.of(variable, first), "docker/lab/" + system + " up");

            assertThat(said.status()).isEqualTo(1);
            assertThat(said.output())
                    .contains("port " + other.getLocalPort() + " is in use by java")
                    .contains("set " + variable + " to a free one")
                    .hasLineCount(1);
        }
    }

    @Test
    void theLabOfADaemonIsToldByItsEnvironment() throws IOException, InterruptedException {
        Script.Result said = lab(NOTHING, """
                . docker/lab/common.sh
                SLURM_CONF=/srv/first/slurm/etc/slurm.conf sleep 60 &
                wait_until 10 grep -q sleep /proc/$!/cmdline
                lab_of_process $!
                kill $!
                """);

        assertThat(said.output()).isEqualTo("/srv/first\n");
    }

    @Test
    void aLabThatRunsIsNotMovedToOtherPorts() throws IOException, InterruptedException {
        needRoot();
        Path run = Files.createDirectories(room.resolve("lab/sge/run"));
        Files.writeString(run.resolve("port"), "6444\n");
        Script.Result said = lab(Map.of("JOBGATE_LAB_SGE_PORT", "7000"), """
                (NAME=sge; . docker/lab/common.sh; remember_daemon qmaster $$)
                docker/lab/sge up
                """);

        assertThat(said.status()).isEqualTo(1);
        assertThat(said.output())
                .startsWith("[sge] the lab in %s runs with port 6444, and port 7000 is asked for; for a second lab set"
                        .formatted(room.resolve("lab")))
                .hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "labs | JOBGATE_LAB is 'labs'; it must be the full path of a directory",
                "/var/lib/a lab | JOBGATE_LAB is '/var/lib/a lab'; it must be the full path of a directory",
                "ROOM/first/second | ROOM/first/second, which lies inside the lab in ROOM/first; choose a directory beside it",
                "ROOM/things | ROOM/things, which holds precious and is no lab; choose an empty or new directory",
                "ROOM/things/precious | ROOM/things/precious, which is no directory",
                "ROOM/theirs | ROOM/theirs, which belongs to nobody and not to root",
            })
    void aDirectoryThatIsNoneForALabIsRefused(String lab, String sentence) throws IOException, InterruptedException {
        needRoot();
        Files.createFile(Files.createDirectories(room.resolve("first")).resolve("accounts.lock"));
        Files.createFile(Files.createDirectories(room.resolve("things")).resolve("precious"));
        Path theirs = Files.createDirectories(room.resolve("theirs"));
        Files.setOwner(
                theirs, theirs.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        Script.Result said = Script.run(
                NOTHING, "JOBGATE_LAB", Path.of(lab.replace("ROOM", room.toString())), "docker/lab/accounts up");

        assertThat(said.status()).isEqualTo(1);
        assertThat(said.output())
                .contains(sentence.replace("ROOM", room.toString()))
                .hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0:0::/root | the account jobgate-a is root by another name (uid 0)",
                "1009:1009::/ | the account jobgate-a exists and has no home of its own ('/')",
                "1009:1009::/nonexistent | the account jobgate-a exists and has no home of its own ('/nonexistent')",
                "1009:1009::/usr | the account jobgate-a exists, and its home /usr belongs to root",
            })
    void anAccountThatIsNoneForJobsIsRefused(String entry, String sentence) throws IOException, InterruptedException {
        Script.Result said = lab(NOTHING, """
                . docker/lab/common.sh
                getent() { echo 'jobgate-a:x:%s:/bin/sh'; }
                check_account jobgate-a
                """.formatted(entry));

        assertThat(said.status()).isEqualTo(1);
        assertThat(said.output()).contains(sentence).hasLineCount(1);
    }

    @Test
    void anAccountOfAnotherLabIsUsedWithTheHomeThatItHas() throws IOException, InterruptedException {
        Path home = Files.createDirectories(room.resolve("other/home"));
        Script.Result said = lab(NOTHING, """
                . docker/lab/common.sh
                getent() { echo "$(id -un):x:1009:1009::%s:/bin/sh"; }
                check_account "$(id -un)" && account_home "$(id -un)"
                """.formatted(home));

        assertThat(said).isEqualTo(new Script.Result(0, home + "\n"));
    }
}
