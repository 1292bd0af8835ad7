// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code jobgate start|stop|status|drain|resume|doctor|config check}. */
class ServerCommands {
    private static final int NOT_RUNNING = 3;
    private static final int FAILED = 1;
    private static final Set<String> UP = Set.of("running", "draining");
    private static final long LOOK_EVERY_MS = 50;

    @Command(
            name = "start",
            mixinStandardHelpOptions = true,
            description = "Start the server and wait until it is ready.")
    int start(
            @Mixin Context context,
            @Option(names = "--foreground", description = "Stay in the foreground (done by the launcher).")
                    boolean isForeground,
            @Option(names = "--timeout", defaultValue = "60", description = "How many seconds to wait for it.")
                    int timeoutSeconds)
            throws AdminException, InterruptedException {
        PrintWriter out = context.out();
        if (isForeground) {
            throw new AdminException("--foreground must be given to bin/jobgate itself: it becomes the server.");
        }
        StateDirectory state = context.state();
        JsonNode before = statusOrNull(context.client());
        if (before != null) {
            out.println(
                    "Jobgate is already running (process " + before.path("pid").asString("?") + ", "
                            + before.path("url").asString("?") + ").");
            return 0;
        }
        refuseDeaf(state);
        Path log = state.consoleLog();
        long logStart = log.toFile().length();
        Process process = server(context).start(log);
        JsonNode status = awaitRunning(context.client(), process, log, logStart, Duration.ofSeconds(timeoutSeconds));
        out.println("Jobgate is running (process " + status.path("pid").asString(Long.toString(process.pid())) + ", "
                + status.path("url").asString("?") + ").");
        return 0;
    }

    static ServerProcess server(Context context) throws AdminException {
        Installation installation = Installation.fromLauncher();
        return new ServerProcess(
                installation,
                context.configuration(),
                installation.serverCache().flags());
    }

    private static void refuseDeaf(StateDirectory state) throws AdminException {
        Optional<ProcessHandle> deaf = ServerProcess.running(state);
        if (deaf.isPresent() && isServer(deaf.get())) {
            throw new AdminException(
                    "Process " + deaf.get().pid() + " has this state directory (" + state.path()
                            + ") and does not answer at its socket. If it starts or stops just now, wait; else look at its log.");
        }
    }

    /**
     * Process numbers are used again: only one that looks like the server counts. One without a command line has ended and was not yet
     * waited for, which in a container without a real init lasts for ever.
     */
    static boolean isServer(ProcessHandle process) {
        return process.info()
                .commandLine()
                .map(line -> line.contains("org.jobgate."))
                .orElse(false);
    }

    private static @Nullable JsonNode statusOrNull(AdminClient client) throws AdminException {
        try {
            return client.get("/status");
        } catch (AdminClient.NotRunningException e) {
            return null;
        }
    }

    private static JsonNode awaitRunning(AdminClient client, Process process, Path log, long logStart, Duration atMost)
            throws AdminException, InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (System.nanoTime() < deadline) {
            JsonNode status = statusOrNull(client);
            // one whose store was restored takes no new jobs from its start on, until it is told to
            if (status != null && UP.contains(status.path("state").asString(""))) {
                return status;
            }
            if (!process.isAlive()) {
                throw new AdminException("The server ended at once with status " + process.exitValue() + ". The end of "
                        + log + ":\n" + ServerProcess.tail(log, logStart));
            }
            Thread.sleep(LOOK_EVERY_MS);
        }
        throw new AdminException("The server (process " + process.pid() + ") is not ready after " + atMost.toSeconds()
                + " s; it is left to go on. The end of " + log + ":\n" + ServerProcess.tail(log, logStart));
    }

    @Command(
            name = "stop",
            mixinStandardHelpOptions = true,
            description = "Let the server finish what it does, and end.")
    int stop(
            @Mixin Context context,
            @Option(names = "--timeout", defaultValue = "60", description = "How many seconds to wait for its end.")
                    int timeoutSeconds)
            throws AdminException, InterruptedException {
        StateDirectory state = context.state();
        Optional<ProcessHandle> process = ServerProcess.running(state);
        try {
            context.client().stop();
        } catch (AdminClient.NotRunningException e) {
            if (process.isPresent() && isServer(process.get())) {
                throw new AdminException(
                        "Process " + process.get().pid() + " of this state directory does not answer at its socket."
                                + " Wait, or end it with: kill " + process.get().pid(),
                        e);
            }
            context.out().println("Jobgate is not running.");
            return 0;
        }
        awaitEnd(context.client(), state, process, Duration.ofSeconds(timeoutSeconds));
        context.out().println("Jobgate has stopped.");
        return 0;
    }

    private static void awaitEnd(
            AdminClient client, StateDirectory state, Optional<ProcessHandle> process, Duration atMost)
            throws AdminException, InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (System.nanoTime() < deadline) {
            boolean isGone = process.map(handle -> !handle.isAlive()).orElseGet(() -> !Files.exists(state.socket()));
            if (isGone) {
                return;
            }
            Thread.sleep(LOOK_EVERY_MS);
        }
        JsonNode last = statusOrNull(client);
        throw new AdminException("The server has not ended after " + atMost.toSeconds() + " s"
                + (last == null ? "" : " and is " + last.path("state").asString("?"))
                + process.map(handle -> "; its process is " + handle.pid()).orElse("")
                + ". It goes on stopping; ask again with: jobgate status");
    }

    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            description =
                    "Say how the server is. Exit status 3: not running. Followed by the ids of jobs: how these are, over REST.")
    int status(@Mixin Context context) throws AdminException {
        JsonNode status = statusOrNull(context.client());
        if (status == null) {
            context.out().println("Jobgate is not running (configuration " + context.configuration() + ").");
            return NOT_RUNNING;
        }
        if (context.isJson) {
            context.showJson(status);
        } else {
            Table.pairs(context.out(), status);
        }
        return 0;
    }

    @Command(
            name = "doctor",
            mixinStandardHelpOptions = true,
            description = {
                "Look at all that the server needs: key, trust, state, accounts, sudo, Perl, batch systems, clock; say how to mend what"
                        + " is not right. Changes nothing. Run it as the server's account.",
                "Exit codes: 0 nothing is bad, 1 something is."
            })
    int doctor(
            @Mixin Context context,
            @Option(
                            names = "--sudoers",
                            paramLabel = "ACCOUNT",
                            arity = "0..1",
                            fallbackValue = "jobgate",
                            description =
                                    "Print the rules for sudo instead, for the server's account ACCOUNT (${FALLBACK-VALUE}).")
                    @Nullable
                    String account,
            @Option(
                            names = "--install",
                            paramLabel = "DIRECTORY",
                            arity = "0..1",
                            fallbackValue = "/etc/sudoers.d",
                            description =
                                    "With --sudoers, as root: install the rules in DIRECTORY (${FALLBACK-VALUE}), after visudo has"
                                            + " accepted them, in one step and with the mode that sudo wants; print nothing of them.")
                    @Nullable
                    Path directory)
            throws AdminException, InterruptedException {
        if (directory != null && account == null) {
            throw new AdminException("--install goes with --sudoers: it installs the rules that this prints.");
        }
        int status;
        if (account == null) {
            status = server(context).doctor();
            status = new LrmTroubles(context.client()).print(context.out()) ? FAILED : status;
        } else {
            status = directory == null
                    ? server(context).sudoers(account)
                    : server(context).installSudoers(account, directory);
        }
        return status == 0 ? 0 : FAILED;
    }

    @Command(
            name = "drain",
            mixinStandardHelpOptions = true,
            description = "Accept no new jobs; go on with those that are there.")
    int drain(@Mixin Context context) throws AdminException {
        return order(context, "/drain", "Jobgate accepts no new jobs. Undo with: jobgate resume");
    }

    @Command(name = "resume", mixinStandardHelpOptions = true, description = "Accept new jobs again.")
    int resume(@Mixin Context context) throws AdminException {
        return order(context, "/resume", "Jobgate accepts jobs.");
    }

    private static int order(Context context, String path, String done) throws AdminException {
        try {
            JsonNode answer = context.client().post(path);
            if (context.isJson) {
                context.showJson(answer);
            } else {
                context.out().println(done);
            }
            return 0;
        } catch (AdminClient.NotRunningException e) {
            throw new AdminException("Jobgate is not running. Start it with: jobgate start", e);
        }
    }

    /** {@code jobgate config}. */
    @Command(name = "config", mixinStandardHelpOptions = true, description = "Judge the configuration.")
    static final class Config {
        @Command(
                name = "check",
                mixinStandardHelpOptions = true,
                description = "Say what is wrong with it, without starting.")
        int check(@Mixin Context context) throws AdminException, InterruptedException {
            int status = server(context).check();
            return status == 0 ? 0 : FAILED;
        }
    }
}
