// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jobgate.perf.report.Results;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs the scenarios of the published page one after another, each in a process of its own. One that fails does not keep the next from
 * being run, and leaves an older result as it is.
 */
@Command(
        name = "all",
        description = "run the scenarios of RESULTS.md one after another; --publish writes the page anew")
public final class All implements Callable<Integer> {

    /** The servers of the lab may connect to the gateway, as they may at a site that opens ports for them. */
    private static final String DATA_PORTS = "staging: { dataPorts: any }";

    private static final List<List<String>> FULL = List.of(
            List.of("table2", "--jobs", "100", "--peer-jobs", "1", "--repeat", "2"),
            List.of("table3", "--repeat", "2", "--configure", DATA_PORTS),
            List.of("concurrent", "--lrm", "slurm", "--jobs", "500", "--seconds", "2", "--repeat", "2"),
            List.of("throughput", "--seconds", "120"),
            List.of("bestman", "--seconds", "2", "--repeat", "2"),
            List.of("arft", "--repeat", "7", "--configure", DATA_PORTS),
            List.of("sequential", "--repeat", "3"),
            List.of("submit-rate", "--connections", "8"),
            List.of("bulk"),
            List.of("restart", "--jobs", "10000,100000"),
            List.of("notice", "--lrm", "condor"),
            List.of("crash"),
            List.of("active", "--jobs", "1000,10000,100000"),
            List.of("cream", "--peer-jobs", "30", "--repeat", "2"),
            List.of("ice", "--peer-jobs", "100", "--repeat", "2"));

    /** A second run is to show whether its figures lie within the spread of the first: one turn does, and not of all that takes long. */
    private static final List<List<String>> AGAIN = List.of(
            List.of("table2", "--jobs", "50", "--peer-jobs", "1", "--repeat", "1"),
            List.of("table3", "--repeat", "1", "--configure", DATA_PORTS),
            List.of("concurrent", "--lrm", "slurm", "--jobs", "500", "--seconds", "2", "--repeat", "1"),
            List.of("throughput", "--seconds", "120"),
            List.of("bestman", "--seconds", "2", "--repeat", "1"),
            List.of("arft", "--repeat", "5", "--links", "0", "--configure", DATA_PORTS),
            List.of("sequential", "--repeat", "3"),
            List.of("submit-rate", "--connections", "8"),
            List.of("bulk"),
            List.of("restart", "--jobs", "10000,100000"),
            List.of("notice", "--lrm", "condor"),
            List.of("active", "--jobs", "1000,10000"),
            List.of("cream", "--jobs", "100,500", "--threads", "1,5,10", "--peer", "none"),
            List.of("ice", "--threads", "5,30", "--peer", "none"));

    private static final List<List<String>> QUICK = List.of(
            List.of("table2", "--jobs", "10", "--peer-jobs", "2", "--repeat", "2"),
            List.of("table3", "--jobs", "100", "--repeat", "2"),
            List.of("concurrent", "--lrm", "slurm", "--jobs", "100", "--repeat", "1"),
            List.of("throughput", "--seconds", "60"),
            List.of("cream", "--jobs", "100", "--threads", "1,10", "--peer-jobs", "10"),
            List.of("ice", "--jobs", "100", "--threads", "5,30", "--peer-jobs", "50"),
            List.of("bestman", "--clients", "1,100,1000", "--seconds", "5", "--repeat", "2"),
            List.of("arft", "--sizes", "5,100", "--streams", "1,4", "--small", "100", "--repeat", "2", "--links", "0"),
            List.of("active", "--jobs", "1000", "--seconds", "5"),
            List.of("notice", "--jobs", "10", "--repeat", "1"),
            List.of("crash", "--jobs", "60", "--kills", "6"));

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this")
    boolean help;

    @Option(names = "--quick", description = "small runs, some minutes in all: to see that everything works here")
    boolean quick;

    @Option(names = "--only", split = ",", paramLabel = "NAME", description = "only these scenarios")
    List<String> only = new ArrayList<>();

    @Option(names = "--publish", description = "keep the results in perf/results and write perf/RESULTS.md anew")
    boolean publish;

    @Option(
            names = "--again",
            description = "a second, shorter run, kept beside the first: the page says how far the two agree")
    boolean again;

    @Option(
            names = "--results",
            paramLabel = "DIR",
            description = "where the results go (default: perf/target/results; with --publish perf/results)")
    @Nullable
    Path results;

    @Option(names = "--root", hidden = true, defaultValue = "${sys:jobgate.root}")
    Path root = Path.of("");

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path directory = results != null ? results : root.resolve(publish ? "perf/results" : "perf/target/results");
        Path kept = Files.createDirectories(again ? directory.resolve(Results.AGAIN) : directory);
        List<String> failed = new ArrayList<>();
        List<List<String>> steps = steps();
        for (List<String> step : steps) {
            Scenario.progress(
                    "== " + String.join(" ", step) + " (" + (steps.indexOf(step) + 1) + " of " + steps.size() + ")");
            if (!run(step, kept)) {
                failed.add(step.getFirst());
            }
        }
        if (publish) {
            Publish.write(directory, root.resolve("perf/RESULTS.md"));
        }
        Scenario.progress(failed.isEmpty() ? "all ran" : "found something wrong, or could not run: " + failed);
        return failed.isEmpty() ? 0 : 1;
    }

    /** What is to be run. */
    List<List<String>> steps() {
        return (quick ? QUICK : again ? AGAIN : FULL)
                .stream()
                        .filter(step -> only.isEmpty() || only.contains(step.getFirst()))
                        .toList();
    }

    private boolean run(List<String> step, Path directory) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(root.resolve("perf/run").toString()));
        command.addAll(step);
        Path results = root.resolve("perf/target/results");
        Path pages = Files.createDirectories(again ? results.resolve(Results.AGAIN) : results);
        command.addAll(
                List.of("--out", directory.resolve(step.getFirst() + ".json").toString()));
        command.addAll(
                List.of("--html", pages.resolve(step.getFirst() + ".html").toString()));
        return new ProcessBuilder(command)
                        .inheritIO()
                        .redirectInput(new File("/dev/null"))
                        .start()
                        .waitFor()
                == 0;
    }
}
