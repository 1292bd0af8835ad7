// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.htcondor;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * HTCondor's commands, run as this process's account. No shell is between; each ends in its time or is ended, and its output is bounded
 * by {@link #MAX_OUTPUT}.
 */
public final class Htcondor {

    /** Bytes that a command may print. */
    public static final int MAX_OUTPUT = 64 * 1024 * 1024;

    private static final Pattern IDS =
            Pattern.compile("(?m)^([0-9]{1,9})\\.([0-9]{1,9}) - ([0-9]{1,9})\\.([0-9]{1,9})$");
    private static final int MAX_COMPLAINT = 2000;

    private final @Nullable Path bin;
    private final @Nullable Path configuration;
    private final Duration timeout;

    /**
     * The commands of a pool.
     *
     * @param bin where the commands are; null for the PATH
     * @param configuration the value of {@code CONDOR_CONFIG}; null for what the environment says
     * @param timeout for one command
     */
    public Htcondor(@Nullable Path bin, @Nullable Path configuration, Duration timeout) {
        this.bin = bin;
        this.configuration = configuration;
        this.timeout = requireNonNull(timeout, "timeout is null");
    }

    /** The first and last id, {@code cluster.process}, of what one submission made. */
    public record Cluster(long cluster, long first, long last) {}

    /**
     * Submits; {@code condor_submit -terse}.
     *
     * @throws IOException with HTCondor's words if it refuses, does not answer in time, or says something else
     */
    public List<Cluster> submit(SubmitDescription description, int processes) throws IOException, InterruptedException {
        Path file = Files.createTempFile("jobgate-", ".sub");
        try {
            Files.writeString(file, description.toText(processes));
            Matcher ids = IDS.matcher(run(file, "condor_submit", "-terse", "-"));
            List<Cluster> clusters = new ArrayList<>();
            while (ids.find()) {
                clusters.add(new Cluster(
                        Long.parseLong(ids.group(1)), Long.parseLong(ids.group(2)), Long.parseLong(ids.group(4))));
            }
            if (clusters.isEmpty()) {
                throw new IOException("condor_submit said no job's id");
            }
            return clusters;
        } finally {
            Files.delete(file);
        }
    }

    /** Removes jobs, given as {@code cluster} or {@code cluster.process}. */
    public void remove(List<String> ids, String reason) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("condor_rm", "-reason", reason));
        for (String id : ids) {
            if (!id.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
                throw new IllegalArgumentException("not the id of a job: '" + id + "'");
            }
            words.add(id);
        }
        var unused = run(null, words.toArray(String[]::new));
    }

    /** The jobs in the queue that meet the constraint, a ClassAd expression, with these attributes. */
    public List<ClassAd> queue(String constraint, List<String> attributes) throws IOException, InterruptedException {
        return ClassAdJson.parse(
                run(null, "condor_q", "-constraint", constraint, "-json", "-attributes", String.join(",", attributes)));
    }

    /**
     * The jobs in the history that meet the constraint, newest first.
     *
     * @param until the search ends at the first record for which this expression is true, e.g. {@code EnteredCurrentStatus < 1795196804}
     * @param limit the most records
     */
    public List<ClassAd> history(String constraint, String until, int limit, List<String> attributes)
            throws IOException, InterruptedException {
        return ClassAdJson.parse(run(
                null,
                "condor_history",
                "-constraint",
                constraint,
                "-since",
                until,
                "-limit",
                Integer.toString(limit),
                "-json",
                "-attributes",
                String.join(",", attributes)));
    }

    private String run(@Nullable Path input, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(words));
        if (bin != null) {
            command.set(0, bin.resolve(words[0]).toString());
        }
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectInput(input == null ? Path.of("/dev/null").toFile() : input.toFile());
        builder.environment().put("LC_ALL", "C");
        if (configuration != null) {
            builder.environment().put("CONDOR_CONFIG", configuration.toString());
        }
        Process process = builder.start();
        try {
            return outputOf(process, words[0]);
        } finally {
            process.destroyForcibly();
        }
    }

    private String outputOf(Process process, String name) throws IOException, InterruptedException {
        CompletableFuture<String> out = reading(process.getInputStream(), name);
        CompletableFuture<String> err = reading(process.getErrorStream(), name);
        if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IOException(name + " did not end within " + timeout.toSeconds() + " s");
        }
        try {
            if (process.exitValue() != 0) {
                String said = err.join().strip();
                throw new IOException(name + " failed with exit code " + process.exitValue() + ": "
                        + said.substring(0, Math.min(MAX_COMPLAINT, said.length())));
            }
            return out.join();
        } catch (CompletionException e) {
            throw new IOException(name + " could not be read: " + e.getCause(), e);
        }
    }

    /** A full pipe would stop the command: what goes over the limit ends it instead. */
    private static CompletableFuture<String> reading(InputStream stream, String name) {
        CompletableFuture<String> text = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try (stream) {
                byte[] bytes = stream.readNBytes(MAX_OUTPUT + 1);
                if (bytes.length > MAX_OUTPUT) {
                    throw new UncheckedIOException(
                            new IOException(name + " printed more than " + MAX_OUTPUT + " bytes"));
                }
                text.complete(new String(bytes, StandardCharsets.UTF_8));
            } catch (IOException | UncheckedIOException e) {
                text.completeExceptionally(e);
            }
        });
        return text;
    }
}
