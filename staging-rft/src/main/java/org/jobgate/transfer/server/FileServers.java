// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.server;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file servers of a site that show files of this machine, with the load of each, and whether it answers. */
public final class FileServers implements AutoCloseable {

    /** For a site that has none: files of this machine are moved through the gateway. */
    public static final FileServers NONE =
            new FileServers(List.of(), ServerChoice.roundRobin(), server -> {}, System::nanoTime);

    private static final Logger LOG = LoggerFactory.getLogger(FileServers.class);
    private static final double WEIGHT_OF_NEWEST = 0.3;

    /** How much goes through one server, and whether it answers. */
    private static final class Load {
        int active;
        double bytesPerSecond;
        boolean isDown;
    }

    private final List<FileServer> servers;
    private final ServerChoice choice;
    private final ServerProbe probe;
    private final LongSupplier nanoTime;
    private final Map<String, Load> loads = new HashMap<>();
    private @Nullable ScheduledExecutorService timer;

    /** Servers that count as alive until a probe or a transfer shows that they are not. */
    public FileServers(List<FileServer> servers, ServerChoice choice, ServerProbe probe, LongSupplier nanoTime) {
        this.servers = List.copyOf(servers);
        this.choice = requireNonNull(choice, "choice is null");
        this.probe = requireNonNull(probe, "probe is null");
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
        servers.forEach(server -> loads.put(server.name(), new Load()));
    }

    /** Probes the servers from now on, at this interval. */
    public synchronized FileServers watch(Duration interval) {
        if (timer == null && !servers.isEmpty()) {
            timer = Executors.newSingleThreadScheduledExecutor(
                    Thread.ofVirtual().name("file-server-probe").factory());
            var unused = timer.scheduleWithFixedDelay(this::look, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
        }
        return this;
    }

    /** Asks every server once. */
    void look() {
        servers.stream().map(FileServer::url).distinct().forEach(url -> {
            String name = new FileServer(null, "", url).name();
            try {
                probe.look(url);
                set(name, false, "it answers");
            } catch (IOException | RuntimeException e) {
                set(name, true, String.valueOf(e.getMessage()));
            }
        });
    }

    private synchronized void set(String name, boolean isDown, String why) {
        Load load = requireNonNull(loads.get(name), name);
        if (load.isDown != isDown) {
            load.isDown = isDown;
            LOG.warn("The file server {} is {}: {}", name, isDown ? "left out" : "used again", why);
        }
    }

    /**
     * The way to a file of this machine through one of the servers with the longest path that holds the file, without those that are down. To be closed when
     * the transfer is over.
     *
     * @param lrm of the job; absent where there is none
     * @return empty if no server leads there
     */
    public synchronized Optional<Passage> through(@Nullable String lrm, URI file) {
        return through(server -> server.isFor(lrm), file);
    }

    /**
     * The same for a client that moves the file itself, by servers of one protocol.
     *
     * @param scheme in small letters
     */
    public synchronized Optional<Passage> through(URI file, String scheme) {
        return through(server -> server.isFor(null) && scheme(server).equals(scheme), file);
    }

    private static String scheme(FileServer server) {
        return server.url().getScheme().toLowerCase(Locale.ROOT);
    }

    /** The protocols of the servers that lead to files of no job, in the order of the configuration. */
    public List<String> schemes() {
        return servers.stream()
                .filter(server -> server.isFor(null))
                .map(FileServers::scheme)
                .distinct()
                .toList();
    }

    private Optional<Passage> through(Predicate<FileServer> which, URI file) {
        List<FileServer> leading = servers.stream()
                .filter(server -> which.test(server) && server.through(file).isPresent())
                .toList();
        int longest = leading.stream()
                .mapToInt(server -> server.path().length())
                .max()
                .orElse(0);
        List<ServerState> alive = leading.stream()
                .filter(server -> server.path().length() == longest)
                .map(server -> new ServerState(server, of(server).active, of(server).bytesPerSecond))
                .filter(state -> !of(state.server()).isDown)
                .toList();
        if (alive.isEmpty()) {
            return Optional.empty();
        }
        FileServer chosen = choice.choose(alive).server();
        of(chosen).active++;
        return chosen.through(file).map(url -> new Passage(chosen.name(), url));
    }

    private Load of(FileServer server) {
        return requireNonNull(loads.get(server.name()));
    }

    /** One transfer through a server. */
    public final class Passage implements AutoCloseable {

        private final String server;
        private final URI url;
        private final long began = nanoTime.getAsLong();
        private long bytes;

        private Passage(String server, URI url) {
            this.server = server;
            this.url = url;
        }

        /** The URL of the file at the server. */
        public URI url() {
            return url;
        }

        /** So many bytes went through. */
        public void moved(long more) {
            synchronized (FileServers.this) {
                bytes += more;
            }
        }

        /** The server is in trouble: it is left out until it answers again. */
        public void failed(String why) {
            set(server, true, why);
        }

        /** Whether a sentence about trouble speaks of this server, and not of another one, on the same host perhaps. */
        public boolean isNamedIn(String sentence) {
            int port = url.getPort();
            return sentence.contains(" " + url.getHost() + ":" + (port < 0 ? "" : port + ","));
        }

        @Override
        public void close() {
            synchronized (FileServers.this) {
                Load state = requireNonNull(loads.get(server));
                state.active--;
                double seconds = Math.max(1e-6, (nanoTime.getAsLong() - began) / 1e9);
                if (bytes > 0) {
                    double rate = bytes / seconds;
                    state.bytesPerSecond = state.bytesPerSecond == 0
                            ? rate
                            : WEIGHT_OF_NEWEST * rate + (1 - WEIGHT_OF_NEWEST) * state.bytesPerSecond;
                }
            }
        }
    }

    @Override
    public synchronized void close() {
        if (timer != null) {
            timer.shutdownNow();
        }
    }
}
