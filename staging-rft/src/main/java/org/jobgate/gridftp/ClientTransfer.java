// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** One transfer between a server and this process: the control connection here, the data connections in threads of their own. */
final class ClientTransfer {

    /** What a server may answer that keeps no data connections. */
    private static final Set<Fault> WANTS_ANOTHER = Set.of(Fault.UNSUPPORTED, Fault.CONNECTION, Fault.FAILED);

    private static final int JOIN_SLICE_MILLIS = 100;
    private static final Duration LAST_WORD = Duration.ofSeconds(10);

    private final GridFtpSession session;
    private final ControlChannel control;
    private final TransferOptions options;
    private final Meter meter;
    private final long began = System.nanoTime();

    ClientTransfer(GridFtpSession session, TransferOptions asked, TransferListener listener) {
        this.session = session;
        this.control = session.control();
        this.options = clientSide(asked);
        if (options.striped() || options.streams() > session.settings().maxParallel()) {
            throw new IllegalArgumentException(options.streams() + " streams, striped " + options.striped()
                    + ": a client-side transfer has one address and at most "
                    + session.settings().maxParallel() + " streams (maxParallel)");
        }
        this.meter = new Meter(listener, new Patience(session.settings().dataTimeout()), options.restartFrom());
    }

    /** GSI's integrity-only tokens are its own; confidentiality, which includes it, is TLS. */
    private static TransferOptions clientSide(TransferOptions asked) {
        return asked.protection() == Protection.SAFE
                ? asked.withSecurity(asked.authentication(), Protection.PRIVATE)
                : asked;
    }

    private DataTask.DataPlan plan() {
        return new DataTask.DataPlan(session.server(), session.security(), session.settings(), options, meter);
    }

    TransferResult get(String command, DataSink sink) throws IOException {
        session.prepare(options);
        DataSocket left = left(OwnDataConnection.Direction.FETCH);
        if (left != null) {
            TransferResult result = getOver(left, command, sink);
            if (result != null) {
                return result;
            }
        }
        begin();
        long from = options.restartFrom().prefix();
        if (options.mode() == Mode.STREAM) {
            return passive(command, address -> new StreamGet(plan(), address, sink, from));
        }
        BlockGet task = new BlockGet(plan(), control.localAddress(), control.peerAddress(), sink);
        try (task) {
            String port = task.address().portCommand();
            control.send(List.of(port, command));
            Reply reply = control.read(port, new Patience(session.settings().replyTimeout()));
            if (reply.isFailure()) {
                control.read(command, new Patience(session.settings().replyTimeout()));
                throw session.refusal(port, reply);
            }
            return finished(command, task, OwnDataConnection.Direction.FETCH);
        }
    }

    /** Null where the server wants another connection for each file; nothing has moved then. */
    private @Nullable TransferResult getOver(DataSocket left, String command, DataSink sink) throws IOException {
        try (BlockGet task = new BlockGet(plan(), left, sink)) {
            return over(command, task, OwnDataConnection.Direction.FETCH);
        } catch (GridFtpException e) {
            Reply reply = e.reply();
            boolean wantsAnother = reply != null && reply.isFailure() && WANTS_ANOTHER.contains(e.fault());
            if (!wantsAnother || meter.bytes() > 0 || !session.isUsable()) {
                throw e;
            }
            return null;
        }
    }

    TransferResult put(String command, DataSource source) throws IOException {
        session.prepare(options);
        DataSocket left = left(OwnDataConnection.Direction.SEND);
        Cutter blocks = new Cutter(source, options);
        if (left != null) {
            try (BlockPut task = new BlockPut(plan(), left, blocks)) {
                return over(command, task, OwnDataConnection.Direction.SEND);
            }
        }
        begin();
        return passive(
                command,
                address -> options.mode() == Mode.STREAM
                        ? new StreamPut(plan(), address, blocks)
                        : new BlockPut(plan(), List.of(address), blocks));
    }

    /** What the last transfer this way has left, with the session made ready for this one; null where it has left nothing that serves. */
    private @Nullable DataSocket left(OwnDataConnection.Direction way) throws IOException {
        DataSocket left = keepsConnection() ? session.ownData().take(options, way) : null;
        if (left == null) {
            return null;
        }
        boolean isReady = false;
        try {
            begin();
            isReady = true;
            return left;
        } finally {
            if (!isReady) {
                left.close();
            }
        }
    }

    private boolean keepsConnection() {
        return options.mode() == Mode.EXTENDED && options.streams() == 1;
    }

    /** Nothing moves before the server has said that it goes on: what is read of a source is gone. */
    private TransferResult over(String command, DataTask task, OwnDataConnection.Direction way) throws IOException {
        control.send(List.of(command));
        Reply reply = control.read(command, new Patience(session.settings().replyTimeout()));
        if (reply.isFailure()) {
            throw session.refusal(command, reply);
        }
        return finished(command, task, way);
    }

    private TransferResult finished(String command, DataTask task, OwnDataConnection.Direction way) throws IOException {
        TransferResult result = run(command, task);
        DataSocket left = keepsConnection() ? task.leave() : null;
        if (left != null) {
            session.ownData().leave(left, options, way);
        }
        return result;
    }

    private void begin() throws GridFtpException {
        session.prepare(options);
        session.keep(null);
        if (!options.restartFrom().ranges().isEmpty()) {
            session.execute(restart(options));
        }
    }

    /** {@code REST}, whose reply 350 asks for the command that follows. */
    static String restart(TransferOptions options) {
        return options.mode() == Mode.EXTENDED
                ? "REST " + options.restartFrom()
                : "REST " + options.restartFrom().prefix();
    }

    private interface Opening {
        DataTask to(DataAddress address) throws IOException;
    }

    /** The server listens: its address is asked for, and the transfer with it, in one go. */
    private TransferResult passive(String command, Opening opening) throws IOException {
        String passive = control.peerAddress() instanceof Inet6Address ? "EPSV" : "PASV";
        control.send(List.of(passive, command));
        Patience patience = new Patience(session.settings().replyTimeout());
        Reply reply = control.read(passive, patience);
        if (reply.isFailure()) {
            control.read(command, patience);
            throw session.refusal(passive, reply);
        }
        try (DataTask task = opening.to(address(passive, reply))) {
            return finished(command, task, OwnDataConnection.Direction.SEND);
        }
    }

    /** A server may send us anywhere only if who is there must prove to be our user. */
    private DataAddress address(String command, Reply reply) throws GridFtpException {
        try {
            DataAddress address = DataAddress.in(reply, control.peerAddress()).get(0);
            boolean anybody = options.authentication().kind() == DataAuthentication.Kind.NONE;
            if (anybody && !address.host().equals(control.peerAddress())) {
                throw new MalformedReplyException("the server wants data sent to "
                        + address.host().getHostAddress() + ", another host, without authentication; use DCAU A");
            }
            return address;
        } catch (MalformedReplyException e) {
            control.close();
            throw GridFtpException.of(Fault.PROTOCOL, session.server(), command, "no address for data", e);
        }
    }

    private TransferResult run(String command, DataTask task) throws IOException {
        CompletableFuture<Void> data = start(task);
        Reply reply = null;
        GridFtpException lost = null;
        try {
            reply = new TransferReplies(session, meter).last(command);
        } catch (GridFtpException e) {
            lost = e;
        }
        if (reply == null || reply.isFailure()) {
            task.close();
        }
        IOException failed = outcome(task, data);
        meter.tell();
        conclude(command, reply, lost, failed);
        return new TransferResult(meter.bytes(), Duration.ofNanos(System.nanoTime() - began));
    }

    /** A data side that fails leaves the control side little time: the server has been cut off and will say so. */
    private CompletableFuture<Void> start(DataTask task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofVirtual().name("gridftp-data").start(() -> {
            try {
                task.run();
                done.complete(null);
            } catch (IOException | RuntimeException | Error e) { // whatever it is, the waiting thread must be told
                task.close();
                meter.patience().renew(LAST_WORD);
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private @Nullable IOException outcome(DataTask task, CompletableFuture<Void> data) {
        while (true) {
            try {
                data.get(JOIN_SLICE_MILLIS, TimeUnit.MILLISECONDS);
                return null;
            } catch (TimeoutException e) {
                if (meter.patience().left() == 0) {
                    task.close();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                task.close();
                return new IOException("interrupted", e);
            } catch (ExecutionException | CompletionException e) {
                return e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
            }
        }
    }

    /** Which of the two sides tells best what went wrong. */
    private void conclude(
            String command, @Nullable Reply reply, @Nullable GridFtpException lost, @Nullable IOException data)
            throws IOException {
        if (data instanceof LocalDataException local) {
            throw local.original();
        }
        if (data instanceof GridFtpException known && known.fault() == Fault.REFUSED) {
            throw known; // we did not connect: what the server says of that is less
        }
        boolean unwelcome = data instanceof SSLException;
        if (reply != null && reply.isFailure() && !unwelcome) {
            throw withCause(session.refusal(command, reply), data);
        }
        if (data != null && (lost == null || unwelcome)) {
            Fault fault = unwelcome ? Fault.AUTHENTICATION : dataFault(data);
            throw GridFtpException.of(fault, session.server(), command, "the data channel failed", data);
        }
        if (lost != null) {
            throw withCause(lost, data);
        }
    }

    private static Fault dataFault(IOException data) {
        if (data instanceof MalformedReplyException) {
            return Fault.PROTOCOL;
        }
        return data instanceof SocketTimeoutException ? Fault.TIMEOUT : Fault.CONNECTION;
    }

    private static GridFtpException withCause(GridFtpException e, @Nullable IOException also) {
        if (also != null) {
            e.addSuppressed(also);
        }
        return e;
    }
}
