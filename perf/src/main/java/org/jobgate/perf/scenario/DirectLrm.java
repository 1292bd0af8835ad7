// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jobgate.perf.gateway.LrmChoice;

/**
 * An LRM as its users have it without a gateway: the same jobs given to it by its own command, as the same account, and their end seen
 * by its own means. Its commands are found along the PATH, with the LRM's variables of the environment (e.g. {@code eval
 * "$(docker/lab/slurm env)"}).
 */
enum DirectLrm {
    /** One shell starts all as its children. */
    FORK("Fork") {
        @Override
        void run(Direct as, int jobs, String tag, List<String> program) throws IOException, InterruptedException {
            List<String> words = new ArrayList<>(List.of(
                    "/bin/sh",
                    "-c",
                    "n=$1; shift; while [ $n -gt 0 ]; do \"$@\" & n=$((n-1)); done; wait",
                    "sh",
                    "" + jobs));
            words.addAll(program);
            as.run(words.toArray(String[]::new));
        }
    },
    /** One condor_submit for all; the end is in the jobs' event log. */
    CONDOR("Condor") {
        @Override
        void run(Direct as, int jobs, String tag, List<String> program) throws IOException, InterruptedException {
            condor(as, jobs, tag, program, "should_transfer_files = NO\n");
        }
    },
    /** One sbatch for each; the end is that none is in the queue. */
    SLURM("Slurm") {
        @Override
        void run(Direct as, int jobs, String tag, List<String> program) throws IOException, InterruptedException {
            Path script = as.write(tag + ".sh", "#!/bin/sh\nexec " + String.join(" ", program) + "\n");
            as.runEach(jobs, "sbatch", "--quiet", "-J", tag, "-o", "/dev/null", "-D", "/tmp", script.toString());
            awaitSlurm(as, tag);
        }
    },
    /** One qsub for each; the end is that none is in the list. */
    SGE("SGE") {
        @Override
        void run(Direct as, int jobs, String tag, List<String> program) throws IOException, InterruptedException {
            List<String> words = new ArrayList<>(
                    List.of("qsub", "-terse", "-b", "y", "-N", tag, "-wd", "/tmp", "-o", "/dev/null", "-j", "y"));
            words.addAll(program);
            as.runEach(jobs, words.toArray(String[]::new));
            as.await(() -> !as.says("qstat", "-u", as.account()).contains(tag));
        }
    };

    static final String LAB_ACCOUNT = "jobgate-a";

    /** The account that jobs are submitted as: if root runs the harness, the lab's user, as batch systems run no jobs of root; else, and on Fork, the account that runs it. */
    String account() {
        String own = System.getProperty("user.name");
        return own.equals("root") && this != FORK ? LAB_ACCOUNT : own;
    }

    /** The same with lines of the submit file that say what is done with files. */
    static void condor(Direct as, int jobs, String tag, List<String> program, String files)
            throws IOException, InterruptedException {
        Path log = as.directory().resolve(tag + ".log");
        Path file = as.write(tag + ".sub", """
                universe = vanilla
                executable = %s
                arguments = %s
                transfer_executable = false
                %snotification = never
                log = %s
                queue %d
                """.formatted(
                        program.getFirst(), String.join(" ", program.subList(1, program.size())), files, log, jobs));
        as.run("condor_submit", "-terse", file.toString());
        as.await(() -> Files.exists(log) && condorEnded(log) >= jobs);
    }

    /** Until no job of that name is in Slurm's queue. */
    static void awaitSlurm(Direct as, String name) throws IOException, InterruptedException {
        as.await(() -> as.says("squeue", "--noheader", "--name", name).isBlank());
    }

    private static long condorEnded(Path log) throws IOException {
        return Files.readAllLines(log, StandardCharsets.ISO_8859_1).stream()
                .filter(line -> line.startsWith("005 "))
                .count();
    }

    private static final Duration TIMEOUT = Duration.ofMinutes(30);
    private static final long POLL_MS = 100;

    private final String clientName;

    DirectLrm(String clientName) {
        this.clientName = clientName;
    }

    /** The variables of the environment that its commands need, and the adapter's option for each. */
    private Map<String, String> variables() {
        return switch (this) {
            case FORK -> Map.of();
            case CONDOR -> Map.of("CONDOR_CONFIG", "condor_config");
            case SLURM -> Map.of("SLURM_CONF", "slurm_conf");
            case SGE ->
                Map.of(
                        "SGE_ROOT", "sge_root",
                        "SGE_CELL", "sge_cell",
                        "SGE_QMASTER_PORT", "sge_qmaster_port",
                        "SGE_EXECD_PORT", "sge_execd_port");
        };
    }

    /**
     * Gives the jobs to the LRM and waits until all are over.
     *
     * @param program what each runs; words without blanks and quotes
     */
    abstract void run(Direct as, int jobs, String tag, List<String> program) throws IOException, InterruptedException;

    /** What its users submit with. */
    String command() {
        return switch (this) {
            case FORK -> "sh";
            case CONDOR -> "condor_submit";
            case SLURM -> "sbatch";
            case SGE -> "qsub";
        };
    }

    /**
     * The LRM behind a gateway, its commands and variables those that we have.
     *
     * @throws IOException if they are not there
     */
    LrmChoice choice(String account, List<String> more) throws IOException {
        List<String> options = new ArrayList<>();
        if (this != FORK) {
            options.add(adapter() + "_bin=" + directoryOf(command()));
            new TreeMap<>(variables()).forEach((variable, option) -> {
                String value = System.getenv(variable);
                if (value != null) {
                    options.add(option + "=" + value);
                }
            });
        }
        options.addAll(more);
        boolean isOwn = account.equals(System.getProperty("user.name"));
        return new LrmChoice(clientName, adapter(), account, isOwn ? null : "~/.jobgate/perf", options);
    }

    private String adapter() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    private static Path directoryOf(String command) throws IOException {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            if (Files.isExecutable(Path.of(directory, command))) {
                return Path.of(directory);
            }
        }
        throw new IOException("there is no " + command
                + " along the PATH; bring the LRM up and set its environment, e.g. eval \"$(docker/lab/NAME env)\"");
    }

    /**
     * Commands run as an account, with a directory of its own.
     *
     * @param directory for what they read and write
     */
    record Direct(String account, Path directory) implements AutoCloseable {

        Direct {
            requireNonNull(account, "account is null");
            requireNonNull(directory, "directory is null");
        }

        static Direct of(String account) throws IOException {
            Path directory = Files.createTempDirectory("jobgate-perf-direct-");
            if (!account.equals(System.getProperty("user.name"))) {
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
                Files.setOwner(
                        directory,
                        directory
                                .getFileSystem()
                                .getUserPrincipalLookupService()
                                .lookupPrincipalByName(account));
            }
            return new Direct(account, directory);
        }

        Path write(String name, String text) throws IOException {
            Path file = Files.writeString(directory.resolve(name), text);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            return file;
        }

        /** What the same is in words that run as the account. */
        List<String> words(String... command) {
            List<String> words = new ArrayList<>();
            if (!account.equals(System.getProperty("user.name"))) {
                words.addAll(List.of("setpriv", "--reuid", account, "--regid", account, "--init-groups"));
            }
            words.addAll(List.of(command));
            return words;
        }

        /** The same command so many times, one after another in one shell, as a user's script would. */
        void runEach(int times, String... command) throws IOException, InterruptedException {
            List<String> words = new ArrayList<>(List.of(
                    "/bin/sh",
                    "-c",
                    "n=$1; shift; while [ $n -gt 0 ]; do \"$@\" || exit 1; n=$((n-1)); done",
                    "sh",
                    "" + times));
            words.addAll(List.of(command));
            run(words.toArray(String[]::new));
        }

        void run(String... command) throws IOException, InterruptedException {
            says(command);
        }

        /** What it prints; fails if it does. */
        String says(String... command) throws IOException, InterruptedException {
            Path output = Files.createTempFile("jobgate-perf-", ".out");
            try {
                Process process = new ProcessBuilder(words(command))
                        .directory(Path.of("/tmp").toFile())
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
                if (!process.waitFor(TIMEOUT.toMinutes(), TimeUnit.MINUTES)) {
                    process.destroyForcibly();
                    throw new IOException(command[0] + " did not end within " + TIMEOUT);
                }
                String said = Files.readString(output, StandardCharsets.ISO_8859_1);
                if (process.exitValue() != 0) {
                    throw new IOException(command[0] + " ended with status " + process.exitValue() + ": "
                            + said.substring(0, Math.min(said.length(), 1000)));
                }
                return said;
            } finally {
                Files.deleteIfExists(output);
            }
        }

        /** Asks until the answer is yes. */
        void await(Question question) throws IOException, InterruptedException {
            long begin = System.nanoTime();
            while (!question.ask()) {
                if (System.nanoTime() - begin > TIMEOUT.toNanos()) {
                    throw new IOException("the jobs were not over within " + TIMEOUT);
                }
                Thread.sleep(POLL_MS);
            }
        }

        @Override
        public void close() throws IOException {
            try (var tree = Files.walk(directory)) {
                for (Path path :
                        tree.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    /** Something to be asked of the LRM. */
    @FunctionalInterface
    interface Question {
        boolean ask() throws IOException, InterruptedException;
    }
}
