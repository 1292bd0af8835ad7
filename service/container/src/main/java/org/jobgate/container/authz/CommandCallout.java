// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.authz;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jobgate.authz.AuthzRequest;
import org.jobgate.authz.DecisionPoint;
import org.jobgate.authz.PointDecision;
import org.jobgate.job.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a program: JSON on its standard input, JSON on its standard output. Its command line is the configuration's and nothing else; no
 * shell is between, and nothing of a client is ever on it. At most {@value #MAX_AT_ONCE} run at a time. Whatever is not a good answer in
 * time is one that cannot be said.
 */
public final class CommandCallout implements DecisionPoint {

    static final int MAX_AT_ONCE = 8;

    private static final Logger LOG = LoggerFactory.getLogger(CommandCallout.class);
    private static final int MAX_SAID = 300;

    private final String name;
    private final List<String> command;
    private final Duration timeout;
    private final Executor executor;
    private final Semaphore slots = new Semaphore(MAX_AT_ONCE);

    /**
     * Runs nothing yet.
     *
     * @param timeout for one run, the waiting for its turn included
     * @param executor reads what programs write
     */
    public CommandCallout(String name, List<String> command, Duration timeout, Executor executor) {
        this.name = requireNonNull(name, "name is null");
        this.command = List.copyOf(command);
        this.timeout = requireNonNull(timeout, "timeout is null");
        this.executor = requireNonNull(executor, "executor is null");
    }

    @Override
    public PointDecision judge(AuthzRequest request) {
        long end = System.nanoTime() + timeout.toNanos();
        try {
            if (!slots.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                return failed(MAX_AT_ONCE + " runs at a time are allowed, and none ended in time");
            }
            try {
                return run(request, end);
            } finally {
                slots.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed("interrupted");
        }
    }

    private PointDecision run(AuthzRequest request, long end) throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/local/bin:/usr/bin:/bin");
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            return failed(Reason.of(e));
        }
        try {
            CompletableFuture<byte[]> said = reading(process.getErrorStream());
            CompletableFuture<byte[]> answer = reading(process.getInputStream());
            try (OutputStream in = process.getOutputStream()) {
                in.write(CalloutMessage.question(request));
            } catch (IOException e) {
                LOG.debug("{} did not read its question: {}", name, Reason.of(e));
            }
            byte[] bytes = answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            byte[] words = said.get(Math.max(end - System.nanoTime(), 1), TimeUnit.NANOSECONDS);
            if (!process.waitFor(Math.max(end - System.nanoTime(), 1), TimeUnit.NANOSECONDS)) {
                return failed("it did not end within " + timeout.toMillis() + " ms");
            }
            return process.exitValue() == 0
                    ? CalloutMessage.answer(bytes)
                    : failed("it ended with status " + process.exitValue() + ": " + head(words));
        } catch (TimeoutException e) {
            return failed("it did not end within " + timeout.toMillis() + " ms");
        } catch (ExecutionException e) {
            return failed(String.valueOf(e.getCause()));
        } catch (IllegalArgumentException e) {
            return failed(String.valueOf(e.getMessage()));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private CompletableFuture<byte[]> reading(InputStream stream) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        byte[] bytes = stream.readNBytes(CalloutMessage.MAX_BYTES + 1);
                        if (bytes.length > CalloutMessage.MAX_BYTES) {
                            throw new IllegalArgumentException(
                                    "it wrote more than " + CalloutMessage.MAX_BYTES + " bytes");
                        }
                        return bytes;
                    } catch (IOException e) {
                        throw new IllegalArgumentException("what it wrote cannot be read: " + Reason.of(e), e);
                    }
                },
                executor);
    }

    private static String head(byte[] words) {
        String text = new String(words, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
        return text.length() <= MAX_SAID ? text : text.substring(0, MAX_SAID);
    }

    private PointDecision failed(String why) {
        LOG.warn("The authorization program {} gave no answer: {}.", name, why);
        return new PointDecision.Indeterminate("The authorization program " + name + " gave no answer");
    }
}
