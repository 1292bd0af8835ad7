// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import eu.emi.security.authn.x509.X509CertChainValidator;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jobgate.gridftp.ByteRanges;
import org.jobgate.gridftp.DirectoryEntry;
import org.jobgate.gridftp.Fault;
import org.jobgate.gridftp.GridFtpException;
import org.jobgate.gridftp.GridFtpPool;
import org.jobgate.gridftp.GridFtpSession;
import org.jobgate.gridftp.ThirdParty;
import org.jobgate.gridftp.TransferListener;
import org.jobgate.gridftp.TransferOptions;
import org.jobgate.transfer.protocol.ChecksumAlgorithm;
import org.jobgate.transfer.protocol.End;
import org.jobgate.transfer.protocol.Entry;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * {@code gsiftp://}: third party between two GridFTP servers, GET or PUT where the other end is something else. Always as the owner, with
 * the delegated credential, of which servers get a limited proxy.
 *
 * <p>A file is written under a name of its own beside the destination and then given its name. What has arrived is kept for the next
 * attempt as long as the source's size and time of change stay the same.
 */
public final class GsiftpProtocol implements Protocol {

    private static final long WHOLE = -1;

    private final Sessions sessions;
    private final boolean mayConnect;

    private final SmallFiles small = new SmallFiles(System::nanoTime);

    /** One that no server connects to. */
    public GsiftpProtocol(GridFtpPool pool, X509CertChainValidator validator) {
        this(pool, validator, false);
    }

    /**
     * A protocol with sessions of its own.
     *
     * @param pool closed with this
     * @param validator decides about servers; closed by who made it
     * @param mayConnect whether servers may open data connections to this machine: small files then come over one that stays open
     */
    public GsiftpProtocol(GridFtpPool pool, X509CertChainValidator validator, boolean mayConnect) {
        this.mayConnect = mayConnect;
        this.sessions = new Sessions(pool, validator);
    }

    @Override
    public Set<String> schemes() {
        return Set.of("gsiftp");
    }

    @Override
    public boolean needsCredential() {
        return true;
    }

    @Override
    public Optional<String> refusal(Map<String, String> options, End end) {
        return RftOptions.refusal(options, end);
    }

    @Override
    public boolean moves(URI source, URI destination) {
        return "gsiftp".equalsIgnoreCase(source.getScheme()) && "gsiftp".equalsIgnoreCase(destination.getScheme());
    }

    @Override
    public void move(URI source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        if (RftOptions.isRelayAsked(context)) {
            relay(source, destination, context);
            return;
        }
        try {
            moveOnce(Place.of(source), Place.of(destination), context);
        } catch (GridFtpException e) {
            if (!isDirectoryMissing(e)) {
                throw Refusals.of(e);
            }
            makeDirectory(Place.of(destination).parent(), context.at(End.DESTINATION));
            moveAgain(source, destination, context);
        } catch (IOException | IllegalArgumentException e) {
            throw Refusals.of(e);
        }
    }

    private void moveAgain(URI source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        try {
            moveOnce(Place.of(source), Place.of(destination), context);
        } catch (IOException e) {
            throw Refusals.of(e);
        }
    }

    private void moveOnce(Place from, Place to, TransferContext context) throws IOException, TransferException {
        try (GridFtpPool.Pair pair = sessions.leasePair(from, to, context)) {
            GridFtpSession sender = pair.sender().session();
            GridFtpSession receiver = pair.receiver().session();
            Place unfinished = to.unfinished(context.id());
            DirectoryEntry entry = entry(sender, from);
            TransferOptions options = RftOptions.thirdParty(context, entry.size());
            String version = version(entry);
            ByteRanges arrived = arrived(context.marker(), version, receiver, unfinished);
            Told told = new Told(context.progress(), version);
            var unused = new ThirdParty(sender, receiver, options.withRestart(arrived))
                    .copy(from.path(), entry.size(), unfinished.path(), told);
            receiver.rename(unfinished.path(), to.path());
        }
    }

    private static boolean isDirectoryMissing(GridFtpException e) {
        return e.fault() == Fault.NOT_FOUND && e.command().startsWith("STOR ");
    }

    private void relay(URI source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        try (Source bytes = open(source, 0, "", context.at(End.SOURCE))) {
            store(bytes, destination, context.at(End.DESTINATION));
        } catch (IOException e) {
            throw Refusals.of(e);
        }
    }

    /** What an earlier attempt brought, if both ends are still as they were. */
    private static ByteRanges arrived(
            @Nullable String marker, String version, GridFtpSession receiver, Place unfinished) throws IOException {
        Marker known = Marker.of(marker);
        if (known.arrived().ranges().isEmpty() || !known.version().equals(version)) {
            return ByteRanges.NONE;
        }
        long end = known.arrived()
                .ranges()
                .get(known.arrived().ranges().size() - 1)
                .to();
        long there = receiver.stat(unfinished.path()).map(DirectoryEntry::size).orElse(0L);
        return there >= end ? known.arrived() : ByteRanges.NONE;
    }

    private interface Work {
        void run() throws IOException;
    }

    /** Directories on the way are made where the server misses one: as a rule it does not. */
    private static void withDirectory(GridFtpSession receiver, Place to, Work work) throws IOException {
        try {
            work.run();
        } catch (GridFtpException e) {
            if (!isDirectoryMissing(e) || !receiver.isUsable()) {
                throw e;
            }
            new Directories(receiver, TransferOptions.STREAM.authentication()).make(to.parent());
            work.run();
        }
    }

    @Override
    public Source open(URI source, long offset, String version, TransferContext context)
            throws TransferException, InterruptedException {
        Place from = Place.of(source);
        GridFtpPool.Lease lease = leaseToFetch(from, context);
        boolean given = false;
        try {
            DirectoryEntry entry = entry(lease.session(), from);
            String now = version(entry);
            long start = !now.isEmpty() && now.equals(version) && offset <= entry.size() ? offset : 0;
            if (mayConnect && start == 0 && small.takes(from.server(), entry.size())) {
                TransferOptions options = RftOptions.fetched(context);
                int size = (int) entry.size();
                FetchedBytes bytes = new FetchedBytes(
                        0, sink -> small.fetch(lease.session(), from.path(), size, options, sink), lease::close);
                given = true;
                return new Source(0, size, now, bytes);
            }
            TransferOptions rest = RftOptions.relayed(context).withRestart(ByteRanges.upTo(start));
            FetchedBytes bytes = new FetchedBytes(
                    start, sink -> lease.session().get(from.path(), sink, rest, TransferListener.NONE), lease::close);
            given = true;
            return new Source(start, entry.size() < 0 ? Source.UNKNOWN : entry.size(), now, bytes);
        } catch (IOException | IllegalArgumentException e) {
            throw Refusals.of(e);
        } finally {
            if (!given) {
                lease.close();
            }
        }
    }

    @Override
    public long kept(URI destination, TransferContext context) throws TransferException, InterruptedException {
        Place unfinished = Place.of(destination).unfinished(context.id());
        return sessions.work(
                unfinished,
                context,
                session -> session.stat(unfinished.path())
                        .map(DirectoryEntry::size)
                        .filter(size -> size > 0)
                        .orElse(0L));
    }

    @Override
    public void store(Source source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        Place to = Place.of(destination);
        Place unfinished = to.unfinished(context.id());
        TransferOptions options = RftOptions.sent(context).withRestart(ByteRanges.upTo(source.start()));
        try (GridFtpPool.Lease lease = sessions.leaseToSend(to, context)) {
            GridFtpSession session = lease.session();
            RelayedSource bytes = new RelayedSource(source, context);
            withDirectory(session, to, () -> session.put(bytes, unfinished.path(), options, bytes));
            source.requireWhole(bytes.end(), session.size(unfinished.path()));
            session.rename(unfinished.path(), to.path());
        } catch (IOException | IllegalArgumentException e) {
            throw Refusals.of(e);
        }
    }

    @Override
    public boolean appends() {
        return true;
    }

    @Override
    public boolean append(Source source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        Place to = Place.of(destination);
        TransferOptions options = RftOptions.relayed(context).withRestart(ByteRanges.upTo(source.start()));
        return sessions.work(to, context, session -> {
            if (sizeAt(session, to) < source.start()) {
                return false;
            }
            RelayedSource bytes = new RelayedSource(source, context);
            var unused = session.put(bytes, to.path(), options, bytes);
            source.requireWhole(bytes.end(), Math.min(bytes.end(), session.size(to.path())));
            return true;
        });
    }

    private static long sizeAt(GridFtpSession session, Place place) throws IOException {
        return session.stat(place.path()).map(DirectoryEntry::size).orElse(-1L);
    }

    @Override
    public long size(URI file, TransferContext context) throws TransferException, InterruptedException {
        Place place = Place.of(file);
        return sessions.work(place, context, session -> sizeAt(session, place));
    }

    @Override
    public void abandon(URI destination, TransferContext context) throws TransferException, InterruptedException {
        Place unfinished = Place.of(destination).unfinished(context.id());
        boolean unused = sessions.work(
                unfinished, context, session -> directories(session, context).delete(unfinished));
    }

    /** The server computes it, where it knows how to. */
    @Override
    public String checksum(URI file, ChecksumAlgorithm algorithm, TransferContext context)
            throws TransferException, InterruptedException {
        Place place = Place.of(file);
        Optional<String> told = sessions.work(place, context, session -> {
            try {
                return Optional.of(algorithm.normalized(session.checksum(algorithm.name(), place.path(), 0, WHOLE)));
            } catch (GridFtpException e) {
                boolean cannot = e.fault() == Fault.UNSUPPORTED || e.fault() == Fault.FAILED;
                if (cannot && session.isUsable()) {
                    return Optional.empty();
                }
                throw e;
            }
        });
        return told.isPresent() ? told.get() : Protocol.super.checksum(file, algorithm, context);
    }

    @Override
    public List<Entry> list(URI directory, TransferContext context) throws TransferException, InterruptedException {
        Place place = Place.of(directory);
        return sessions.work(place, context, session -> {
            List<Entry> entries = new ArrayList<>();
            for (DirectoryEntry each : directories(session, context).list(place)) {
                Entry.Kind kind = switch (each.type()) {
                    case FILE -> Entry.Kind.FILE;
                    case DIRECTORY -> Entry.Kind.DIRECTORY;
                    case SELF, PARENT, OTHER -> Entry.Kind.OTHER;
                };
                entries.add(new Entry(each.name(), kind, Math.max(Source.UNKNOWN, each.size())));
            }
            return entries;
        });
    }

    @Override
    public void makeDirectory(URI directory, TransferContext context) throws TransferException, InterruptedException {
        makeDirectory(Place.of(directory), context);
    }

    private void makeDirectory(Place place, TransferContext context) throws TransferException, InterruptedException {
        boolean unused = sessions.work(place, context, session -> {
            directories(session, context).make(place);
            return true;
        });
    }

    @Override
    public boolean delete(URI file, TransferContext context) throws TransferException, InterruptedException {
        Place place = Place.of(file);
        return sessions.work(
                place, context, session -> directories(session, context).delete(place));
    }

    private static Directories directories(GridFtpSession session, TransferContext context) throws TransferException {
        return new Directories(session, RftOptions.relayed(context).authentication());
    }

    private GridFtpPool.Lease leaseToFetch(Place place, TransferContext context)
            throws TransferException, InterruptedException {
        try {
            return mayConnect ? sessions.leaseToFetch(place, context) : sessions.lease(place, context);
        } catch (IOException e) {
            throw Refusals.of(e);
        }
    }

    private static DirectoryEntry entry(GridFtpSession session, Place place) throws IOException, TransferException {
        return session.stat(place.path())
                .orElseThrow(() -> new TransferException(
                        Kind.PERMANENT,
                        "there is no " + place.path() + " at the GridFTP server " + place.server(),
                        "Correct the file's name in the job."));
    }

    /** Size and time of change; empty where the server does not say both. */
    private static String version(DirectoryEntry entry) {
        Instant modified = entry.modified();
        return entry.size() < 0 || modified == null ? "" : entry.size() + "-" + modified.getEpochSecond();
    }

    @Override
    public void forget(String credential) {
        sessions.forget(credential);
    }

    @Override
    public void close() {
        sessions.close();
    }
}
