// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jobgate.container.config.ClientsConfig;
import org.jobgate.container.config.LimitsConfig;
import org.jobgate.limits.Limit;
import org.jspecify.annotations.Nullable;

/**
 * Refuses bodies that are too large: at once where the length is announced, otherwise while they are read, so that no more than the
 * limit of their door is ever held. It bounds the bodies of all requests together as well, and refuses those that come too slowly. Bodies
 * that a door passes on as they come are held by nobody: the door bounds them itself, and only their pace is looked at here.
 *
 * <p>A front door notices only that its read failed; whatever it then answers is replaced by the refusal.
 */
final class BodyLimit extends Handler.Wrapper {

    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * Times the limit that is read and dropped of a body that was refused, or answered before its end by a front door, so that the client
     * sees the answer and not a broken connection.
     */
    private static final int DRAINED = 8;

    private final ClientsConfig clients;
    private final LongSupplier nanoTime;
    private final Limit ofOthers;
    private final long maxBytesInFlight;
    private final AtomicLong inFlight = new AtomicLong();

    BodyLimit(LimitsConfig limits, ClientsConfig clients, LongSupplier nanoTime, Handler next) {
        super(next);
        this.clients = clients;
        this.nanoTime = nanoTime;
        this.ofOthers = new Limit("limits.maxBodyBytes", limits.maxBodyBytes().bytes());
        this.maxBytesInFlight = limits.maxBodyBytesInFlight().bytes();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Mounts.Place place = Mounts.of(request).at(Request.getPathInContext(request));
        Limit limit = place == null ? ofOthers : place.bodyBytes();
        if (place != null && place.mount().streams(request.getMethod())) {
            return handle(new Counted(request, limit, true), response, callback);
        }
        if (request.getLength() > limit.value()) {
            Drain drain = new Drain(request, DRAINED * limit.value(), nanoTime);
            tooLarge(limit, request.getLength()).write(request, response, drain.before(callback));
            return true;
        }
        if (request.getLength() == 0) {
            return super.handle(request, response, callback);
        }
        Counted counted = new Counted(request, limit, false);
        Request.addCompletionListener(request, failure -> inFlight.addAndGet(-counted.bytes));
        return handle(counted, response, callback);
    }

    private boolean handle(Counted request, Response response, Callback callback) throws Exception {
        Replaced replaced = new Replaced(request, response);
        if (!super.handle(request, replaced, callback)) {
            // said here, for whoever says it farther out does not look at what the client still sends
            Response.writeError(request, replaced, callback, HttpStatus.NOT_FOUND_404);
        }
        return true;
    }

    /** Bytes of bodies that are held now. */
    long inFlight() {
        return inFlight.get();
    }

    private static Refusal tooLarge(Limit limit, long bytes) {
        return Refusal.tooLarge(
                limit.name(), limit.value(), "The body of the request has " + bytes + " bytes or more;");
    }

    private boolean isTooSlow(long bytes, long tookNanos) {
        double seconds = (tookNanos - clients.bodyGrace().toNanos()) / NANOS_PER_SECOND;
        return seconds > 0 && bytes < seconds * clients.minBodyRate().bytes();
    }

    private Refusal tooSlow(long bytes, long tookNanos) {
        return new Refusal(
                408,
                "LIMIT_EXCEEDED",
                "Only " + bytes + " bytes of the request's body came in " + (long) (tookNanos / NANOS_PER_SECOND)
                        + " s; the limit is clients.minBodyRate = "
                        + clients.minBodyRate().bytes() + " bytes per second.",
                "Send faster.",
                null);
    }

    private Refusal tooMuchInFlight(long bytes) {
        return Refusal.busy(
                "limits.maxBodyBytesInFlight", maxBytesInFlight, bytes, "bytes of requests being worked on");
    }

    /** A request whose read fails when there is too much to read. */
    private final class Counted extends Request.Wrapper {

        private final long begin = nanoTime.getAsLong();
        private final Limit limit;
        private final boolean isStreamed;
        private volatile long bytes;
        private volatile boolean isRead;
        private volatile @Nullable Refusal refusal;

        Counted(Request request, Limit limit, boolean isStreamed) {
            super(request);
            this.limit = limit;
            this.isStreamed = isStreamed;
        }

        @Override
        public Content.Chunk read() {
            Refusal before = refusal;
            if (before != null) {
                return failure(before);
            }
            Content.Chunk chunk = super.read();
            if (chunk != null && (chunk.isLast() || Content.Chunk.isFailure(chunk))) {
                isRead = true;
            }
            if (chunk == null || !chunk.hasRemaining()) {
                return chunk;
            }
            // one thread at a time reads a request
            long soFar = bytes + chunk.remaining();
            bytes = soFar;
            long all = isStreamed ? 0 : inFlight.addAndGet(chunk.remaining());
            Refusal now = refusal(soFar, all);
            if (now == null) {
                return chunk;
            }
            chunk.release();
            refusal = now;
            return failure(now);
        }

        /** Whether more of the body may be on its way. A client that waits to be told to go on sends nothing after an answer. */
        boolean isStillSent() {
            return !isRead && (bytes > 0 || !getHeaders().contains(HttpHeader.EXPECT));
        }

        /** Jetty reads only what has come already and lets every later read fail: the drain after the answer could read nothing more. */
        @Override
        public boolean consumeAvailable() {
            return isStillSent() || super.consumeAvailable();
        }

        private @Nullable Refusal refusal(long soFar, long all) {
            if (soFar > limit.value() && !isStreamed) {
                return tooLarge(limit, soFar);
            }
            if (all > maxBytesInFlight) {
                return tooMuchInFlight(all);
            }
            long took = nanoTime.getAsLong() - begin;
            return isTooSlow(soFar, took) ? tooSlow(soFar, took) : null;
        }

        private static Content.Chunk failure(Refusal refusal) {
            return Content.Chunk.from(new IOException(refusal.sentence()), true);
        }
    }

    /** A response that becomes the refusal if there is one by the time the front door writes. */
    private final class Replaced extends Response.Wrapper {

        private final Counted request;
        private boolean refused;

        Replaced(Counted request, Response response) {
            super(request, response);
            this.request = request;
        }

        @Override
        public void write(boolean last, ByteBuffer content, Callback callback) {
            Refusal refusal = request.refusal;
            if (refused) {
                callback.succeeded();
            } else if (refusal == null || isCommitted()) {
                super.write(last, content, last && request.isStillSent() ? drain().before(callback) : callback);
            } else {
                refused = true;
                refusal.write(request, getWrapped(), drain().before(callback));
            }
        }

        private Drain drain() {
            return new Drain(request.getWrapped(), DRAINED * request.limit.value(), nanoTime);
        }
    }
}
