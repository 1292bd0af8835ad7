// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;

/**
 * Jobs of one stock HTCondor, from their submission until it knows that all are over: by {@code batch jobgate} (route C) or {@code arc} (route A) through
 * the gateway, by {@code arc} to an A-REX, or straight to another pool.
 */
final class CondorGRuns {

    /** What HTCondor writes into a log of jobs: that they are at the resource, over, removed, held. */
    private static final String SENT = "027 ";

    private static final String OVER = "005 ";
    private static final String REMOVED = "009 ";
    private static final String HELD = "012 ";
    private static final Duration TIMEOUT = Duration.ofMinutes(60);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration CLEANED = Duration.ofMinutes(2);
    private static final int FILE_BYTES = 10_240;

    private final DirectLrm.Direct as;
    private final CondorClient client;
    private final Lab lab;
    private final Gateway gateway;
    private final Path home;
    private long notDone;
    private long notArrived;
    private long leftBehind;

    /** Where the jobs go. */
    enum Route {
        /** {@code jobgate-gahp}. */
        BATCH("batch jobgate"),
        /** ARC's REST interface. */
        ARC("arc"),
        /** The same of an A-REX. */
        AREX("Condor-G to A-REX"),
        /** No Condor-G. */
        DIRECT("condor_submit");

        private final String label;

        Route(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }

        boolean isOurs() {
            return this == BATCH || this == ARC;
        }
    }

    /** The rows; each job has a directory of its own that is removed behind it, whether it has files or not. */
    enum Kind {
        NONE("none"),
        FILES("10 KB in and out, own directory, clean-up");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }

        /** Seconds for 1000 jobs in the paper. */
        Map<String, Double> published() {
            return this == NONE
                    ? Map.of("none", 2100.0)
                    : Map.of("10 KB in and out", 3779.0, "10 KB in and out, own directory, clean-up", 5695.0);
        }
    }

    /**
     * How long a turn took, in seconds from its begin.
     *
     * @param sent until HTCondor had every job at the resource
     * @param idle until the gateway had no live job any more; 0 where it is not ours
     * @param over until HTCondor knew of every job that it is over, and had its files
     * @param done how many came to their end
     */
    record Turn(double sent, double idle, double over, long done) {

        /** Which part of the time passed before HTCondor had the last job at the resource. */
        double shareOfSending() {
            return sent / over;
        }

        /** Which part of the time passed after the gateway had none that lived: HTCondor's probes and its fetching. */
        double shareOfLearning() {
            return (over - idle) / over;
        }
    }

    /**
     * Writes the file that jobs bring.
     *
     * @param as the user of both HTCondor and the gateway
     * @param home the user's
     */
    CondorGRuns(DirectLrm.Direct as, CondorClient client, Lab lab, Gateway gateway, Path home) throws IOException {
        this.as = requireNonNull(as, "as is null");
        this.client = requireNonNull(client, "client is null");
        this.lab = requireNonNull(lab, "lab is null");
        this.gateway = requireNonNull(gateway, "gateway is null");
        this.home = requireNonNull(home, "home is null");
        Files.write(as.write("10k", "").toAbsolutePath(), new byte[FILE_BYTES]);
    }

    /** What HTCondor says of itself. */
    String version() throws IOException, InterruptedException {
        return as.says("condor_version").lines().findFirst().orElse("");
    }

    /** Tells what went wrong in all runs; whether nothing did. */
    boolean tell(Report report) {
        report.count("not_done", notDone, "jobs that were held, removed or not over in an hour", Budget.atMost(0))
                .count("not_arrived", notArrived, "files that did not come back", Budget.atMost(0))
                .count("left_behind", leftBehind, "session directories left at the gateway", Budget.atMost(0));
        return notDone == 0 && notArrived == 0 && leftBehind == 0;
    }

    /**
     * Submits jobs and waits until they are over.
     *
     * @param arex the address of an A-REX, for that route
     * @param name of the run, for who watches
     */
    Turn turn(Kind kind, Route route, String arex, int number, String name) throws IOException, InterruptedException {
        String tag = route.name().toLowerCase(Locale.ROOT) + "-" + kind.name().toLowerCase(Locale.ROOT);
        Path log = as.directory().resolve(tag + ".log");
        Files.deleteIfExists(log);
        Path file = as.write(tag + ".sub", description(kind, route, arex, tag, log, number));
        Progress progress = Progress.of(route.label + ", " + kind.label + ", " + name, number);
        long before = route.isOurs() ? count(sessions()) : 0;
        long begin = System.nanoTime();
        if (route == Route.DIRECT) {
            as.run("condor_submit", "-terse", file.toString());
        } else {
            client.submit(file);
        }
        double[] reached = new double[3];
        boolean isOver = Waiting.until(TIMEOUT, LOOK, () -> {
            Events events = Events.of(log);
            double now = (System.nanoTime() - begin) / 1e9;
            if (reached[0] == 0 && events.count(SENT) >= number) {
                reached[0] = now;
            }
            if (route.isOurs() && gateway.admin().status().path("liveJobs").asLong(1) > 0) {
                reached[1] = now;
            }
            progress.at(events.count(OVER));
            reached[2] = now;
            return events.count(OVER) + events.count(REMOVED) + events.count(HELD) >= number;
        });
        progress.end();
        long done = Events.of(log).count(OVER);
        notDone += number - done;
        if (!isOver || done < number) {
            Scenario.progress("only " + done + " of " + number + " are done: "
                    + Events.of(log).trouble() + "\n" + client.lastWords());
        }
        notArrived += kind == Kind.FILES ? number - arrived(tag) : 0;
        leftBehind += route.isOurs() ? left(before) : 0;
        return new Turn(reached[0], reached[1], reached[2], done);
    }

    private String description(Kind kind, Route route, String arex, String tag, Path log, int number) {
        String where = switch (route) {
            case BATCH -> "universe = grid\ngrid_resource = batch jobgate\n";
            case ARC -> "universe = grid\ngrid_resource = arc " + lab.url() + "/arex/rest/1.0\n";
            case AREX -> "universe = grid\ngrid_resource = arc " + arex + "\n";
            case DIRECT -> "universe = vanilla\n";
        };
        String files = kind == Kind.NONE
                ? (route == Route.DIRECT ? "should_transfer_files = NO\n" : "")
                : """
                should_transfer_files = YES
                when_to_transfer_output = ON_EXIT
                transfer_input_files = %1$s/10k
                transfer_output_files = 10k
                transfer_output_remaps = "10k=%1$s/out.%2$s.$(Process)"
                """.formatted(as.directory(), tag);
        return where
                + """
                executable = /bin/true
                transfer_executable = false
                %s%snotification = never
                log = %s
                queue %d
                """.formatted(
                        route == Route.DIRECT ? "" : "x509userproxy = " + lab.proxy() + "\n", files, log, number);
    }

    /** How many files of the turn came back; they are removed. */
    private long arrived(String tag) throws IOException {
        long arrived = 0;
        try (Stream<Path> files = Files.list(as.directory())) {
            for (Path file : files.filter(one -> one.getFileName().toString().startsWith("out." + tag + "."))
                    .toList()) {
                arrived += Files.size(file) == FILE_BYTES ? 1 : 0;
                Files.delete(file);
            }
        }
        return arrived;
    }

    /** How many directories of jobs the gateway has left, a while after the last was over. */
    private long left(long before) throws IOException, InterruptedException {
        boolean none = Waiting.until(CLEANED, LOOK, () -> count(sessions()) <= before);
        return none ? 0 : count(sessions()) - before;
    }

    /** There may be some of earlier gateways. */
    private Path sessions() {
        return home.resolve(".jobgate/arc");
    }

    private static long count(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return 0;
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.count();
        }
    }

    /** What a log of jobs has, by the numbers with which its entries begin. */
    private record Events(List<String> lines) {

        static Events of(Path log) throws IOException {
            return new Events(Files.exists(log) ? Files.readAllLines(log, StandardCharsets.ISO_8859_1) : List.of());
        }

        long count(String event) {
            return lines.stream().filter(line -> line.startsWith(event)).count();
        }

        /** Why the first job is held, if one is. */
        String trouble() {
            for (int i = 0; i + 1 < lines.size(); i++) {
                if (lines.get(i).startsWith(HELD)) {
                    return lines.get(i + 1).strip();
                }
            }
            return "none is held";
        }
    }
}
