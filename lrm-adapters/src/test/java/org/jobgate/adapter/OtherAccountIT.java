// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.lrm.Lrm.LrmJob;
import org.jobgate.lrm.Lrm.SubmitRequest;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.SubmitResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Jobs of another account, through a real sudo: needs root, who may make an account and install sudo. */
class OtherAccountIT {

    private static final String ACCOUNT =
            "jobgate-it-" + ProcessHandle.current().pid() % 100_000;
    private static final Path PERL =
            Path.of("/tmp/jobgate-it-perl-" + ProcessHandle.current().pid());
    private static boolean wasMade;

    private final List<LrmEvent> events = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void makeAccount() throws Exception {
        assumeTrue(
                System.getProperty("user.name").equals("root"),
                "SKIPPED: jobs of another account are tested by root only (the test makes a throwaway account)");
        if (!Files.exists(Path.of("/usr/bin/sudo"))) {
            command(300, "apt-get", "install", "-y", "-q", "--no-install-recommends", "sudo");
        }
        assumeTrue(Files.exists(Path.of("/usr/bin/sudo")), "SKIPPED: sudo is not there and could not be installed");
        assertThat(command(30, "useradd", "--system", "--create-home", "--shell", "/bin/bash", ACCOUNT))
                .isZero();
        wasMade = true;
        // the checkout may be closed to other accounts
        assertThat(command(30, "cp", "-r", LrmRoom.PERL.toString(), PERL.toString()))
                .isZero();
        assertThat(command(30, "chmod", "-R", "a+rX", PERL.toString())).isZero();
    }

    @AfterAll
    static void removeAccount() throws Exception {
        if (wasMade) {
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> command(30, "userdel", "--remove", ACCOUNT) == 0);
            command(30, "rm", "-r", PERL.toString());
        }
    }

    private static int command(int seconds, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return -1;
        }
        return process.exitValue();
    }

    @Test
    void jobsRunAsTheAccountAndAreFoundAgain() throws Exception {
        Path home = Path.of("/home", ACCOUNT);
        LrmSettings settings = LrmSettings.defaults("Fork", "fork", PERL).withSpool("~/.jobgate/it");
        RecordStore records = new RecordStore();
        JobId first;
        JobId second;
        try (PerlLrm lrm = lrm(settings, records)) {
            first = submit(lrm, "id -un; pwd; echo $HOME $USER; umask", "who");
            assertThat(awaitEnd(first).exitCode()).isZero();
            second = submit(lrm, "sleep 1; exit 6", "none");
        }
        assertThat(Files.readString(home.resolve("who")))
                .isEqualTo(ACCOUNT + "\n" + home + "\n" + home + " " + ACCOUNT + "\n0077\n");
        assertThat(Files.getOwner(home.resolve("who")).getName()).isEqualTo(ACCOUNT);
        assertThat(Files.getPosixFilePermissions(home.resolve(".jobgate/it"))).hasSize(3);

        try (PerlLrm lrm = lrm(settings, records)) {
            assertThat(awaitEnd(second).exitCode()).isEqualTo(6);
            JobId third = submit(lrm, "sleep 1000", "none");
            lrm.cancel(ACCOUNT, List.of(new LrmJob(third, List.of())));
            assertThat(awaitEnd(third).cause()).isEqualTo(LrmEvent.Cause.CANCELLED);
        }
        endStarter(home);
    }

    private PerlLrm lrm(LrmSettings settings, RecordStore records) {
        PerlLrm lrm = new PerlLrm(
                settings, "root", new LeftWorkers(), records.store(), Clock.systemUTC(), new SecureRandom());
        lrm.watch(List.of(ACCOUNT), (source, told) -> {
            events.addAll(told);
            return CompletableFuture.completedFuture(null);
        });
        return lrm;
    }

    private JobId submit(PerlLrm lrm, String script, String stdout) {
        JobId tag = JobId.create(Clock.systemUTC(), new SecureRandom());
        JobDescription description = JobDescription.of("/bin/sh", "-c", script).toBuilder()
                .stdout(stdout)
                .build();
        assertThat(lrm.submit(ACCOUNT, List.of(new SubmitRequest(tag, description, false))))
                .singleElement()
                .isInstanceOf(SubmitResult.Accepted.class);
        return tag;
    }

    private LrmEvent.End awaitEnd(JobId tag) {
        await().atMost(Duration.ofMinutes(1))
                .until(() -> events.stream().anyMatch(event -> event.tag().equals(tag) && event.end() != null));
        return events.stream()
                .filter(event -> event.tag().equals(tag))
                .map(LrmEvent::end)
                .filter(java.util.Objects::nonNull)
                .findFirst()
                .orElseThrow();
    }

    private static void endStarter(Path home) {
        ProcessHandle.allProcesses()
                .filter(process -> LrmRoom.commandLine(process.pid()).contains("jobgate-fork-starter " + home))
                .forEach(ProcessHandle::destroy);
    }
}
