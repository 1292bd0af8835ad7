// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jobgate.perf.gateway.Commands;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LabGrid;
import org.jobgate.perf.gateway.LrmChoice;
import org.jobgate.perf.peer.Arex;
import org.jobgate.perf.peer.ForkExec;
import org.jobgate.perf.peer.Gram5;
import org.jobgate.perf.peer.Ourselves;
import org.jobgate.perf.peer.Peer;
import org.jobgate.perf.peer.Work;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The GRAM paper's Table 2: no-op jobs one after another on Fork, with and without delegation and files of 10 KB, by us and by others in
 * turn. All have the same user, the same certificates and the same GridFTP servers.
 */
@Command(
        name = "table2",
        description =
                "the paper's Table 2: jobs one after another, with delegation and 10 KB in and out, beside GRAM5, A-REX and fork+exec")
public final class Table2 extends Scenario {

    private static final Duration JOB_TIMEOUT = Duration.ofMinutes(5);
    private static final int FILE_BYTES = 10_240;
    private static final String PAPER = "the GRAM4 paper's figures, as this project's tasks quote them";

    @Option(names = "--jobs", defaultValue = "20", description = "our jobs of one turn (default: ${DEFAULT-VALUE})")
    int jobs;

    @Option(
            names = "--peer-jobs",
            defaultValue = "3",
            description = "jobs of one turn of GRAM5 and A-REX, which take seconds each (default: ${DEFAULT-VALUE})")
    int peerJobs;

    @Option(names = "--repeat", defaultValue = "3", description = "turns of each (default: ${DEFAULT-VALUE})")
    int repeat;

    @Option(
            names = "--peer",
            paramLabel = "NAME",
            description =
                    "only these: fork+exec, gram5-poll, gram5-seg, a-rex, a-rex-tuned; none for none (default: all that are there)")
    List<String> chosen = new ArrayList<>();

    private int number;
    /** The servers that failed, with the files; they are not tried again in another row with the same files. */
    private final Set<String> cannot = new HashSet<>();

    private final Map<String, Integer> failures = new LinkedHashMap<>();

    /** With default options. */
    public Table2() {
        super("table2");
    }

    @Override
    LrmChoice lrm() throws IOException {
        return LabGrid.require().fork();
    }

    @Override
    Optional<LabGrid> grid() throws IOException {
        return Optional.of(LabGrid.require());
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        LabGrid grid = LabGrid.require();
        Path files = grid.account().temporaryDirectory();
        try {
            Path input = Files.write(files.resolve("10k"), new byte[FILE_BYTES]);
            grid.account().own(input);
            gateway.start();
            Ourselves ours = new Ourselves(lab, lab.clients(JOB_TIMEOUT), files);
            List<Peer> peers = present(report, peers(lab, grid, files));
            Work first = Work.ALL.getFirst();
            for (Peer peer : List.copyOf(peers)) {
                // its daemons begin with the first job; a peer that cannot do even this one is left out
                if (turn(first, peer, 1).isEmpty()) {
                    peers.remove(peer);
                }
            }
            for (Work work : Work.ALL) {
                row(report, work, ours, peers);
            }
            for (Peer peer : peers) {
                if (!peer.remark().isEmpty()) {
                    report.note(peer.remark());
                }
                peer.close();
            }
        } finally {
            remove(files);
        }
        report.put("jobs_of_a_turn", Map.of("ours and fork+exec", jobs, "GRAM5 and A-REX", peerJobs));
        failures.forEach((what, count) -> report.note("failed, and left out: " + what + " (" + count + " times)"));
        report.count(
                "failed",
                failures.values().stream().mapToInt(Integer::intValue).sum(),
                "jobs that failed",
                Budget.NONE);
        return failures.keySet().stream().noneMatch(what -> what.startsWith("Jobgate"));
    }

    private List<Peer> peers(Lab lab, LabGrid grid, Path files) throws IOException {
        Commands asUser = new Commands(lab.directory().resolve("peer.log"), grid.environment(), JOB_TIMEOUT);
        return List.of(
                new ForkExec(asUser),
                new Gram5("poll", grid, asUser, files),
                new Gram5("seg", grid, asUser, files),
                new Arex(Arex.Kind.STOCK, grid, files),
                new Arex(Arex.Kind.TUNED, grid, files));
    }

    private List<Peer> present(Report report, List<Peer> all) throws IOException, InterruptedException {
        List<Peer> present = new ArrayList<>();
        Map<String, String> versions = new LinkedHashMap<>();
        for (Peer peer : all) {
            if (!chosen.isEmpty() && !chosen.contains(optionName(peer))) {
                continue;
            }
            Optional<String> absence = peer.absence();
            if (absence.isPresent()) {
                progress("SKIPPED: " + peer.name() + " is not measured: " + absence.get());
                report.note(peer.name() + " was skipped: " + absence.get());
            } else {
                present.add(peer);
                versions.put(peer.name(), peer.version());
            }
        }
        report.put("versions", versions);
        return present;
    }

    private static String optionName(Peer peer) {
        return peer.name().toLowerCase(java.util.Locale.ROOT).replace(' ', '-');
    }

    private void row(Report report, Work work, Peer ours, List<Peer> peers)
            throws InterruptedException, GeneralSecurityException {
        String files = (work.in() ? "in" : "") + (work.out() ? "out" : "");
        Row row = new Row(work.label(), "s per job", Row.Better.LOWER);
        List<Peer> present = new ArrayList<>(peers.stream()
                .filter(peer -> peer.does(work) && !cannot.contains(peer.name() + files))
                .toList());
        boolean weDo = turn(work, ours, 2).isPresent();
        for (int i = 1; weDo && i <= repeat; i++) {
            progress(work.label() + ": turn " + i + " of " + repeat);
            Optional<Double> own = turn(work, ours, jobs);
            if (own.isEmpty()) {
                break;
            }
            row.ours(own.get());
            for (Peer peer : List.copyOf(present)) {
                Optional<Double> theirs = turn(work, peer, peer instanceof ForkExec ? jobs : peerJobs);
                theirs.ifPresentOrElse(seconds -> row.peer(peer.name(), seconds), () -> {
                    present.remove(peer);
                    cannot.add(peer.name() + files);
                });
            }
        }
        publish(work, row);
        if (row.isMeasured()) {
            report.row(row);
        }
    }

    /** Seconds per job, from the first submission to the last end; empty where one failed. */
    private Optional<Double> turn(Work work, Peer peer, int times)
            throws InterruptedException, GeneralSecurityException {
        Progress progress = Progress.of(peer.name(), times);
        long begin = System.nanoTime();
        try {
            for (int i = 0; i < times; i++) {
                peer.run(work, number++);
                progress.step();
            }
            return Optional.of((System.nanoTime() - begin) / 1e9 / times);
        } catch (IOException e) {
            progress("FAILED: " + peer.name() + ", " + work.label() + ": " + e.getMessage());
            failures.merge(peer.name() + ", " + work.label() + ": " + e.getMessage(), 1, Integer::sum);
            return Optional.empty();
        } finally {
            progress.end();
        }
    }

    private static void publish(Work work, Row row) {
        if (work.in() && work.out()) {
            row.published("GRAM4, least", 7.9, PAPER).published("GRAM4, most", 9.1, PAPER);
        } else if (work.delegation() == Work.Delegation.NONE) {
            row.published("GRAM4", 1.7, PAPER);
        }
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
