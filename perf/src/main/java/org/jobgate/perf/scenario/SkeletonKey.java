// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jobgate.perf.gateway.Account;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The benchmark of skeleton_key: applications ({@link SkeletonApplication}) that are read, with their data, through the remote file system of a
 * wrapper, beside the same from the local disk; and 1 to 64 clients that write and read files through
 * Chirp, beside the same with local files. No gateway takes part.
 */
@Command(
        name = "skeletonkey",
        description =
                "applications and their data through a wrapper's file system, and files by Chirp, beside the local disk")
public final class SkeletonKey extends Scenario {

    private static final int MEGABYTE = 1_000_000;
    private static final Path R_HOME = Path.of("/usr/lib/R");

    @Option(
            names = "--applications",
            split = ",",
            defaultValue = "R,PARI",
            description =
                    "R with a raster script over layers; PARI/GP that factors large numbers, in the place of the slides' Mathematica (default: ${DEFAULT-VALUE})")
    List<SkeletonApplication.Kind> applications = new ArrayList<>();

    @Option(
            names = "--rounds",
            defaultValue = "4",
            description =
                    "of a short run of an application; the long run has four times as many (default: ${DEFAULT-VALUE})")
    int rounds;

    @Option(
            names = "--cells",
            defaultValue = "60000",
            description = "of each of the twelve layers (default: ${DEFAULT-VALUE})")
    int cells;

    @Option(
            names = "--clients",
            split = ",",
            defaultValue = "1,4,16,64",
            description = "that write and read at once (default: ${DEFAULT-VALUE})")
    List<Integer> clients = new ArrayList<>();

    @Option(
            names = "--megabytes",
            defaultValue = "32",
            description = "of the file of each of them, 10^6 bytes (default: ${DEFAULT-VALUE})")
    int megabytes;

    @Option(names = "--repeat", defaultValue = "3", description = "turns of each (default: ${DEFAULT-VALUE})")
    int repeat;

    private long wrong;

    /** With default options. */
    public SkeletonKey() {
        super("skeletonkey");
    }

    @Override
    void checkOptions() {
        require(rounds >= 1 && cells >= 1 && megabytes >= 1, "--rounds, --cells and --megabytes want at least 1");
        require(repeat >= 1, "--repeat wants at least 1");
        require(
                clients.stream().allMatch(count -> count >= 0 && count <= 256),
                "--clients wants numbers from 0, for none, to 256");
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report) throws IOException, InterruptedException {
        Path checkout = lab.checkout().directory();
        try (ChirpSite site = ChirpSite.start(lab.checkout(), owner())) {
            Optional<Path> fuse = fuse();
            if (fuse.isEmpty()) {
                report.note(
                        "SKIPPED: the applications through FUSE. It needs root, /dev/fuse, R and a chirp_fuse that was built with FUSE:"
                                + " docker/lab/chirp up");
                progress("SKIPPED: there is no FUSE here for the applications");
            } else {
                for (SkeletonApplication.Kind kind : applications) {
                    wrong += new SkeletonApplication(kind, site, checkout, fuse.get(), rounds, cells)
                            .measure(repeat, report);
                }
            }
            Path source = file(site);
            for (int count : clients) {
                if (count > 0) {
                    files(report, site, source, count);
                }
            }
        }
        report.count("wrong", wrong, "results or copies that were not as they should be", Budget.atMost(0))
                .note(
                        "The file of each client is written to one disk in each case, and is on it before its time ends; before it is read, it is"
                                + " taken out of memory. Server and clients share the machine.");
        return wrong == 0;
    }

    /** Whoever runs this, but not root, as whom Chirp's server does not run. */
    private static Account owner() {
        Account own = new Account(System.getProperty("user.name"));
        return own.name().equals("root") ? new Account("jobgate-a") : own;
    }

    private static Optional<Path> fuse() {
        String lab = System.getenv().getOrDefault("JOBGATE_LAB", "/var/lib/jobgate-lab");
        Path programs = Path.of(System.getenv().getOrDefault("JOBGATE_LAB_CHIRP_BIN", lab + "/chirp/bin"));
        boolean isThere = Files.isExecutable(programs.resolve("chirp_fuse"))
                && Files.isWritable(Path.of("/dev/fuse"))
                && Files.isDirectory(R_HOME);
        return isThere ? Optional.of(programs) : Optional.empty();
    }

    // ---- files by many clients

    private Path file(ChirpSite site) throws IOException {
        Path source = site.local().resolve("source");
        byte[] piece = new byte[MEGABYTE];
        Random random = new Random(megabytes);
        try (OutputStream out = Files.newOutputStream(source)) {
            for (int i = 0; i < megabytes; i++) {
                random.nextBytes(piece);
                out.write(piece);
            }
        }
        return source;
    }

    private void files(Report report, ChirpSite site, Path source, int count) throws IOException, InterruptedException {
        String what = count + (count == 1 ? " client" : " clients") + " of " + megabytes + " MB each";
        Row writing = new Row(what + " write, MB/s of all", "MB/s", Row.Better.HIGHER)
                .published("64 clients of 10 GB", 230, "the slides: 180 to 230 MB/s, 12 % slower than local");
        Row reading = new Row(what + " read, MB/s of all", "MB/s", Row.Better.HIGHER)
                .published("64 clients of 10 GB", 150, "the slides: 120 to 150 MB/s, 1 % slower than local");
        double amount = (double) count * megabytes;
        for (int turn = 1; turn <= repeat; turn++) {
            progress(what + ": turn " + turn + " of " + repeat);
            Path exported = site.export().resolve("out");
            writing.ours(amount
                    / site.together(writes(site, source, count, exported, true)).all());
            writing.peer(
                    "local disk",
                    amount
                            / site.together(writes(site, source, count, site.local(), false))
                                    .all());
            forget(site, exported, count);
            reading.ours(
                    amount / site.together(reads(site, exported, count, true)).all());
            forget(site, site.local(), count);
            reading.peer(
                    "local disk",
                    amount
                            / site.together(reads(site, site.local(), count, false))
                                    .all());
            for (int i = 0; i < count; i++) {
                wrong += Files.mismatch(source, exported.resolve("file" + i)) == -1 ? 0 : 1;
                Files.delete(exported.resolve("file" + i));
                Files.delete(site.local().resolve("file" + i));
            }
        }
        report.row(writing).row(reading);
    }

    /** Each is over when its file is on disk. */
    private static List<List<String>> writes(ChirpSite site, Path source, int count, Path to, boolean isByChirp)
            throws IOException, InterruptedException {
        List<List<String>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String target = to.resolve("file" + i).toString();
            String put = isByChirp
                    ? "chirp_put -a ticket -i " + site.ticket() + " " + source + " " + site.address() + " /out/file" + i
                    : "cp " + source + " " + target;
            all.add(List.of("/bin/sh", "-c", put + " && sync " + target));
        }
        return all;
    }

    private static List<List<String>> reads(ChirpSite site, Path from, int count, boolean isByChirp)
            throws IOException, InterruptedException {
        List<List<String>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(
                    isByChirp
                            ? List.of(
                                    "chirp_get",
                                    "-a",
                                    "ticket",
                                    "-i",
                                    site.ticket().toString(),
                                    site.address(),
                                    "/out/file" + i,
                                    "/dev/null")
                            : List.of("dd", "if=" + from.resolve("file" + i), "of=/dev/null", "bs=1M"));
        }
        return all;
    }

    /** Takes the files out of memory, so that they are read from the disk. */
    private static void forget(ChirpSite site, Path directory, int count) throws IOException, InterruptedException {
        for (int i = 0; i < count; i++) {
            site.owned(List.of(
                    "dd", "of=" + directory.resolve("file" + i), "oflag=nocache", "conv=notrunc,fdatasync", "count=0"));
        }
    }
}
