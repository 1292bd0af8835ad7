// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.door;

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

/** The doors of a site, and how their servers do. */
public final class Doors implements AutoCloseable {

    /** For a site that has none: files of this machine are moved through the gateway. */
    public static final Doors NONE = new Doors(List.of(), DoorChoice.roundRobin(), door -> {}, System::nanoTime);

    private static final Logger LOG = LoggerFactory.getLogger(Doors.class);
    private static final double WEIGHT_OF_NEWEST = 0.3;

    private static final class Server {
        int active;
        double bytesPerSecond;
        boolean isDown;
    }

    private final List<Door> doors;
    private final DoorChoice choice;
    private final DoorProbe probe;
    private final LongSupplier nanoTime;
    private final Map<String, Server> servers = new HashMap<>();
    private @Nullable ScheduledExecutorService timer;

    /** Doors that are taken for alive until something else is known. */
    public Doors(List<Door> doors, DoorChoice choice, DoorProbe probe, LongSupplier nanoTime) {
        this.doors = List.copyOf(doors);
        this.choice = requireNonNull(choice, "choice is null");
        this.probe = requireNonNull(probe, "probe is null");
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
        doors.forEach(door -> servers.put(door.server(), new Server()));
    }

    /** Looks after the servers from now on, as often as this. */
    public synchronized Doors watch(Duration interval) {
        if (timer == null && !doors.isEmpty()) {
            timer = Executors.newSingleThreadScheduledExecutor(
                    Thread.ofVirtual().name("door-probe").factory());
            var unused = timer.scheduleWithFixedDelay(this::look, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
        }
        return this;
    }

    /** Asks every server once. */
    void look() {
        doors.stream().map(Door::url).distinct().forEach(url -> {
            String server = new Door(null, "", url).server();
            try {
                probe.look(url);
                set(server, false, "it answers");
            } catch (IOException | RuntimeException e) {
                set(server, true, String.valueOf(e.getMessage()));
            }
        });
    }

    private synchronized void set(String name, boolean isDown, String why) {
        Server server = requireNonNull(servers.get(name), name);
        if (server.isDown != isDown) {
            server.isDown = isDown;
            LOG.warn("The door {} is {}: {}", name, isDown ? "left out" : "used again", why);
        }
    }

    /**
     * The way to a file of this machine; the doors of the longest path that holds it, without those that are down. To be closed when
     * the transfer is over.
     *
     * @param lrm of the job; absent where there is none
     * @return empty where no door leads there
     */
    public synchronized Optional<Passage> through(@Nullable String lrm, URI file) {
        return through(door -> door.isFor(lrm), file);
    }

    /**
     * The same for a client that moves the file itself, by servers of one protocol.
     *
     * @param scheme in small letters
     */
    public synchronized Optional<Passage> through(URI file, String scheme) {
        return through(door -> door.isFor(null) && scheme(door).equals(scheme), file);
    }

    private static String scheme(Door door) {
        return door.url().getScheme().toLowerCase(Locale.ROOT);
    }

    /** The protocols of the servers that lead to files of no job, in the order of the configuration. */
    public List<String> schemes() {
        return doors.stream()
                .filter(door -> door.isFor(null))
                .map(Doors::scheme)
                .distinct()
                .toList();
    }

    private Optional<Passage> through(Predicate<Door> which, URI file) {
        List<Door> leading = doors.stream()
                .filter(door -> which.test(door) && door.through(file).isPresent())
                .toList();
        int longest =
                leading.stream().mapToInt(door -> door.path().length()).max().orElse(0);
        List<DoorState> alive = leading.stream()
                .filter(door -> door.path().length() == longest)
                .map(door -> new DoorState(door, of(door).active, of(door).bytesPerSecond))
                .filter(state -> !of(state.door()).isDown)
                .toList();
        if (alive.isEmpty()) {
            return Optional.empty();
        }
        Door chosen = choice.choose(alive).door();
        of(chosen).active++;
        return chosen.through(file).map(url -> new Passage(chosen.server(), url));
    }

    private Server of(Door door) {
        return requireNonNull(servers.get(door.server()));
    }

    /** One transfer through a door. */
    public final class Passage implements AutoCloseable {

        private final String server;
        private final URI url;
        private final long began = nanoTime.getAsLong();
        private long bytes;

        private Passage(String server, URI url) {
            this.server = server;
            this.url = url;
        }

        /** Of the file, at the server. */
        public URI url() {
            return url;
        }

        /** So many bytes went through. */
        public void moved(long more) {
            synchronized (Doors.this) {
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
            synchronized (Doors.this) {
                Server state = requireNonNull(servers.get(server));
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
