// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jobgate.engine.EngineSettings;
import org.jobgate.engine.JobEngine;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.JobLimits;
import org.jobgate.store.JobStore;
import org.jobgate.store.sql.JobStores;
import org.jobgate.store.sql.StoreSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two polled LRMs in one gateway, of each pair of adapters: neither says anything of the other's jobs. The pairs run side by side, for they
 * wait nearly all the time; so the jobs of one gateway are also those of a foreign one to another.
 */
@Execution(ExecutionMode.CONCURRENT)
class TwoPolledIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** For this long nothing may be reported of jobs that run: some listings, and the time after which an owner is told that the LRM does not know the job. */
    private static final Duration QUIET = Duration.ofSeconds(12);

    private static final Owner ALICE = new Owner("/O=Test/CN=Alice", PbsStandin.ACCOUNT);
    private static final AtomicInteger GATEWAYS = new AtomicInteger();

    private static @Nullable PbsStandin torque;
    private static @Nullable PbsStandin openpbs;

    @TempDir
    Path directory;

    /** The spools of this test's gateway. */
    private final String base = "~/.jobgate/it-two-" + ProcessHandle.current().pid() + "-" + GATEWAYS.incrementAndGet();

    private Path work;
    private final List<PerlLrm> lrms = new ArrayList<>();
    private @Nullable JobStore store;
    private @Nullable JobEngine engine;

    @BeforeAll
    static void begin() throws IOException, InterruptedException {
        torque = new PbsStandin("torque", "kill_delay=1");
        openpbs = new PbsStandin("openpbs", "kill_delay=1");
    }

    @AfterAll
    static void end() throws IOException, InterruptedException {
        for (PbsStandin standin : new PbsStandin[] {torque, openpbs}) {
            if (standin != null) {
                standin.close();
            }
        }
        SlurmLab.tidy();
        SgeLab.tidy();
    }

    @BeforeEach
    void makeDirectory() throws IOException {
        work = Files.createTempDirectory("jobgate-two-");
        Files.setOwner(
                work, work.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(ALICE.account()));
        Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        if (engine != null) {
            stop();
        }
        String home = SgeLab.command(List.of("/bin/sh", "-c", "echo ~" + ALICE.account()))
                .out()
                .strip();
        for (String path : List.of(work.toString(), base.replace("~", home))) {
            assertThat(SgeLab.command(List.of("rm", "-rf", path)).exit()).isZero();
        }
    }

    /** Polls often, and soon tells an owner that the LRM does not know the job. */
    private static LrmSettings settings(String lrm) throws IOException, InterruptedException {
        LrmSettings settings = switch (lrm) {
            case "Slurm" -> {
                SlurmLab.need();
                yield SlurmLab.settings();
            }
            case "GridEngine" -> {
                SgeLab.need();
                yield SgeLab.settings();
            }
            case "Torque" -> standin(torque).settings();
            default -> standin(openpbs).settings();
        };
        Map<String, String> options = new HashMap<>(settings.options());
        options.put("unknown_after", "3");
        LrmSettings named = LrmSettings.defaults(lrm, settings.adapter(), settings.perlDirectory())
                .withOptions(options);
        return named.withGrace(Duration.ofSeconds(1));
    }

    private static PbsStandin standin(@Nullable PbsStandin standin) {
        assumeTrue(standin != null, "SKIPPED: the stand-in did not start");
        return requireNonNull(standin);
    }

    /** As the gateway gives them, or as it did once: one for all. */
    private Map<String, LrmSpool> spools(JobStore store, List<LrmSettings> all, boolean oneForAll) {
        return oneForAll
                ? all.stream().collect(Collectors.toMap(LrmSettings::name, lrm -> LrmSpool.of(base)))
                : new LrmSpools(base, store, Clock.systemUTC())
                        .assign(all.stream()
                                .map(lrm -> new LrmSpools.Wanted(lrm.name(), lrm.adapter(), null))
                                .toList());
    }

    private void start(List<LrmSettings> all, boolean oneForAll) {
        JobStore opened =
                JobStores.open(StoreSettings.of("sqlite:jobs.db").resolvedAgainst(directory), Clock.systemUTC());
        store = opened;
        Map<String, LrmSpool> spools = spools(opened, all, oneForAll);
        for (LrmSettings one : all) {
            lrms.add(new PerlLrm(
                    one.withSpool(requireNonNull(spools.get(one.name()))),
                    System.getProperty("user.name", ""),
                    new LeftWorkers(),
                    opened,
                    Clock.systemUTC(),
                    new SecureRandom()));
        }
        EngineSettings quick = new EngineSettings(
                2,
                2,
                2,
                2,
                2,
                1000,
                Duration.ofMillis(200),
                Duration.ofSeconds(2),
                Duration.ofDays(1),
                Duration.ofSeconds(1));
        JobEngine begun = new JobEngine(
                opened,
                List.copyOf(lrms),
                null,
                null,
                JobLimits.defaults(),
                quick,
                Clock.systemUTC(),
                new SecureRandom(),
                Interlude.none());
        begun.start();
        engine = begun;
    }

    private JobEngine engine() {
        return requireNonNull(engine);
    }

    private void stop() {
        engine().close();
        lrms.forEach(PerlLrm::close);
        lrms.clear();
        requireNonNull(store).close();
        engine = null;
    }

    private JobId submit(String lrm, String script) {
        JobDescription description = JobDescription.builder("/bin/sh")
                .arguments(List.of("-c", script))
                .directory(work.toString())
                .build();
        return engine().submit(Submission.of(EngineRoom.ORIGIN, ALICE, "key-" + System.nanoTime(), lrm, description))
                .job()
                .id();
    }

    private static String waitsAndEndsWith(int exit) {
        return ContractRoom.until("go") + "; exit " + exit;
    }

    private Job find(JobId id) {
        return engine().find(ALICE.subject(), id).orElseThrow();
    }

    private void awaitState(JobId id, JobState state) {
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(find(id).state()).as(find(id).toString()).isEqualTo(state));
    }

    private void staysQuietlyActive(JobId... jobs) {
        await().during(QUIET).atMost(QUIET.multipliedBy(3)).until(() -> {
            for (JobId id : jobs) {
                assertThat(find(id).state()).isEqualTo(JobState.ACTIVE);
                assertThat(find(id).pendingReason()).isNull();
            }
            return true;
        });
    }

    private void endsWith(JobId id, int exit) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(find(id).state().isTerminal())
                        .as(find(id).toString())
                        .isTrue());
        JobOutcome outcome = requireNonNull(find(id).outcome());
        assertThat(find(id).state()).as(outcome.toString()).isEqualTo(JobState.DONE);
        assertThat(outcome.exitCode()).isEqualTo(exit);
    }

    @ParameterizedTest
    @CsvSource({"Torque,OpenPBS", "Slurm,GridEngine", "Slurm,Torque", "GridEngine,OpenPBS"})
    void neitherSaysAnythingOfTheOthersJobs(String first, String second) throws Exception {
        List<LrmSettings> all = List.of(settings(first), settings(second));
        start(all, false);
        JobId one = submit(first, waitsAndEndsWith(3));
        JobId two = submit(second, waitsAndEndsWith(4));
        JobId gone = submit(first, "sleep 600");
        awaitState(one, JobState.ACTIVE);
        awaitState(two, JobState.ACTIVE);
        awaitState(gone, JobState.ACTIVE);
        staysQuietlyActive(one, two, gone);

        engine().cancel(ALICE.subject(), gone);
        awaitState(gone, JobState.CANCELLED);
        staysQuietlyActive(one, two);
        stop();
        start(all, false);
        staysQuietlyActive(one, two);

        assertThat(SgeLab.command(List.of("touch", work.resolve("go").toString()))
                        .exit())
                .isZero();
        endsWith(one, 3);
        endsWith(two, 4);
        assertThat(engine().lrmAdministration().strayRecords(first)
                        + engine().lrmAdministration().strayRecords(second))
                .as("records of the one that speak of the other's jobs")
                .isZero();
    }

    /** As where a gateway was upgraded in which both had one spool. */
    @Test
    void jobsThatBeganInOneSpoolEndAsTheyDoWhenEachHasItsOwn() throws Exception {
        List<LrmSettings> all = List.of(settings("Torque"), settings("OpenPBS"));
        start(all, true);
        JobId one = submit("Torque", "touch one; " + waitsAndEndsWith(3));
        JobId two = submit("OpenPBS", "touch two; " + waitsAndEndsWith(4));
        JobId gone = submit("OpenPBS", "touch three; sleep 600");
        // what the gateway says of them is not to be trusted while both have one spool
        for (String began : List.of("one", "two", "three")) {
            await().atMost(PATIENCE).until(() -> Files.exists(work.resolve(began)));
        }
        stop();

        start(all, false);
        JobId late = submit("OpenPBS", "exit 5");
        endsWith(late, 5);
        for (JobId id : List.of(one, two, gone)) {
            awaitState(id, JobState.ACTIVE);
        }
        engine().cancel(ALICE.subject(), gone);
        awaitState(gone, JobState.CANCELLED);
        assertThat(find(one).state()).isEqualTo(JobState.ACTIVE);
        assertThat(find(two).state()).isEqualTo(JobState.ACTIVE);
        assertThat(SgeLab.command(List.of("touch", work.resolve("go").toString()))
                        .exit())
                .isZero();
        endsWith(one, 3);
        endsWith(two, 4);
    }
}
