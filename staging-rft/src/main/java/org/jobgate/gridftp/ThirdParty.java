// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.net.Inet6Address;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves a file from one server to another; no byte of it comes here. The receiver listens, the sender connects, in both modes.
 *
 * <p>In extended block mode the data connections stay open between two transfers of the same two sessions with the same options, as long
 * as nothing fails: small files then cost a command at each end. In stream mode each file has its own.
 */
public final class ThirdParty {

    private static final long UNKNOWN = -1;

    private final GridFtpSession from;
    private final GridFtpSession to;
    private final TransferOptions options;

    /** Between two sessions, which nobody else uses meanwhile. */
    public ThirdParty(GridFtpSession from, GridFtpSession to, TransferOptions options) {
        if (from == to) {
            throw new IllegalArgumentException("one session cannot be both ends: each has one command at a time");
        }
        this.from = from;
        this.to = to;
        this.options = options;
    }

    /**
     * Moves one file. A source that is not there is told before the destination is touched.
     *
     * @throws GridFtpException of the side that failed first, preferring what is permanent; the other's is suppressed in it
     */
    public TransferResult copy(String source, String destination, TransferListener listener) throws GridFtpException {
        return copy(source, UNKNOWN, destination, listener);
    }

    /**
     * Moves one file that is known to be there, which spares a question.
     *
     * @param knownSize of the source in bytes; below 0 where it is not known: then it is asked
     * @throws GridFtpException as {@link #copy(String, String, TransferListener)}
     */
    public TransferResult copy(String source, long knownSize, String destination, TransferListener listener)
            throws GridFtpException {
        long began = System.nanoTime();
        String retrieve = retrieve(source);
        String store = GridFtpSession.storeCommand(destination, options);
        inStep(from);
        inStep(to);
        from.prepare(options);
        to.prepare(options);
        Meter meter = new Meter(listener, new Patience(to.settings().quietTimeout()), options.restartFrom());
        DataConnections open = from.kept();
        boolean reuse = open != null && open.leadTo(to.kept());
        List<String> sending = new ArrayList<>();
        long size = begin(source, knownSize, reuse, sending);
        sending.add(retrieve);
        from.keep(null);
        to.keep(null);
        to.control().send(List.of(store));
        from.control().send(sending);
        try {
            new BothEnds(meter).run(from, sending, to, List.of(store));
        } finally {
            meter.tell();
        }
        keep(open != null && reuse ? open.which() : new Object());
        meter.reported(expected(size));
        return new TransferResult(meter.bytes(), Duration.ofNanos(System.nanoTime() - began));
    }

    /** Before anything is sent to either: the other one would be left in the middle. */
    private static void inStep(GridFtpSession session) throws GridFtpException {
        if (!session.isUsable()) {
            throw GridFtpException.of(
                    Fault.CONNECTION,
                    session.server(),
                    "third party",
                    "the session is not usable any more; open another");
        }
    }

    private String retrieve(String source) {
        TransferOptions.Part part = options.part();
        return part == null
                ? CommandText.withPath("RETR", source)
                : CommandText.withPath("ERET P " + part.offset() + " " + part.length(), source);
    }

    private void keep(Object connections) {
        if (options.mode() == Mode.EXTENDED && !options.striped()) {
            from.keep(new DataConnections(connections, true));
            to.keep(new DataConnections(connections, false));
        }
    }

    /** Asks whether the source is there, and meanwhile where the receiver listens, as far as either is not known already. */
    private long begin(String source, long knownSize, boolean reuse, List<String> sending) throws GridFtpException {
        String size = CommandText.withPath("SIZE", source);
        String passive = passive();
        if (knownSize < 0) {
            from.control().send(List.of(size));
        }
        if (!reuse) {
            to.control().send(List.of(passive));
        }
        Reply isThere = knownSize < 0
                ? from.control().read(size, new Patience(from.settings().replyTimeout()))
                : null;
        if (!reuse) {
            sending.add(port(addresses(passive)));
        }
        if (isThere != null && isThere.isFailure() && isThere.fault() != Fault.UNSUPPORTED) {
            throw from.refusal(size, isThere);
        }
        restart();
        if (isThere == null) {
            return knownSize;
        }
        return isThere.isFailure() ? 0 : from.number(size, isThere);
    }

    /** How many bytes a success has moved: stream mode has no markers that say it. */
    private long expected(long size) {
        if (options.part() != null) {
            return Math.max(
                    0, Math.min(options.part().length(), size - options.part().offset()));
        }
        ByteRanges before = options.restartFrom();
        return Math.max(0, size - (options.mode() == Mode.STREAM ? before.prefix() : before.total()));
    }

    private String passive() {
        if (options.striped()) {
            return "SPAS";
        }
        return to.control().peerAddress() instanceof Inet6Address ? "EPSV" : "PASV";
    }

    private String port(List<DataAddress> addresses) {
        return options.striped()
                ? DataAddress.stripedPortCommand(addresses)
                : addresses.get(0).portCommand();
    }

    private List<DataAddress> addresses(String passive) throws GridFtpException {
        Reply reply = to.succeeded(
                passive, to.control().read(passive, new Patience(to.settings().replyTimeout())));
        try {
            return DataAddress.in(reply, to.control().peerAddress());
        } catch (MalformedReplyException e) {
            throw GridFtpException.of(Fault.PROTOCOL, to.server(), passive, "no address for data", e);
        }
    }

    private void restart() throws GridFtpException {
        if (!options.restartFrom().ranges().isEmpty()) {
            String command = ClientTransfer.restart(options);
            to.execute(command);
            from.execute(command);
        }
    }
}
