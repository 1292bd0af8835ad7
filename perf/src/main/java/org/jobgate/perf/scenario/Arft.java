// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jobgate.perf.gateway.Account;
import org.jobgate.perf.gateway.Commands;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LabGrid;
import org.jobgate.perf.gateway.LrmChoice;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The ARFT paper's scenario: one large file from one GridFTP server to another, by sizes and numbers of parallel streams, compressible or
 * not; by our {@code rft}, by {@code globus-url-copy} and, as the floor, by {@code cp}. Each figure is of a whole command.
 */
@Command(
        name = "arft",
        description = "one large file between two GridFTP servers, by size and streams, beside globus-url-copy and cp")
public final class Arft extends Scenario {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final int MEGABYTE = 1_000_000;
    private static final double BUDGET_LARGE = 1 / 0.95;
    private static final int LARGE = 1000;
    private static final double BUDGET_SMALL = 1.2;
    private static final String WRONG = "copies that were not as their source";

    /** What is in the files. */
    enum Content {
        RANDOM,
        TEXT
    }

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "0,5,100,1000",
            description = "of the files, in MB (10^6 bytes), 0 for an empty one (default: ${DEFAULT-VALUE})")
    List<Integer> sizes = new ArrayList<>();

    @Option(
            names = "--streams",
            split = ",",
            defaultValue = "1,4,32",
            description = "parallel streams (default: ${DEFAULT-VALUE})")
    List<Integer> streams = new ArrayList<>();

    @Option(
            names = "--contents",
            split = ",",
            defaultValue = "RANDOM",
            description =
                    "RANDOM, TEXT: the second can be packed, which is not done between GridFTP servers (default: ${DEFAULT-VALUE})")
    List<Content> contents = new ArrayList<>();

    @Option(
            names = "--small",
            defaultValue = "500",
            description = "files of 10 KB, all in one request; 0 for none (default: ${DEFAULT-VALUE})")
    int small;

    @Option(
            names = "--at-once",
            defaultValue = "2",
            description =
                    "of the files of 10 KB, by us, which is what a request may ask for; the machine of RESULTS.md has two processors (default: ${DEFAULT-VALUE})")
    int atOnce;

    @Option(names = "--repeat", defaultValue = "3", description = "turns of each (default: ${DEFAULT-VALUE})")
    int repeat;

    @Mixin
    ArftLinks links = new ArftLinks();

    private long wrong;

    /** With default options. */
    public Arft() {
        super("arft");
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
    String settings() {
        return ArftLinks.TREE;
    }

    @Override
    void checkOptions() {
        require(links.refusal().isEmpty(), links.refusal());
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        LabGrid grid = LabGrid.require();
        try (Sandbox sandbox = Sandbox.of(grid.account())) {
            ArftLinks.prepare(lab, sandbox.directory());
            gateway.start();
            wrong += links.measure(lab, grid.account(), sandbox.directory(), sizes, report);
            if (links.only) {
                report.count("wrong", wrong, WRONG, Budget.atMost(0));
                return wrong == 0;
            }
            Copying copying = new Copying(
                    lab,
                    grid.account(),
                    lab.clients(TIMEOUT),
                    new Commands(lab.directory().resolve("peer.log"), grid.environment(), TIMEOUT),
                    sandbox.directory(),
                    atOnce);
            if (small > 0) {
                smallFiles(report, sandbox.input(), copying);
            }
            for (Content content : contents) {
                for (int size : sizes) {
                    Path file = write(content, size, copying);
                    for (int count : streams) {
                        rows(report, content, size, count, file, copying);
                    }
                    Files.delete(file);
                }
            }
        }
        report.count("wrong", wrong, WRONG, Budget.atMost(0))
                .note(
                        "A figure is of a whole command: of ours the start of a client, a delegation, a request that is kept, its end and the "
                                + "client's end; globus-url-copy keeps nothing. What is the same for any size is in the rows of an empty "
                                + "file. Both files lie on one disk, to which the copies before are written before each of them.");
        return wrong == 0;
    }

    /** What the GRAM4 paper found slow. */
    private void smallFiles(Report report, Path file, Copying copying) throws IOException, InterruptedException {
        Row row = new Row(small + " x 10 KB, ms per file", "ms", Row.Better.LOWER);
        copying.oursMany(file, small);
        copying.forget(small);
        for (int i = 1; i <= repeat; i++) {
            progress(row.name() + ": turn " + i + " of " + repeat);
            row.ours(1_000 * copying.oursMany(file, small) / small);
            wrong += copying.differing(file, small);
            row.peer("globus-url-copy -fast -pp", 1_000 * copying.theirsMany(file, small, "-pp") / small);
            wrong += copying.differing(file, small);
            row.peer("globus-url-copy -fast -cc 4", 1_000 * copying.theirsMany(file, small, "-cc", "4") / small);
            wrong += copying.differing(file, small);
        }
        report.row(row);
        report.number(
                "small_to_globus_url_copy",
                requireNonNull(row.ratios().get("globus-url-copy -fast -pp")).median(),
                row.name() + ": ours / globus-url-copy -fast -pp",
                Budget.atMost(BUDGET_SMALL));
    }

    private static Path write(Content content, int megabytes, Copying copying) throws IOException {
        Path file = copying.directory().resolve("arft-" + megabytes);
        write(content, (long) megabytes * MEGABYTE, file);
        copying.account().own(file);
        return file;
    }

    /** A file of so many bytes, the same each time. */
    static void write(Content content, long bytes, Path file) throws IOException {
        byte[] piece = new byte[MEGABYTE];
        Random random = new Random(bytes);
        byte[] line = "the same line again and again, as a log has it, number ".getBytes(StandardCharsets.US_ASCII);
        try (OutputStream out = Files.newOutputStream(file)) {
            for (long left = bytes; left > 0; left -= MEGABYTE) {
                if (content == Content.RANDOM) {
                    random.nextBytes(piece);
                } else {
                    for (int k = 0; k < piece.length; k++) {
                        piece[k] = k % 64 < line.length ? line[k % 64] : (byte) ('0' + random.nextInt(10));
                    }
                }
                out.write(piece, 0, (int) Math.min(piece.length, left));
            }
        }
        try (FileChannel written = FileChannel.open(file, StandardOpenOption.WRITE)) {
            written.force(true); // else the disk writes it while the first turns are measured
        }
    }

    private void rows(Report report, Content content, int size, int count, Path file, Copying copying)
            throws IOException, InterruptedException {
        String kind = content == Content.RANDOM ? "" : ", text";
        String what = size == 0 ? "an empty file" : size + " MB";
        Row row = new Row(what + ", " + count + (count == 1 ? " stream" : " streams") + kind, "s", Row.Better.LOWER);
        copying.ours(file, 1); // both, not counted: the first finds nothing of the file in memory
        copying.theirs(file, 1);
        Files.delete(copying.copy());
        for (int i = 1; i <= repeat; i++) {
            progress(row.name() + ": turn " + i + " of " + repeat);
            row.ours(copying.ours(file, count));
            check(file, copying.copy());
            row.peer("globus-url-copy", copying.theirs(file, count));
            check(file, copying.copy());
            if (count == streams.getFirst()) {
                row.peer("cp", copying.plainly(file));
            }
        }
        report.row(row);
        if (size == LARGE) {
            report.number(
                    "to_globus_url_copy_" + size + "_" + count + kind.replace(", ", "_"),
                    requireNonNull(row.ratios().get("globus-url-copy")).median(),
                    row.name() + ": our time / globus-url-copy's",
                    Budget.atMost(BUDGET_LARGE));
        }
    }

    private void check(Path source, Path copy) throws IOException {
        wrong += Files.mismatch(source, copy) == -1 ? 0 : 1;
        Files.delete(copy);
    }

    /** A file of a directory from the near server to the far one, by each way. */
    private record Copying(Lab lab, Account account, Commands clients, Commands user, Path directory, int atOnce) {

        Path copy() {
            return directory.resolve("copy");
        }

        /** What the turn before has left to be written would be written while the next one is measured. */
        private void settle() throws IOException, InterruptedException {
            clients.run(List.of("sync", "-f", directory.toString()));
        }

        double ours(Path file, int streams) throws IOException, InterruptedException {
            settle();
            return rft(streams, 1, List.of(LabGrid.near(file), LabGrid.far(copy())));
        }

        double oursMany(Path file, int files) throws IOException, InterruptedException {
            List<String> urls = new ArrayList<>();
            for (int i = 0; i < files; i++) {
                urls.addAll(List.of(LabGrid.near(file), LabGrid.far(copy(i))));
            }
            settle();
            return rft(1, atOnce, urls);
        }

        /** RFT's own form of a request: its eleven lines of options come first. */
        private double rft(int streams, int atOnce, List<String> urls) throws IOException, InterruptedException {
            Path request = lab.directory().resolve("arft.rft");
            List<String> lines =
                    new ArrayList<>(List.of("true", "262144", "0", "false", Integer.toString(streams), "true"));
            lines.addAll(List.of(Integer.toString(atOnce), "null", "null", "false", "1"));
            lines.addAll(urls);
            Files.write(request, lines);
            String rft = lab.checkout().directory().resolve("bin/rft").toString();
            String[] place = lab.url().replaceFirst("https://", "").split(":", 2);
            return seconds(clients.run(List.of(rft, "-q", "-h", place[0], "-r", place[1], "-f", request.toString())));
        }

        double theirsMany(Path file, int files, String... how) throws IOException, InterruptedException {
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < files; i++) {
                lines.add(LabGrid.near(file) + " " + LabGrid.far(copy(i)));
            }
            Path list = Files.write(directory.resolve("list"), lines);
            account.own(list);
            List<String> command = new ArrayList<>(List.of("globus-url-copy", "-fast"));
            command.addAll(List.of(how));
            command.addAll(List.of("-f", list.toString()));
            settle();
            return seconds(user.run(account.words(command)));
        }

        private Path copy(int number) {
            return directory.resolve("copy-" + number);
        }

        /** How many of the copies are not as their source; they are deleted. */
        int differing(Path file, int files) throws IOException {
            int differing = 0;
            for (int i = 0; i < files; i++) {
                differing += Files.exists(copy(i)) && Files.mismatch(file, copy(i)) == -1 ? 0 : 1;
            }
            forget(files);
            return differing;
        }

        void forget(int files) throws IOException {
            for (int i = 0; i < files; i++) {
                Files.deleteIfExists(copy(i));
            }
        }

        double theirs(Path file, int streams) throws IOException, InterruptedException {
            settle();
            List<String> command = new ArrayList<>(List.of("globus-url-copy"));
            if (streams > 1) {
                command.addAll(List.of("-p", Integer.toString(streams)));
            }
            command.addAll(List.of(LabGrid.near(file), LabGrid.far(copy())));
            return seconds(user.run(account.words(command)));
        }

        double plainly(Path file) throws IOException, InterruptedException {
            settle();
            double seconds = seconds(user.run(account.words(List.of("cp", file.toString(), copy().toString()))));
            Files.delete(copy());
            return seconds;
        }

        private static double seconds(Duration taken) {
            return taken.toNanos() / 1e9;
        }
    }
}
