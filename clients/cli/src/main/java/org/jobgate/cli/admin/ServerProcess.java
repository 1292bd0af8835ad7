// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jobgate.cli.text.Sentence;

/** The server as a process of its own session: it outlives this command and the terminal. */
final class ServerProcess {
    private static final String MAIN_CLASS = "org.jobgate.container.Main";
    private static final int TAIL_LINES_MAX = 25;
    private static final int TAIL_BYTES_MAX = 16 * 1024;

    /** What the JVM itself has to say goes to stderr: stdout is read by programs. bin/jobgate says the same to its own. */
    static final List<String> QUIET = List.of("-Xlog:disable", "-Xlog:all=warning:stderr");

    private final Installation installation;
    private final Path configuration;
    private final List<String> flags;

    /** @param flags for the JVM, beside those of the installation */
    ServerProcess(Installation installation, Path configuration, List<String> flags) {
        this.flags = List.copyOf(flags);
        this.installation = requireNonNull(installation, "installation is null");
        this.configuration = requireNonNull(configuration, "configuration is null");
    }

    /** Starts it with its output to the log. */
    Process start(Path log) throws AdminException {
        try {
            createPrivate(requireNonNull(log.getParent(), "the log is in no folder"));
            List<String> command = new ArrayList<>();
            // a session of its own: no Ctrl-C and no hang-up of our terminal reaches it
            command.add("setsid");
            command.addAll(command());
            return new ProcessBuilder(command)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new AdminException("The server cannot be started: " + Sentence.of(e.getMessage()), e);
        }
    }

    /** Has the server itself judge its configuration, with its words on our output. Returns its exit code. */
    int check() throws AdminException, InterruptedException {
        return ask(List.of("--check"));
    }

    /** Has the server look at all that its installation needs, with its words on our output. Returns its exit code. */
    int doctor() throws AdminException, InterruptedException {
        return ask(List.of("--doctor"));
    }

    /** Has the server print the rules for sudo that let the account start workers. Returns its exit code. */
    int sudoers(String account) throws AdminException, InterruptedException {
        return ask(List.of("--sudoers", account));
    }

    /** Has the server install these rules in the directory where sudo reads them. Returns its exit code. */
    int installSudoers(String account, Path directory) throws AdminException, InterruptedException {
        return ask(List.of("--sudoers", account, "--install", directory.toString()));
    }

    /** Has a backup put in the place of what the server has, which must not run. Returns the exit code. */
    int restore(Path backup) throws AdminException, InterruptedException {
        return ask(List.of("--restore", backup.toString()));
    }

    private int ask(List<String> what) throws AdminException, InterruptedException {
        try {
            List<String> command = new ArrayList<>(command());
            command.addAll(what);
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException e) {
            throw new AdminException("The server cannot be started: " + Sentence.of(e.getMessage()), e);
        }
    }

    private List<String> command() throws AdminException {
        Path library = installation.serverLibrary();
        if (!Files.isDirectory(library)) {
            throw new AdminException(
                    "The server is not built: " + library + " does not exist. Run ./quickstart, or: mvn -B package");
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(QUIET);
        Path options = installation.home().resolve("jvm.options");
        if (Files.exists(options)) {
            command.add("@" + options);
        }
        command.addAll(flags);
        command.add("-Djobgate.home=" + installation.home());
        command.add("-cp");
        command.add(library + "/*");
        command.add(MAIN_CLASS);
        command.add("--config");
        command.add(configuration.toString());
        return command;
    }

    private static void createPrivate(Path folder) throws IOException {
        Files.createDirectories(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /** The end of a log from a position on. */
    static String tail(Path log, long from) throws AdminException {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long start = Math.max(from, file.length() - TAIL_BYTES_MAX);
            file.seek(start);
            byte[] bytes = new byte[(int) Math.max(0, file.length() - start)];
            file.readFully(bytes);
            List<String> lines =
                    new String(bytes, StandardCharsets.UTF_8).lines().toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES_MAX), lines.size()));
        } catch (IOException e) {
            throw new AdminException("Log " + log + " cannot be read: " + Sentence.of(e.getMessage()), e);
        }
    }

    /** The living process that the server's own file names. */
    static Optional<ProcessHandle> running(StateDirectory state) {
        try {
            String text = Files.readString(state.processFile()).strip();
            return ProcessHandle.of(Long.parseLong(text)).filter(ProcessHandle::isAlive);
        } catch (IOException | NumberFormatException e) {
            // no file, or none with a number: no process is known
            return Optional.empty();
        }
    }
}
