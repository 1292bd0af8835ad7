// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.lrm.Lrm.SubmitRequest;
import org.jobgate.lrm.SubmitResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers that neither answer nor end. Here nothing is ever killed: a worker that runs as another account is not ours to kill. */
class LeftWorkersTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private final LeftWorkers left = new LeftWorkers(process -> {}, System::nanoTime);
    private final SecureRandom random = new SecureRandom();

    @AfterEach
    void killThem() {
        stuck().forEach(ProcessHandle::destroyForcibly);
    }

    private List<ProcessHandle> stuck() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> LrmRoom.commandLine(process.pid()).contains(directory + "/stuck"))
                .filter(ProcessHandle::isAlive)
                .toList();
    }

    /** A Perl whose workers are stuck unless there is a file {@code well}. */
    private Path perl() throws IOException {
        Path script = Files.writeString(directory.resolve("perl"), """
                        #!/bin/sh
                        test -e %1$s/well && exec /usr/bin/perl "$@"
                        exec /usr/bin/tail -f /dev/null %1$s/stuck
                        """.formatted(directory));
        Files.writeString(directory.resolve("stuck"), "");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    private static SubmitResult submit(PerlLrm lrm, JobId tag) {
        return lrm.submit(LrmRoom.ACCOUNT, List.of(new SubmitRequest(tag, JobDescription.of("/bin/true"), true)))
                .getFirst();
    }

    @Test
    void fromTheThirdOnNoOtherIsStartedUntilOneHasGone() throws Exception {
        LrmSettings settings = LrmSettings.defaults("Fork", "fork", LrmRoom.PERL)
                .withSpool(directory.resolve("spool").toString())
                .withPerl(perl())
                .withRequestTimeout(Duration.ofMillis(1500));
        FileSettings fileSettings = new FileSettings(
                LrmRoom.PERL,
                settings.perl(),
                settings.sudo(),
                Set.of(),
                Duration.ofMillis(1500),
                Duration.ofMinutes(1));
        JobId tag = JobId.create(Clock.systemUTC(), random);
        try (PerlLrm lrm = new PerlLrm(
                        settings, LrmRoom.ACCOUNT, left, new RecordStore().store(), Clock.systemUTC(), random);
                FileWorkers files = new FileWorkers(fileSettings, LrmRoom.ACCOUNT, left, Clock.systemUTC(), random)) {
            FilePlace place = new FilePlace.Named(directory.toString(), "stuck");
            await().atMost(PATIENCE).until(() -> submit(lrm, tag).toString().contains("kill -9"));
            // both for the LRM and for files: it is the account that has too many
            for (int i = 0; i < 5; i++) {
                assertThat(submit(lrm, tag)).isInstanceOf(SubmitResult.Unclear.class);
                assertThatThrownBy(() -> files.read(LrmRoom.ACCOUNT, place, 0, 1))
                        .isInstanceOf(FilesUnavailableException.class)
                        .hasMessageContaining("kill -9");
            }
            // the last may be the shell still that becomes one of them
            List<ProcessHandle> there =
                    await().atMost(PATIENCE).until(this::stuck, found -> found.size() >= LeftWorkers.MOST);
            assertThat(there).hasSize(LeftWorkers.MOST);
            for (ProcessHandle process : there) {
                assertThat(lrm.health(LrmRoom.ACCOUNT).why()).contains(LrmRoom.ACCOUNT, " " + process.pid());
                assertThat(lrm.health().why()).contains(" " + process.pid());
            }

            Files.writeString(directory.resolve("well"), "");
            there.forEach(ProcessHandle::destroyForcibly);

            await().atMost(PATIENCE).until(() -> submit(lrm, tag) instanceof SubmitResult.Accepted);
            assertThat(lrm.health(LrmRoom.ACCOUNT).well()).isTrue();
            // a slow machine may need longer for the start of one than the second and a half that it has
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(FilesUnavailableException.class)
                    .until(() -> files.read(LrmRoom.ACCOUNT, place, 0, 1) != null);
        } finally {
            ProcessHandle.allProcesses()
                    .filter(process -> LrmRoom.commandLine(process.pid())
                            .contains("jobgate-fork-starter " + directory.resolve("spool")))
                    .forEach(ProcessHandle::destroy);
        }
    }

    /** One that was let go in good order, and stopped before it saw that. */
    @Test
    void oneThatWasLetGoCountsWhenItHasHadItsTime() throws Exception {
        long[] now = {0};
        LeftWorkers counted = new LeftWorkers(process -> {}, () -> now[0]);
        Path perl = perl();
        for (int i = 0; i < LeftWorkers.MOST; i++) {
            Process process = new ProcessBuilder(perl.toString()).start();
            counted.letGo("alice", process.toHandle(), "mark");
            counted.letGo("alice", process.toHandle(), "mark");
        }
        Process gone = new ProcessBuilder("/bin/true").start();
        assertThat(gone.waitFor()).isZero();
        counted.letGo("alice", gone.toHandle(), "mark");

        assertThat(counted.refusal("alice")).isEmpty();
        now[0] = LeftWorkers.PATIENCE.toNanos() + 1;
        assertThat(counted.refusal("alice").orElseThrow()).startsWith("3 worker processes of the account alice");
        assertThat(counted.refusal("bob")).isEmpty();
        assertThat(stuck().getFirst().destroyForcibly()).isTrue();
        await().atMost(PATIENCE).until(() -> counted.refusal("alice").isEmpty());
    }
}
