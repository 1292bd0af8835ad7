// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jobgate.perf.gateway.Account;
import org.jobgate.perf.gateway.Checkout;
import org.jobgate.perf.gateway.Commands;

/**
 * A user's Chirp server on the loopback address, started by {@code chirp_control}, which exports a directory with {@code in} and {@code out}.
 * Closing it stops the server and removes the directory.
 */
final class ChirpSite implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(20);

    private final Account owner;
    private final Path directory;
    private final String control;
    private final Commands asOwner;

    private ChirpSite(Account owner, Path directory, Path checkout) {
        this.owner = requireNonNull(owner, "owner is null");
        this.directory = requireNonNull(directory, "directory is null");
        this.control = checkout.resolve("bin/chirp_control").toString();
        this.asOwner = new Commands(directory.resolve("owner.log"), environment(directory), TIMEOUT);
    }

    private static Map<String, String> environment(Path directory) {
        return Map.of(
                "HOME", directory.toString(),
                "TMPDIR", directory.resolve("scratch").toString(),
                "SKELETON_KEY_CHIRP_DIR", directory.resolve(".chirp").toString());
    }

    /**
     * Starts it.
     *
     * @param owner who runs the server, which does not run as root
     */
    static ChirpSite start(Checkout checkout, Account owner) throws IOException, InterruptedException {
        Path directory = owner.temporaryDirectory();
        ChirpSite site = new ChirpSite(owner, directory, checkout.directory());
        for (String name : List.of("export", "export/in", "export/out", "local", "scratch")) {
            owner.own(Files.createDirectory(directory.resolve(name)));
        }
        site.owned(List.of(site.control, "start", "--export", site.export().toString(), "--interface", "127.0.0.1"));
        return site;
    }

    Path directory() {
        return directory;
    }

    Path export() {
        return directory.resolve("export");
    }

    /** Beside what is exported, on the same disk. */
    Path local() {
        return directory.resolve("local");
    }

    /** Runs a command as the user. */
    void owned(List<String> command) throws IOException, InterruptedException {
        var unused = asOwner.run(owner.words(command));
    }

    /** The server's host and port. */
    String address() throws IOException {
        String port = Files.readString(directory.resolve(".chirp/chirp.port"), StandardCharsets.US_ASCII);
        return "127.0.0.1:" + port.strip();
    }

    /** A ticket for both directories, in a file. */
    Path ticket() throws IOException, InterruptedException {
        Path ticket = directory.resolve("perf.ticket");
        if (!Files.exists(ticket)) {
            owned(List.of(control, "ticket", "create", ticket.toString(), "/in=rl", "/out=rwld", "--lifetime", "12h"));
        }
        return ticket;
    }

    /** A wrapper that runs this line with the data as {@code access} says; the line finds it in {@code CHIRP_MOUNT}. */
    Path wrapper(Path checkout, String name, String line, boolean hasData) throws IOException, InterruptedException {
        Path configuration = directory.resolve(name + ".ini");
        String data = hasData
                ? "[Directories]\nexport_base = " + export()
                        + "\nread = in\nwrite = out\naccess = fuse\nticket_lifetime = 12h\n"
                : "";
        Files.writeString(configuration, "[Application]\nscript = /bin/sh\narguments = -c '" + line + "'\n" + data);
        owner.own(configuration);
        Path wrapper = directory.resolve(name);
        owned(List.of(
                checkout.resolve("bin/skeleton_key").toString(),
                "-c",
                configuration.toString(),
                "-o",
                wrapper.toString()));
        return wrapper;
    }

    /** Runs commands at once. */
    Times together(List<List<String>> commands) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < commands.size(); i++) {
            ProcessBuilder builder = new ProcessBuilder(owner.words(commands.get(i)))
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(directory.resolve("client-" + i + ".log").toFile());
            builder.environment().putAll(environment(directory));
            processes.add(builder.start());
        }
        List<Double> each = new ArrayList<>();
        for (int i = 0; i < processes.size(); i++) {
            int status = processes.get(i).waitFor();
            each.add((System.nanoTime() - begin) / 1e9);
            if (status != 0) {
                throw new IOException(commands.get(i) + " ended with status " + status + ": "
                        + Files.readString(directory.resolve("client-" + i + ".log"), StandardCharsets.ISO_8859_1));
            }
        }
        return new Times((System.nanoTime() - begin) / 1e9, each);
    }

    /**
     * How long commands took that ran at once, in seconds.
     *
     * @param all until the last had ended
     * @param each an upper bound for each, as they are waited for in order
     */
    record Times(double all, List<Double> each) {

        Times {
            each = List.copyOf(each);
        }
    }

    /** What a wrapper needs to find FUSE's program, which is not on everybody's path. */
    static Map<String, String> wrapperEnvironment(Path directory, Path programs) {
        Map<String, String> all = new HashMap<>(environment(directory));
        all.put("PATH", programs + ":/usr/sbin:/usr/bin:/sbin:/bin");
        return all;
    }

    @Override
    public void close() throws IOException {
        try {
            owned(List.of(control, "stop"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            try (Stream<Path> tree = Files.walk(directory)) {
                for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }
}
