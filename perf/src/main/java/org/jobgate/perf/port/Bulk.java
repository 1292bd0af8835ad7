// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.port;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Conditions;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Spread;
import org.jobgate.store.CreateResult;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.sql.JobStores;
import org.jobgate.store.sql.StoreSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How many jobs per second the store takes in bulk, each batch answered when it is on disk; no wire, no engine. */
@Command(name = "bulk", description = "jobs created in batches through the store's port, without the wire")
public final class Bulk implements Callable<Integer> {

    private static final double BUDGET = 2_000;
    private static final String STORE = "sqlite, WAL, synchronous FULL, one group-commit writer";
    /** Kept here, or the level would be forgotten with the logger; the store's migrations tell of each step. */
    private static final Logger MIGRATIONS = Logger.getLogger("org.flywaydb");

    private static final Owner OWNER = new Owner("/O=Jobgate Trial/CN=perf", "perf");

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this")
    boolean help;

    @Option(names = "--jobs", defaultValue = "10000", description = "jobs of one run (default: ${DEFAULT-VALUE})")
    int jobs;

    @Option(names = "--batch", defaultValue = "500", description = "jobs of one call (default: ${DEFAULT-VALUE})")
    int batch;

    @Option(
            names = "--repeat",
            defaultValue = "5",
            description = "runs that count, after one that does not (default: ${DEFAULT-VALUE})")
    int repeat;

    @Option(names = "--out", paramLabel = "FILE", description = "write the figures as JSON to this file")
    @Nullable
    Path out;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            defaultValue = "${sys:java.io.tmpdir}",
            description = "where the store's files go for the time of the run (default: ${DEFAULT-VALUE})")
    Path parent = Path.of("");

    @Option(
            names = "--root",
            paramLabel = "DIR",
            defaultValue = "${sys:jobgate.root}",
            description = "the checkout, for its commit")
    Path root = Path.of("");

    private final Clock clock = Clock.systemUTC();
    private final RandomGenerator random = new SecureRandom();

    @Override
    public Integer call() throws IOException {
        if (jobs < 1 || batch < 1 || repeat < 1) {
            throw new IllegalArgumentException("--jobs, --batch and --repeat must be at least 1");
        }
        MIGRATIONS.setLevel(Level.WARNING);
        Path directory = Files.createTempDirectory(parent, "jobgate-perf-");
        try {
            Report report = new Report("bulk");
            Conditions conditions = Conditions.now(clock, root, directory, STORE);
            measure(directory, report);
            report.put("conditions", conditions).put("load_after", Conditions.loadAverage());
            report.print(System.out);
            if (out != null) {
                report.writeTo(out);
            }
            return 0;
        } finally {
            remove(directory);
        }
    }

    private void measure(Path directory, Report report) {
        List<Double> rates = new ArrayList<>();
        try (JobStore store = JobStores.open(StoreSettings.of("sqlite:" + directory.resolve("jobgate.db")), clock)) {
            run(store);
            for (int i = 0; i < repeat; i++) {
                rates.add(run(store));
            }
            report.spread("jobs_per_second", Spread.of(rates), "jobs per second", Budget.atLeast(BUDGET))
                    .put("commits", store.statistics().commits())
                    .put("batch", batch)
                    .put("jobs", jobs)
                    .put("runs", rates.stream().map(Spread::round).toList());
        }
    }

    /** Creates the jobs, one batch after another, and answers how many per second became durable. */
    private double run(JobStore store) {
        List<List<NewJob>> batches = batches();
        long begin = System.nanoTime();
        for (List<NewJob> newJobs : batches) {
            List<CreateResult> answers = store.createAll(newJobs).join();
            if (!answers.stream().allMatch(CreateResult.Created.class::isInstance)) {
                throw new IllegalStateException("the store did not create every job of a batch: " + answers);
            }
        }
        return jobs / ((System.nanoTime() - begin) / 1e9);
    }

    private List<List<NewJob>> batches() {
        List<List<NewJob>> batches = new ArrayList<>();
        for (int made = 0; made < jobs; made += batch) {
            batches.add(Stream.generate(this::newJob)
                    .limit(Math.min(batch, jobs - made))
                    .toList());
        }
        return batches;
    }

    private NewJob newJob() {
        JobId id = JobId.create(clock, random);
        Job job = Job.create(
                id, new SubmissionKey(OWNER.subject(), id.toString()), OWNER, "Fork", null, clock.instant(), null);
        return new NewJob(job, JobDescription.of("/bin/true"), List.of());
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
