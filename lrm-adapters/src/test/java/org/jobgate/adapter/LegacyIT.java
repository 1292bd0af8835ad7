// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.JobId;
import org.jobgate.job.JobType;
import org.jobgate.lrm.Lrm.SubmitRequest;
import org.jobgate.lrm.LrmEvent.Cause;
import org.jobgate.lrm.LrmEvent.Kind;
import org.jobgate.lrm.SubmitResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Debian's modules for GRAM, as they are, run real jobs in the labs' LRMs; {@code JOBGATE_GRAM_MODULES} is where they were unpacked. */
class LegacyIT {

    private static final Path LAB = Path.of(System.getenv().getOrDefault("JOBGATE_LAB", "/var/lib/jobgate-lab"));

    @TempDir
    Path temporary = Path.of("");

    /** The settings of a module, with what the site's file for it says. */
    private LrmSettings settings(String module, Path perl, String environment, String configuration)
            throws IOException {
        Path modules = Path.of(System.getenv().getOrDefault("JOBGATE_GRAM_MODULES", "/none"))
                .resolve(module + "/usr/share/perl5");
        assumeTrue(
                Files.isDirectory(modules),
                "SKIPPED: JOBGATE_GRAM_MODULES names no directory with Debian's modules; see scripts/gram-modules");
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createDirectories(temporary.resolve("globus"));
        Files.writeString(temporary.resolve("globus/globus-" + module + ".conf"), configuration);
        return LrmSettings.defaults("Legacy", "legacy", perl)
                .withOptions(Map.of(
                        "module",
                        module,
                        "modules",
                        modules.toString(),
                        "sysconfdir",
                        temporary.toString(),
                        "environment",
                        environment,
                        "poll_interval",
                        "1",
                        "record_grace",
                        "3"));
    }

    @Test
    void fork() throws Exception {
        keepsItsWord(System.getProperty("user.name"), settings("fork", LrmRoom.PERL, "", "log_path=/dev/null\n"));
    }

    @Test
    void slurm() throws Exception {
        SlurmLab.need();
        LrmSettings settings = settings(
                "slurm",
                SlurmLab.settings().perlDirectory(),
                "SLURM_CONF=" + SlurmLab.CONFIG,
                "sbatch=/usr/bin/sbatch\nscancel=/usr/bin/scancel\nscontrol=/usr/bin/scontrol\nsrun=/usr/bin/srun\n");
        keepsItsWord(SlurmLab.ACCOUNT, settings);
        SlurmLab.tidy();
    }

    @Test
    void condor() throws Exception {
        HtcondorLab.need();
        LrmSettings settings = settings(
                "condor",
                HtcondorLab.settings().perlDirectory(),
                "",
                "condor_submit=\"%1$s/condor_submit\"\ncondor_rm=\"%1$s/condor_rm\"\ncondor_config=\"%2$s\"\n"
                        .formatted(HtcondorLab.BIN, LAB.resolve("htcondor/etc/condor_config")));
        keepsItsWord(HtcondorLab.ACCOUNT, settings);
        HtcondorLab.tidy();
    }

    @Test
    void gridEngine() throws Exception {
        SgeLab.need();
        Map<String, String> lab = SgeLab.settings().options();
        LrmSettings settings = settings(
                "sge",
                SgeLab.settings().perlDirectory(),
                "SGE_QMASTER_PORT=%s SGE_EXECD_PORT=%s"
                        .formatted(lab.get("sge_qmaster_port"), lab.get("sge_execd_port")),
                "sge_root=%s\nsge_cell=default\nqsub=%2$s/qsub\nqstat=%2$s/qstat\nqdel=%2$s/qdel\nqconf=%2$s/qconf\n"
                        .formatted(lab.get("sge_root"), SgeLab.BIN));
        keepsItsWord(SgeLab.ACCOUNT, settings);
        SgeLab.tidy();
    }

    @Test
    void pbs() throws Exception {
        try (PbsStandin standin = new PbsStandin("torque")) {
            LrmSettings settings = settings(
                    "pbs",
                    standin.settings().perlDirectory(),
                    "",
                    "qsub=%1$s/qsub\nqstat=%1$s/qstat\nqdel=%1$s/qdel\ncluster=no\n".formatted(standin.bin()));
            keepsItsWord(PbsStandin.ACCOUNT, settings);
        }
    }

    /** Debian's module asks its configuration for LSF's profile only, and runs the commands of the directory that this names. */
    @Test
    void lsfWithAStandInForIt() throws Exception {
        Path bin = Files.createDirectories(temporary.resolve("lsf/bin"));
        for (String name : List.of("bsub", "bjobs", "bkill")) {
            Path command = Files.copy(Path.of("src/test/perl/lsf-standin"), bin.resolve(name));
            Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Files.createDirectories(temporary.resolve("lsf/jobs"));
        Path profile = Files.writeString(
                temporary.resolve("lsf/profile.lsf"),
                "LSF_BINDIR=%s\nPATH=$LSF_BINDIR:$PATH\nexport LSF_BINDIR PATH\n".formatted(bin));
        Path mpiexec = Files.writeString(
                temporary.resolve("lsf/mpiexec"),
                "#!/bin/sh\necho \"$1 $2 on $LSB_HOSTS\"; n=$2; shift 2\nfor i in $(seq $n); do \"$@\"; done\n");
        Files.setPosixFilePermissions(mpiexec, PosixFilePermissions.fromString("rwxr-xr-x"));
        LrmSettings settings = settings(
                "lsf",
                LrmRoom.PERL,
                "JOBGATE_MPIEXEC=" + mpiexec,
                "lsf_profile=" + profile + "\nmpiexec=no\nmpirun=no\n");
        Map<String, String> options = new HashMap<>(settings.options());
        options.put("mpi", "true");
        keepsItsWord(System.getProperty("user.name"), settings);
        try (ContractRoom room = new ContractRoom(System.getProperty("user.name"), settings.withOptions(options))) {
            runsAnMpiJobInSoManyProcessors(room);
        }
    }

    private static void runsAnMpiJobInSoManyProcessors(ContractRoom room) throws IOException {
        room.run(room.job("/bin/echo", "one").jobType(JobType.MPI).count(3).stdout("all"));
        assertThat(room.read("all")).isEqualTo("-n 3 on here here here\none\none\none\n");
        SubmitResult refused = room.lrm()
                .submit(
                        room.account,
                        List.of(new SubmitRequest(
                                room.newTag(),
                                room.job("/bin/true")
                                        .jobType(JobType.MPI)
                                        .count(4)
                                        .hostCount(2)
                                        .build(),
                                false)))
                .getFirst();
        assertThat(((SubmitResult.Refused) refused).fault().part()).isEqualTo(DescriptionPart.HOST_COUNT);
    }

    private static void keepsItsWord(String account, LrmSettings settings) throws IOException {
        try (ContractRoom room = new ContractRoom(account, settings)) {
            tellsTheExitCode(room);
            givesArgumentsAndFiles(room);
            cancelsARunningJob(room);
            goesOnAfterTheDeathOfTheWorker(room);
        }
    }

    private static void tellsTheExitCode(ContractRoom room) {
        JobId tag = room.submit(room.sh("exit 3"));
        assertThat(room.awaitEnd(tag).exitCode()).isEqualTo(3);
        assertThat(room.kinds(tag)).containsExactly(Kind.QUEUED, Kind.STARTED, Kind.ENDED);
    }

    private static void givesArgumentsAndFiles(ContractRoom room) throws IOException {
        List<String> odd = List.of("a b", "\"x\" 'y'", "$HOME $(id) `id`", "two\nlines", "", "\\", ";&|<>#", "äöü");
        room.write("in", "text\n");
        List<String> words = new ArrayList<>(List.of("-e", "print <STDIN>, join qq(\\0), @ARGV", "--"));
        words.addAll(odd);
        room.run(room.job("/usr/bin/perl", words.toArray(String[]::new))
                .stdin("in")
                .stdout("said"));
        assertThat(Files.readAllBytes(room.work.resolve("said")))
                .isEqualTo(("text\n" + String.join("\0", odd)).getBytes(StandardCharsets.UTF_8));
    }

    private static void cancelsARunningJob(ContractRoom room) {
        JobId tag = room.submit(room.job("/bin/sleep", "300"));
        room.awaitEvent(tag, Kind.STARTED);
        room.cancel(tag);
        assertThat(room.awaitEnd(tag).cause()).isEqualTo(Cause.CANCELLED);
    }

    private static void goesOnAfterTheDeathOfTheWorker(ContractRoom room) throws IOException {
        JobId tag = room.submit(room.sh("echo ran >> ran; sleep 2; exit 6"));
        room.workers().forEach(ProcessHandle::destroyForcibly);
        assertThat(room.awaitEnd(tag).exitCode()).isEqualTo(6);
        assertThat(room.read("ran")).isEqualTo("ran\n");
    }
}
