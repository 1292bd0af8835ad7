// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.jobgate.perf.gateway.Commands;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;

/**
 * One application of the benchmark of skeleton_key: one long run and four short ones, from the local disk, by a wrapper on the local disk, and with
 * the application and its data read through the wrapper's FUSE.
 */
final class SkeletonApplication {

    private static final Duration TIMEOUT = Duration.ofMinutes(30);
    private static final int SHORT_RUNS = 4;
    private static final int LAYERS = 12;

    /** Of the primes of each number that is factored: about a second of work. */
    private static final int PRIME_BITS = 94;

    private static final String SLIDES = "the published slides, seconds of one R job: by Parrot and CVMFS; locally 333";

    /** Mean and variance of each cell over all layers, as often as it is told. */
    private static final String RASTERS = """
            words <- commandArgs(trailingOnly = TRUE)
            files <- sort(list.files(words[1], pattern = "^layer", full.names = TRUE))
            for (round in seq_len(as.integer(words[3]))) {
              stack <- sapply(files, function(file) scan(file, quiet = TRUE))
              result <- cbind(rowMeans(stack), apply(stack, 1, var))
              write.table(round(result, 6), file.path(words[2], "result.txt"), row.names = FALSE, col.names = FALSE)
            }
            cat(length(files), sum(result), "\\n")
            """;

    /** The two primes of so many of the numbers, as it is told by its environment: gp takes no words for its script. */
    private static final String FACTORS = """
            numbers = readvec(getenv("NUMBERS"));
            for (i = 1, eval(getenv("COUNT")), parts = factor(numbers[i]); print(parts[1, 1], " ", parts[2, 1]));
            quit
            """;

    /** Which applications there are. */
    enum Kind {
        R("R over layers", "rounds"),
        PARI("PARI/GP factoring", "numbers of 188 bits");

        private final String what;
        private final String units;

        Kind(String what, String units) {
            this.what = what;
            this.units = units;
        }
    }

    private final Kind kind;
    private final ChirpSite site;
    private final Path checkout;
    private final Path programs;
    private final int rounds;
    private final int cells;
    private final List<String> factors = new ArrayList<>();

    /**
     * An application.
     *
     * @param programs where chirp_fuse is
     * @param rounds of a short run; the long one has four times as many
     * @param cells of each layer
     */
    SkeletonApplication(Kind kind, ChirpSite site, Path checkout, Path programs, int rounds, int cells) {
        this.kind = requireNonNull(kind, "kind is null");
        this.site = requireNonNull(site, "site is null");
        this.checkout = requireNonNull(checkout, "checkout is null");
        this.programs = requireNonNull(programs, "programs is null");
        this.rounds = rounds;
        this.cells = cells;
    }

    /** Measures it in turns; answers how many results were not as they should be. */
    long measure(int turns, Report report) throws IOException, InterruptedException {
        switch (kind) {
            case R -> prepareRasters();
            case PARI -> prepareNumbers();
        }
        Commands local = commands(site, programs, "local");
        Commands through = commands(site, programs, "through");
        long wrong = 0;
        List<Row> rows = rows();
        for (int turn = 1; turn <= turns; turn++) {
            for (int run = 0; run <= SHORT_RUNS; run++) {
                Row row = rows.get(run);
                Scenario.progress(row.name() + ": turn " + turn + " of " + turns);
                int amount = run == 0 ? SHORT_RUNS * rounds : rounds;
                String line = line(amount);
                String name = kind + (run == 0 ? "-long" : "-short");
                row.ours(seconds(through, List.of(wrapper(site, checkout, name, line, true))));
                String byUs = result();
                row.peer("local disk", seconds(local, List.of("/bin/sh", "-c", line)));
                wrong += byUs.equals(result()) && isRight(byUs, amount) ? 0 : 1;
                row.peer(
                        "wrapper, local disk",
                        seconds(local, List.of(wrapper(site, checkout, name + "-alone", line, false))));
            }
        }
        rows.forEach(report::row);
        report.number(
                kind == Kind.R ? "application_to_local" : "factoring_to_local",
                requireNonNull(rows.getFirst().ratios().get("local disk")).median(),
                rows.getFirst().name() + ": through FUSE / local disk",
                Budget.NONE);
        return wrong;
    }

    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        Row one = new Row(kind.what + ", one run of " + SHORT_RUNS * rounds + " " + kind.units, "s", Row.Better.LOWER);
        rows.add(kind == Kind.R ? one.published("one run", 371, SLIDES) : one);
        for (int run = 1; run <= SHORT_RUNS; run++) {
            rows.add(new Row(
                    kind.what + ", short run " + run + " of " + SHORT_RUNS + ", " + rounds + " " + kind.units,
                    "s",
                    Row.Better.LOWER));
        }
        return rows;
    }

    private Path resultFile() {
        return site.export().resolve("out/result.txt");
    }

    private String result() throws IOException {
        return Files.readString(resultFile(), StandardCharsets.US_ASCII);
    }

    private boolean isRight(String result, int amount) {
        return kind == Kind.R ? !result.isEmpty() : result.lines().toList().equals(factors.subList(0, amount));
    }

    private Path in() {
        return site.export().resolve("in");
    }

    private void prepareRasters() throws IOException, InterruptedException {
        site.owned(List.of("cp", "-aL", "/usr/lib/R", in().resolve("R").toString()));
        Files.writeString(in().resolve("rasters.R"), RASTERS);
        Random random = new Random(1);
        for (int layer = 0; layer < LAYERS; layer++) {
            StringBuilder text = new StringBuilder(cells * 9);
            for (int cell = 0; cell < cells; cell++) {
                text.append(random.nextInt(10_000_000)).append('\n');
            }
            Files.writeString(in().resolve("layer" + (char) ('a' + layer)), text, StandardCharsets.US_ASCII);
        }
    }

    /** PARI's own libraries are read from where the data is, as the program. */
    private void prepareNumbers() throws IOException, InterruptedException {
        Path pari = in().resolve("pari");
        site.owned(List.of(
                "/bin/sh",
                "-c",
                "mkdir \"$1\" && cp -L /usr/bin/gp \"$1\" && ldd /usr/bin/gp | while read -r name arrow file address; do"
                        + " case $name in libpari*|libgmp*) cp -L \"$file\" \"$1/$name\";; esac; done",
                "sh",
                pari.toString()));
        Files.writeString(in().resolve("factors.gp"), FACTORS);
        Random random = new Random(1);
        List<String> numbers = new ArrayList<>();
        for (int i = 0; i < SHORT_RUNS * rounds; i++) {
            BigInteger one = BigInteger.probablePrime(PRIME_BITS, random);
            BigInteger other = BigInteger.probablePrime(PRIME_BITS, random);
            numbers.add(one.multiply(other).toString());
            factors.add(one.min(other) + " " + one.max(other));
        }
        Files.writeString(in().resolve("numbers"), numbers.stream().collect(Collectors.joining("\n", "", "\n")));
    }

    /** The application itself is read from where the data is, as one that a job brings along. */
    private String line(int amount) {
        return switch (kind) {
            case R ->
                "R_HOME=\"$CHIRP_MOUNT/in/R\" LD_LIBRARY_PATH=\"$CHIRP_MOUNT/in/R/lib\""
                        + " \"$CHIRP_MOUNT/in/R/bin/exec/R\" --no-echo --no-restore --no-save --file=\"$CHIRP_MOUNT/in/rasters.R\""
                        + " --args \"$CHIRP_MOUNT/in\" \"$CHIRP_MOUNT/out\" " + amount;
            case PARI ->
                "NUMBERS=\"$CHIRP_MOUNT/in/numbers\" COUNT=" + amount + " LD_LIBRARY_PATH=\"$CHIRP_MOUNT/in/pari\""
                        + " \"$CHIRP_MOUNT/in/pari/gp\" -q -f \"$CHIRP_MOUNT/in/factors.gp\" > \"$CHIRP_MOUNT/out/result.txt\"";
        };
    }

    // ---- also for the disk's floor

    static double seconds(Commands commands, List<String> command) throws IOException, InterruptedException {
        return commands.run(command).toNanos() / 1e9;
    }

    static String wrapper(ChirpSite site, Path checkout, String name, String line, boolean hasData)
            throws IOException, InterruptedException {
        Path wrapper = site.directory().resolve(name);
        return (Files.exists(wrapper) ? wrapper : site.wrapper(checkout, name, line, hasData)).toString();
    }

    static Commands commands(ChirpSite site, Path programs, String name) {
        var environment = ChirpSite.wrapperEnvironment(site.directory(), programs);
        if (name.equals("local")) {
            environment.put("CHIRP_MOUNT", site.export().toString());
        }
        return new Commands(site.directory().resolve(name + ".log"), environment, TIMEOUT);
    }
}
