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
import java.util.concurrent.CompletableFuture;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.lrm.CancelResult;
import org.jobgate.lrm.Lrm.LrmJob;
import org.jobgate.lrm.Lrm.SubmitRequest;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.lrm.SubmitResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers that do not come up, do not answer, or talk nonsense: nothing may be concluded from that, and it must be said. */
class WorkerFailureTest {

    private static final String OTHER = "nobody-of-this-name";

    @TempDir
    Path directory;

    private final RecordStore records = new RecordStore();
    private final SecureRandom random = new SecureRandom();

    private LrmSettings settings() {
        return LrmSettings.defaults("Fork", "fork", LrmRoom.PERL)
                .withSpool(directory.resolve("spool").toString());
    }

    private PerlLrm lrm(LrmSettings settings) {
        return new PerlLrm(settings, LrmRoom.ACCOUNT, new LeftWorkers(), records.store(), Clock.systemUTC(), random);
    }

    private SubmitRequest request() {
        return new SubmitRequest(JobId.create(Clock.systemUTC(), random), JobDescription.of("/bin/true"), false);
    }

    private Path script(String name, String text) throws IOException {
        Path script = Files.writeString(directory.resolve(name), "#!/bin/sh\n" + text + "\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    private String unclear(PerlLrm lrm, String account) {
        SubmitResult result = lrm.submit(account, List.of(request())).getFirst();
        assertThat(result).isInstanceOf(SubmitResult.Unclear.class);
        return ((SubmitResult.Unclear) result).because();
    }

    @Test
    void aMissingPerlIsUnclearAndSaid() {
        try (PerlLrm lrm = lrm(settings().withPerl(Path.of("/no/such/perl")))) {
            assertThat(unclear(lrm, LrmRoom.ACCOUNT)).contains("/no/such/perl");
            assertThat(lrm.health().well()).isFalse();
            assertThat(lrm.health().why()).contains("/no/such/perl");
        }
    }

    @Test
    void aRefusalOfSudoIsUnclearAndSaid() throws IOException {
        Path sudo = script("sudo", "echo 'sudo: a password is required' >&2; exit 1");
        try (PerlLrm lrm = lrm(settings().withSudo(sudo))) {
            assertThat(unclear(lrm, OTHER)).contains("a password is required");
            assertThat(lrm.health().why()).contains("a password is required");
            assertThat(unclear(lrm, OTHER)).as("while it is not tried again").contains("a password is required");
            assertThatThrownBy(() -> lrm.lookup(OTHER, List.of(request().tag())))
                    .isInstanceOf(LrmUnavailableException.class);
            assertThat(lrm.cancel(OTHER, List.of(new LrmJob(request().tag(), List.of())))
                            .getFirst())
                    .isInstanceOf(CancelResult.Unclear.class);
        }
    }

    @Test
    void sudoIsGivenTheAccountAndNothingOfAClient() throws IOException {
        Path sudo = script("sudo", "printf '%s\\n' \"$@\" > " + directory.resolve("said") + "; exit 1");
        try (PerlLrm lrm = lrm(settings().withSudo(sudo))) {
            unclear(lrm, OTHER);
        }
        List<String> said = Files.readAllLines(directory.resolve("said"));
        assertThat(said.subList(0, 7))
                .containsExactly(
                        "-n",
                        "-H",
                        "-u",
                        OTHER,
                        "--",
                        "/usr/bin/perl",
                        LrmRoom.PERL.resolve("jobgate-worker").toString());
        assertThat(said).hasSize(8);
        assertThat(said.getLast()).matches("[0-9a-f]{32}");
    }

    @Test
    void aWorkerThatDoesNotAnswerIsGivenUpInTime() throws IOException {
        Path perl = script("hung-perl", "exec sleep 1000");
        try (PerlLrm lrm = lrm(settings().withPerl(perl).withRequestTimeout(Duration.ofMillis(500)))) {
            long begin = System.nanoTime();
            assertThat(unclear(lrm, LrmRoom.ACCOUNT)).contains("did not answer");
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
        }
        await().atMost(Duration.ofSeconds(5))
                .until(() -> ProcessHandle.current()
                        .descendants()
                        .noneMatch(process -> LrmRoom.commandLine(process.pid()).startsWith("sleep 1000")));
    }

    @Test
    void aWorkerThatBreaksTheProtocolIsUnclear() throws IOException {
        Path perl = script("mad-perl", "echo \"JG1 $2 99999999999\"; sleep 5");
        try (PerlLrm lrm = lrm(settings().withPerl(perl))) {
            assertThat(unclear(lrm, LrmRoom.ACCOUNT)).contains("broke the protocol");
        }
    }

    @Test
    void noiseOfALoginShellDoesNoHarm() throws IOException {
        Path perl = script(
                "noisy-perl",
                "echo 'Welcome to the cluster!'; echo 'You have mail' >&2; printf 'no newline'; exec /usr/bin/perl"
                        + " \"$@\"");
        LrmRoom room = new LrmRoom(directory, settings -> settings.withPerl(perl));
        try (room) {
            assertThat(room.run(room.job("/bin/true")).exitCode()).isZero();
        }
    }

    @Test
    void aWorkerEndsWhenItHasBeenIdleAndComesBackWhenNeeded() throws IOException {
        try (LrmRoom room = new LrmRoom(directory, settings -> settings.withIdleEnd(Duration.ofMillis(300)))) {
            JobId longer = room.submit(room.job("/bin/sh", "-c", "sleep 1; exit 3"));
            assertThat(room.awaitEnd(longer).exitCode())
                    .as("it stays while a job lives")
                    .isEqualTo(3);
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> ProcessHandle.current()
                            .children()
                            .noneMatch(process ->
                                    LrmRoom.commandLine(process.pid()).contains("/jobgate-worker ")));
            assertThat(room.lrm.health().well()).isTrue();
            assertThat(room.run(room.job("/bin/false")).exitCode()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-u", "a b", "root;id", "../x", "a\nb", "#0", "ä", "denied"})
    void anAccountThatMayNotBeIsRefused(String account) {
        try (PerlLrm lrm = lrm(settings().withDeniedAccounts(Set.of("denied")))) {
            assertThat(lrm.submit(account, List.of(request())).getFirst())
                    .isInstanceOfSatisfying(
                            SubmitResult.Refused.class,
                            refused -> assertThat(refused.fault().code()).isEqualTo(FaultCode.NOT_AUTHORIZED));
        }
    }

    @Test
    void aSpoolThatCannotBeIsUnclearAndSaid() throws IOException {
        Files.writeString(directory.resolve("file"), "");
        try (PerlLrm lrm =
                lrm(settings().withSpool(directory.resolve("file/spool").toString()))) {
            lrm.watch(List.of(), (source, events) -> CompletableFuture.completedFuture(null));
            assertThat(unclear(lrm, LrmRoom.ACCOUNT)).contains("file/spool");
            assertThat(lrm.health().well()).isFalse();
        }
    }

    /** One subject mapped to an account that is not there made the whole service unwell. */
    @Test
    void anAccountThatCannotBeServedIsNoTroubleOfTheOthers() throws IOException {
        Path sudo = script("sudo", "echo 'sudo: unknown user' >&2; exit 1");
        try (PerlLrm lrm = lrm(settings().withSudo(sudo))) {
            lrm.submit(LrmRoom.ACCOUNT, List.of(request()));
            assertThat(unclear(lrm, OTHER)).contains("unknown user");
            assertThat(lrm.health().well()).isTrue();
            assertThat(lrm.health().why()).contains("unknown user");
            assertThat(lrm.health(OTHER).well()).isFalse();
            assertThat(lrm.health(LrmRoom.ACCOUNT).well()).isTrue();
        }
    }

    @Test
    void theBackOffGrowsToItsBound() {
        assertThat(WorkerSupervisor.backOff(1)).isEqualTo(WorkerSupervisor.FIRST_BACK_OFF);
        assertThat(WorkerSupervisor.backOff(3)).isEqualTo(WorkerSupervisor.FIRST_BACK_OFF.multipliedBy(4));
        assertThat(WorkerSupervisor.backOff(20)).isEqualTo(WorkerSupervisor.LONGEST_BACK_OFF);
    }
}
