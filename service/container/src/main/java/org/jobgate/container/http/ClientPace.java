// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jobgate.container.config.ClientsConfig;
import org.jobgate.container.tls.RefusalLog;
import org.jspecify.annotations.Nullable;

/**
 * Closes the connections of clients that are too many from one address, or that take too long to say what they want.
 *
 * <p>The time counts from the opening of a connection to the end of its first request's head, handshake included, and for each further
 * request from its first byte. So a client that feeds a handshake or a head byte by byte is closed, which the time-out of idle connections
 * would never do. A look once a second finds them; the body's pace is {@link BodyLimit}'s.
 */
final class ClientPace extends Handler.Wrapper implements Connection.Listener {

    private static final long LOOK_SECONDS = 1;

    private final ClientsConfig limits;
    private final Scheduler scheduler;
    private final LongSupplier nanoTime;
    private final RefusalLog refusals;
    private final Map<Connection, Progress> connections = new ConcurrentHashMap<>();
    private final Map<InetAddress, Count> addresses = new HashMap<>();

    /** How many connections one address has, and on how many of them it has said nothing yet. */
    private static final class Count {
        private int all;
        private int silent;
    }

    /** How far a client is. What is waited for is the head of a request, since a time; null while one is worked on, or between two. */
    private static final class Progress {
        private final @Nullable InetAddress address;
        private boolean silent = true;
        private int active;
        private long bytesBefore;
        private @Nullable Long waitingSince;

        Progress(@Nullable InetAddress address, long now) {
            this.address = address;
            this.waitingSince = now;
        }
    }

    ClientPace(ClientsConfig limits, Scheduler scheduler, RefusalLog refusals, LongSupplier nanoTime, Handler next) {
        super(requireNonNull(next, "next is null"));
        this.limits = requireNonNull(limits, "limits is null");
        this.scheduler = requireNonNull(scheduler, "scheduler is null");
        this.refusals = requireNonNull(refusals, "refusals is null");
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        scheduler.schedule(this::look, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void onOpened(Connection connection) {
        if (!(connection instanceof ConnectionMetaData)) {
            return;
        }
        InetAddress address = addressOf(connection);
        Progress progress = new Progress(address, nanoTime.getAsLong());
        connections.put(connection, progress);
        String tooMany = address == null ? null : enter(address);
        if (tooMany != null) {
            refuse(connection, address, tooMany);
        }
    }

    /** Why it may not. No count is in it: the same reason is told once in a while only. */
    private @Nullable String enter(InetAddress address) {
        synchronized (addresses) {
            Count count = addresses.computeIfAbsent(address, a -> new Count());
            count.all++;
            count.silent++;
            if (count.all > limits.maxPerAddress()) {
                return "it has more connections than clients.maxPerAddress = " + limits.maxPerAddress();
            }
            return count.silent > limits.maxSilentPerAddress()
                    ? "it has more connections without a request than clients.maxSilentPerAddress = "
                            + limits.maxSilentPerAddress()
                    : null;
        }
    }

    @Override
    public void onClosed(Connection connection) {
        Progress progress = connections.remove(connection);
        if (progress == null || progress.address == null) {
            return;
        }
        boolean silent;
        synchronized (progress) {
            silent = progress.silent;
            progress.silent = false;
        }
        synchronized (addresses) {
            Count count = addresses.get(progress.address);
            if (count == null) {
                return;
            }
            count.all--;
            count.silent -= silent ? 1 : 0;
            if (count.all <= 0) {
                addresses.remove(progress.address);
            }
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Connection connection = request.getConnectionMetaData().getConnection();
        Progress progress = connections.get(connection);
        if (progress != null) {
            begin(progress);
            Request.addCompletionListener(request, failure -> end(connection, progress));
        }
        return super.handle(request, response, callback);
    }

    private void begin(Progress progress) {
        boolean wasSilent;
        synchronized (progress) {
            progress.active++;
            progress.waitingSince = null;
            wasSilent = progress.silent;
            progress.silent = false;
        }
        if (wasSilent && progress.address != null) {
            synchronized (addresses) {
                Count count = addresses.get(progress.address);
                if (count != null) {
                    count.silent--;
                }
            }
        }
    }

    private static void end(Connection connection, Progress progress) {
        synchronized (progress) {
            progress.active--;
            progress.bytesBefore = connection.getBytesIn();
        }
    }

    /** How many connections are watched. */
    int watched() {
        return connections.size();
    }

    /** How many addresses have connections. */
    int addresses() {
        synchronized (addresses) {
            return addresses.size();
        }
    }

    private void look() {
        if (!isRunning() && !isStarting()) {
            return;
        }
        long now = nanoTime.getAsLong();
        connections.forEach((connection, progress) -> {
            if (isTooSlow(connection, progress, now)) {
                refuse(
                        connection,
                        progress.address,
                        "it did not finish the head of a request; the limit is clients.headTimeout = "
                                + limits.headTimeout().toSeconds() + " s");
            }
        });
        scheduler.schedule(this::look, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    private boolean isTooSlow(Connection connection, Progress progress, long now) {
        synchronized (progress) {
            if (progress.active > 0) {
                return false;
            }
            Long since = progress.waitingSince;
            if (since == null) {
                // between two requests: waiting begins with the first byte of the next one
                progress.waitingSince = connection.getBytesIn() > progress.bytesBefore ? now : null;
                return false;
            }
            return Duration.ofNanos(now - since).compareTo(limits.headTimeout()) > 0;
        }
    }

    private void refuse(Connection connection, @Nullable InetAddress address, String reason) {
        String peer = address == null ? "a client" : "a client at " + address.getHostAddress();
        refusals.refused("connection", peer, reason);
        connection.getEndPoint().close();
    }

    private static @Nullable InetAddress addressOf(Connection connection) {
        return connection.getEndPoint().getRemoteSocketAddress() instanceof InetSocketAddress remote
                ? remote.getAddress()
                : null;
    }
}
