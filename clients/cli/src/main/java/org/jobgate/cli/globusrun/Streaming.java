// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.SoapFaultException;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/**
 * {@code -streaming}: shows what a job writes while it runs. The job is held before its clean-up until everything was shown; then files
 * that were named by us are removed, and the job is released (facts/gram4.md section 4.4).
 */
final class Streaming {
    /** How long one question may wait for more; a service may answer earlier. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(25);

    private final Session session;
    private final Console console;
    private final Targets targets;
    private @Nullable Thread worker;
    private @Nullable Epr job;
    private volatile boolean isGivenUp;
    private volatile boolean removesStdout;
    private volatile boolean removesStderr;

    /**
     * Where the streams go.
     *
     * @param files other files, by their ways below the job's directory
     */
    record Targets(OutputStream stdout, OutputStream stderr, Map<String, OutputStream> files) {
        Targets {
            files = Map.copyOf(files);
        }

        /**
         * As the options say; files are appended to.
         *
         * @throws CommandException a file cannot be opened
         */
        static Targets of(CommandLine line, OutputStream out, OutputStream errors) throws CommandException {
            return new Targets(
                    appended(line.value(Option.STDOUT_FILE), out),
                    appended(line.value(Option.STDERR_FILE), errors),
                    files(line.value(Option.FOLLOWED_FILES), out));
        }

        /** {@code WAY=FILE}, several with commas between. */
        private static Map<String, OutputStream> files(@Nullable String option, OutputStream otherwise)
                throws CommandException {
            Map<String, OutputStream> files = new LinkedHashMap<>();
            for (String pair : option == null ? new String[0] : option.split(",", -1)) {
                int equals = pair.indexOf('=');
                if (equals < 1 || equals == pair.length() - 1) {
                    throw new CommandException(
                            ExitStatus.USAGE,
                            "Option -sf: '" + pair
                                    + "' is not WAY=FILE, a file of the job's directory and one of yours.");
                }
                String way = OwnNames.below(pair.substring(0, equals), "");
                files.put(way, appended(pair.substring(equals + 1), otherwise));
            }
            return files;
        }

        private static OutputStream appended(@Nullable String file, OutputStream otherwise) throws CommandException {
            if (file == null) {
                return otherwise;
            }
            try {
                return new BufferedOutputStream(
                        Files.newOutputStream(Path.of(file), StandardOpenOption.CREATE, StandardOpenOption.APPEND));
            } catch (IOException e) {
                throw new CommandException(
                        ExitStatus.USAGE, "File " + file + " cannot be written: " + Sentence.reason(e) + ".", e);
            }
        }
    }

    Streaming(Session session, Console console, Targets targets) {
        this.session = requireNonNull(session, "session is null");
        this.console = requireNonNull(console, "console is null");
        this.targets = requireNonNull(targets, "targets is null");
    }

    /** Whether the options ask for it. */
    static boolean isAskedFor(CommandLine line) {
        return line.has(Option.STREAMING)
                || line.has(Option.STDOUT_FILE)
                || line.has(Option.STDERR_FILE)
                || line.has(Option.FOLLOWED_FILES);
    }

    /**
     * Begins to show the output. The job's properties name the files that the job chose; the files that this command chose have fixed names.
     *
     * @param releases whether the job is released when everything was shown; not where files are fetched first by who releases it then
     */
    void start(Epr created, boolean releases) {
        job = created;
        worker = Thread.ofPlatform().daemon().name("streaming").start(() -> run(created, releases));
    }

    private void run(Epr created, boolean releases) {
        try {
            JobService service = new JobService(session.anotherSoap());
            XmlElement description = description(service, created);
            JobOutput output = JobOutput.of(created, description);
            removesStdout = JobOutput.isOurs(output.stdout());
            removesStderr = JobOutput.isOurs(output.stderr());
            if (show(created, output)) {
                remove();
            }
            if (releases && isHeldBeforeCleanUp(description)) {
                release(service, created);
            }
        } catch (IOException | SoapFaultException e) {
            console.error("The job's output cannot be shown: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it is to be held there, at once or after the hold for which its files were brought. */
    static boolean isHeldBeforeCleanUp(XmlElement description) {
        XmlElement extensions = description.child(Names.DESCRIPTION, "extensions");
        boolean isHeldAgain = extensions != null
                && extensions.children().stream()
                        .anyMatch(child -> child.name().equals(OwnFiles.HOLD_AGAIN)
                                && child.text().strip().equals("CleanUp"));
        return isHeldAgain || "CleanUp".equals(description.childText(Names.TYPES, "holdState"));
    }

    private static XmlElement description(JobService service, Epr created) throws IOException, SoapFaultException {
        XmlElement description = service.description(created);
        if (description == null || !description.name().equals("job")) {
            throw new IOException("the service does not say which files it is in.");
        }
        return description;
    }

    private boolean show(Epr created, JobOutput output) throws InterruptedException {
        List<Thread> others = new ArrayList<>();
        boolean[] isWhole = {true, true};
        AtomicBoolean areFilesWhole = new AtomicBoolean(true);
        targets.files()
                .forEach((way, to) -> others.add(Thread.ofPlatform()
                        .daemon()
                        .name("file " + way)
                        .start(() -> {
                            if (!follow(created, "files/" + InputAccess.encoded(way), to)) {
                                areFilesWhole.set(false);
                            }
                        })));
        boolean isOneFile = output.stdout() != null && output.stdout().equals(output.stderr());
        if (output.stderr() != null && !isOneFile) {
            others.add(Thread.ofPlatform()
                    .daemon()
                    .name("stderr")
                    .start(() -> isWhole[1] = follow(created, "stderr", targets.stderr())));
        }
        if (output.stdout() != null) {
            isWhole[0] = follow(created, "stdout", targets.stdout());
        }
        for (Thread other : others) {
            other.join();
        }
        return isWhole[0] && isWhole[1] && areFilesWhole.get();
    }

    private boolean follow(Epr created, String stream, OutputStream to) {
        Duration half = session.httpTimeout().dividedBy(2);
        Duration wait = half.compareTo(WAIT_MAX) < 0 ? half : WAIT_MAX;
        try (var http = session.http().another()) {
            OutputAccess access = new OutputAccess(http, created, stream, session.trace());
            return switch (new OutputFollower(access, stream, to, console, wait, () -> isGivenUp).follow()) {
                case WHOLE -> true;
                // a job that could not start, or removed its own output, left none: it says so itself
                case MISSING -> {
                    if (stream.startsWith("files/")) {
                        console.error("The job wrote no file " + stream.substring("files/".length()) + ".");
                    }
                    yield true;
                }
                case FAILED -> false;
                case NO_ACCESS -> {
                    console.error("The job's " + stream + " cannot be shown: " + OutputAccess.NO_ACCESS);
                    yield false;
                }
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The job is about to be cancelled: nothing more is shown, and its files go. */
    void giveUp() {
        isGivenUp = true;
        remove();
    }

    /** Removes the files that we named. Files that cannot be removed stay, and a message names them. */
    private void remove() {
        Epr created = job;
        if (created == null) {
            return;
        }
        try (var http = session.http().another()) {
            if (removesStdout) {
                new OutputAccess(http, created, "stdout", session.trace()).remove();
            }
            if (removesStderr) {
                new OutputAccess(http, created, "stderr", session.trace()).remove();
            }
        } catch (IOException e) {
            console.error("The job's output files cannot be removed: " + e.getMessage());
        }
    }

    /** A hold that is still to come is taken back by this, too; a job that has ended is beyond it. */
    private static void release(JobService service, Epr created) throws IOException, SoapFaultException {
        if (!service.state(created).isTerminal()) {
            service.release(created);
        }
    }

    /** Returns when everything was shown. */
    void await() throws InterruptedException {
        Thread running = worker;
        if (running != null) {
            running.join();
        }
    }
}
