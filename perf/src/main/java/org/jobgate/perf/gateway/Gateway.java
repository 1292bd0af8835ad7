// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.gateway;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The process of one gateway: started, watched, killed and started again. It never touches a process that is not of its own lab. */
public final class Gateway implements AutoCloseable {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration STOP_TIMEOUT = Duration.ofMinutes(4);
    private static final Duration ADMIN_TIMEOUT = Duration.ofSeconds(30);
    private static final long POLL_MS = 5;
    private static final String RUNNING = "running";

    private final Lab lab;
    private final Commands starter;
    private final AdminSocket admin;

    /**
     * A gateway that does not run yet.
     *
     * @param environment what is set for it beside the harness's own environment
     */
    public Gateway(Lab lab, Map<String, String> environment) {
        this.lab = requireNonNull(lab, "lab is null");
        this.starter = new Commands(lab.directory().resolve("start.log"), environment, START_TIMEOUT);
        this.admin = new AdminSocket(lab.state().resolve("admin.sock"), ADMIN_TIMEOUT);
    }

    public AdminSocket admin() {
        return admin;
    }

    /**
     * Starts it.
     *
     * @return from the start of {@code jobgate start} until the gateway says that it is running
     */
    public Duration start() throws IOException, InterruptedException {
        long begin = System.nanoTime();
        Process launcher = launch();
        while (!isRunning()) {
            if (System.nanoTime() - begin > START_TIMEOUT.toNanos()) {
                launcher.destroyForcibly();
                throw new IOException("the gateway was not running within " + START_TIMEOUT + ": " + starter.written());
            }
            if (!launcher.isAlive() && launcher.exitValue() != 0) {
                throw new IOException(
                        "jobgate start ended with status " + launcher.exitValue() + ": " + starter.written());
            }
            Thread.sleep(POLL_MS);
        }
        Duration taken = Duration.ofNanos(System.nanoTime() - begin);
        launcher.waitFor(START_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        return taken;
    }

    /** Begins to start it, and does not wait. */
    public Process launch() throws IOException {
        return starter.start(List.of(
                lab.checkout().jobgate(),
                "start",
                "--timeout",
                Long.toString(START_TIMEOUT.toSeconds()),
                "--config",
                lab.configurationFile().toString()));
    }

    /** Whether it answers and says that it is running. */
    public boolean isRunning() {
        try {
            return RUNNING.equals(admin.status().path("state").asString(""));
        } catch (IOException notYet) {
            return false;
        }
    }

    /** The process id that the state directory names, if that process lives and is this gateway. */
    public OptionalLong pid() throws IOException {
        Path file = lab.state().resolve("jobgate.pid");
        if (!Files.exists(file)) {
            return OptionalLong.empty();
        }
        String text = Files.readString(file, StandardCharsets.US_ASCII).strip();
        if (!text.matches("[1-9][0-9]{0,9}")) {
            return OptionalLong.empty();
        }
        long pid = Long.parseLong(text);
        return isOurs(pid) ? OptionalLong.of(pid) : OptionalLong.empty();
    }

    /** Process ids are used again: only one whose command line names our configuration file is our gateway. */
    private boolean isOurs(long pid) {
        Path commandLine = Path.of("/proc", Long.toString(pid), "cmdline");
        try {
            return Files.readString(commandLine, StandardCharsets.ISO_8859_1)
                    .contains(lab.configurationFile().toString());
        } catch (IOException ended) {
            // before it was opened or while it was read
            return false;
        }
    }

    /** Its Perl workers, and what runs them as other accounts. */
    public List<ProcessHandle> workers() throws IOException {
        OptionalLong pid = pid();
        return pid.isEmpty()
                ? List.of()
                : ProcessHandle.of(pid.getAsLong()).stream()
                        .flatMap(ProcessHandle::descendants)
                        .filter(child -> Stream.of(child.info().arguments().orElse(new String[0]))
                                .anyMatch(argument -> argument.endsWith("jobgate-worker")))
                        .toList();
    }

    /**
     * Sends all of its workers this signal.
     *
     * @param signal as {@code kill} names it, e.g. {@code STOP}
     * @return the workers
     */
    public List<ProcessHandle> signalWorkers(String signal) throws IOException, InterruptedException {
        List<ProcessHandle> workers = workers();
        if (!workers.isEmpty()) {
            // one may be gone by now
            String pids = workers.stream()
                    .map(process -> Long.toString(process.pid()))
                    .collect(Collectors.joining(" "));
            var unused = new Commands(lab.directory().resolve("kill.log"), Map.of(), STOP_TIMEOUT)
                    .run(List.of("/bin/sh", "-c", "kill -" + signal + " " + pids + " || true"));
        }
        return workers;
    }

    /** Memory and CPU time of the process. */
    public ProcessFigures figures() throws IOException {
        return ProcessFigures.of(pid().orElseThrow(() -> new IOException("the gateway does not run")));
    }

    /** Writes what the flight recorder has seen of the running process, which was started with it. */
    public void dumpRecording(Path file) throws IOException, InterruptedException {
        long pid = pid().orElseThrow(() -> new IOException("the gateway does not run"));
        Files.createDirectories(file.toAbsolutePath().getParent());
        Commands jcmd = new Commands(lab.directory().resolve("jcmd.log"), Map.of(), STOP_TIMEOUT);
        var unused = jcmd.run(List.of(
                Path.of(System.getProperty("java.home"), "bin/jcmd").toString(),
                Long.toString(pid),
                "JFR.dump",
                "filename=" + file));
        if (!Files.exists(file)) {
            throw new IOException("the flight recorder wrote no " + file + ": " + jcmd.written());
        }
    }

    /**
     * Ends the process as a power cut would (SIGKILL) and waits until it is gone.
     *
     * @return whether there was one
     */
    public boolean kill() throws IOException, InterruptedException {
        OptionalLong pid = pid();
        Optional<ProcessHandle> process = pid.isPresent() ? ProcessHandle.of(pid.getAsLong()) : Optional.empty();
        if (process.isEmpty()) {
            return false;
        }
        process.get().destroyForcibly();
        awaitEnd(pid.getAsLong());
        return true;
    }

    /** Ends it in order. */
    public void stop() throws IOException, InterruptedException {
        OptionalLong pid = pid();
        if (pid.isPresent()) {
            admin.stop();
            awaitEnd(pid.getAsLong());
        }
    }

    private void awaitEnd(long pid) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        while (isOurs(pid)) {
            if (System.nanoTime() - begin > STOP_TIMEOUT.toNanos()) {
                throw new IOException("the gateway (process " + pid + ") did not end within " + STOP_TIMEOUT);
            }
            Thread.sleep(POLL_MS);
        }
    }

    /** Ends it, in order where it still can. */
    @Override
    public void close() throws IOException {
        try {
            stop();
        } catch (IOException e) {
            killAfter(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the gateway was stopped", e);
        } finally {
            admin.close();
        }
    }

    private void killAfter(IOException cause) throws IOException {
        try {
            kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cause.addSuppressed(e);
        }
        throw new IOException("the gateway did not stop in order and was killed", cause);
    }
}
