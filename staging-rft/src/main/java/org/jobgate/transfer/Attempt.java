// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jobgate.job.CreationFlag;
import org.jobgate.job.FileTokens;
import org.jobgate.transfer.protocol.End;
import org.jobgate.transfer.protocol.Entry;
import org.jobgate.transfer.protocol.Progress;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.jobgate.transfer.server.FileServers;
import org.jspecify.annotations.Nullable;

/** One attempt at a task, by whatever protocols it needs. */
final class Attempt {

    private static final String HERE = "file";
    private static final String GONE = "there was nothing to delete";
    private static final String STAYS = "the file was there already, and stays as it was (dontOverwrite)";

    private final Protocols protocols;
    private final UrlPolicy policy;
    private final FileServers fileServers;

    private final Appending appending;
    private final Creation creation;
    private final Slices slices;

    /** @param following how files are sent that are being written */
    Attempt(
            Protocols protocols,
            UrlPolicy policy,
            FileServers fileServers,
            TransferSettings.Following following,
            Clock clock) {
        this.appending = new Appending(protocols, following.bytes());
        this.creation = new Creation(protocols);
        this.slices = new Slices(protocols, policy, following, clock);
        this.fileServers = requireNonNull(fileServers, "fileServers is null");
        this.protocols = requireNonNull(protocols, "protocols is null");
        this.policy = requireNonNull(policy, "policy is null");
    }

    /**
     * Does it.
     *
     * @param lrm of the job; absent where there is none
     * @param found is given what is in a directory that is copied
     * @return what its owner should know of it; absent as a rule
     */
    @Nullable
    String make(TransferTask task, TransferContext context, @Nullable String lrm, Consumer<TransferTask> found)
            throws TransferException, InterruptedException {
        URI source = task.source();
        check(task.destination());
        if (source == null) {
            return protocols.of(task.destination()).delete(task.destination(), context.at(End.DESTINATION))
                    ? null
                    : GONE;
        }
        check(source);
        if (task.isSliced()) {
            return slices.finish(task, context);
        }
        if (task.isDirectory()) {
            open(task, source, context, found);
            return null;
        }
        CreationFlag flag = CreationFlag.in(task.options());
        if (flag == CreationFlag.APPEND) {
            creation.append(source, task.destination(), context);
            return null;
        }
        if (flag == CreationFlag.DONT_OVERWRITE && creation.wasThere(task.destination(), context)) {
            return STAYS;
        }
        OutputQuota quota = task.quota();
        Long tail = quota == null ? null : quota.tailOf(source, protocols, context);
        if (tail != null) {
            return Tails.send(source, task.destination(), tail, protocols, context);
        }
        if (!isCompleted(source, task.destination(), context)) {
            TransferContext whole = Appending.Mark.is(context.marker()) || Creation.ofProtocol(context.marker()) == null
                    ? context.with(null, context.progress())
                    : context;
            FileTokens tokens = FileTokens.in(task.options()).orElse(null);
            if (tokens != null || !movesThroughFileServer(source, task.destination(), lrm, whole)) {
                copy(source, task.destination(), tokens, whole);
            }
        }
        Checksum checksum = checksum(context);
        return checksum == null ? null : checksum.check(protocols, source, task.destination(), context);
    }

    /** Sends the rest of a file that was followed while it was written; answers whether that was possible. */
    private boolean isCompleted(URI source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        return Appending.Mark.is(context.marker())
                && protocols.of(destination).appends()
                && appending.finish(source, destination, context);
    }

    /**
     * Sends a slice of a file that is being written.
     *
     * @param here what the source is read with
     * @param there what the destination is written with
     */
    Appending.Turn append(TransferTask task, TransferContext here, Appending.Credentialed there)
            throws TransferException, InterruptedException {
        URI source = requireNonNull(task.source(), "a deletion follows nothing");
        check(task.destination());
        return task.isSliced()
                ? slices.turn(task, here, there)
                : appending.turn(source, task.destination(), here, there);
    }

    private void check(URI url) throws TransferException {
        if (protocols.of(url).namesServer()) {
            policy.check(url);
        }
    }

    private static @Nullable Checksum checksum(TransferContext context) throws TransferException {
        String wanted = context.option(Checksum.OPTION).orElse(null);
        try {
            return wanted == null ? null : Checksum.parse(wanted);
        } catch (IllegalArgumentException e) {
            throw new TransferException(
                    TransferException.Kind.PERMANENT, "the option checksum: " + e.getMessage(), "Correct it.", e);
        }
    }

    /** Moves a file of this machine through a file server of the site, if the other end can then be reached without the gateway. */
    private boolean movesThroughFileServer(URI source, URI destination, @Nullable String lrm, TransferContext context)
            throws TransferException, InterruptedException {
        boolean isFrom = Urls.scheme(source).equals(HERE);
        boolean isTo = Urls.scheme(destination).equals(HERE);
        if (isFrom == isTo || context.credential() == null || context.isProgram()) {
            return false; // what is to be run is made executable here, which a server cannot be asked for
        }
        Optional<FileServers.Passage> found = fileServers.through(lrm, isFrom ? source : destination);
        if (found.isEmpty()) {
            return false;
        }
        try (FileServers.Passage passage = found.get()) {
            URI from = isFrom ? passage.url() : source;
            URI to = isFrom ? destination : passage.url();
            Optional<Protocol> mover = protocols.between(from, to);
            if (mover.isPresent()) {
                move(mover.get(), from, to, passage, context);
            }
            return mover.isPresent();
        }
    }

    private static void move(Protocol mover, URI from, URI to, FileServers.Passage passage, TransferContext context)
            throws TransferException, InterruptedException {
        try {
            mover.move(from, to, context.with(context.marker(), new Counting(context.progress(), passage)));
        } catch (TransferException e) {
            if (e.kind() == TransferException.Kind.SERVER && passage.isNamedIn(e.sentence())) {
                passage.failed(e.sentence());
            }
            throw e;
        }
    }

    /** Tells a passage what goes through it. */
    private record Counting(Progress progress, FileServers.Passage passage) implements Progress {
        @Override
        public void moved(long bytes) {
            passage.moved(bytes);
            progress.moved(bytes);
        }

        @Override
        public void came(long bytes) {
            progress.came(bytes);
        }

        @Override
        public boolean isMarkDue() {
            return progress.isMarkDue();
        }

        @Override
        public void mark(String marker) {
            progress.mark(marker);
        }

        @Override
        public void note(String text) {
            progress.note(text);
        }
    }

    private void open(TransferTask directory, URI source, TransferContext context, Consumer<TransferTask> found)
            throws TransferException, InterruptedException {
        protocols.of(directory.destination()).makeDirectory(directory.destination(), context.at(End.DESTINATION));
        List<Entry> entries = protocols.of(source).list(source, context.at(End.SOURCE));
        NamePattern pattern = NamePattern.of(context).orElse(null);
        for (Entry entry : entries) {
            boolean isWanted = pattern == null
                    ? entry.kind() != Entry.Kind.OTHER
                    : entry.kind() == Entry.Kind.FILE && pattern.matches(entry.name());
            if (isWanted) {
                found.accept(directory.inside(entry.name(), entry.kind() == Entry.Kind.DIRECTORY));
            }
        }
    }

    /** @param tokens what is replaced in the file on its way; absent as a rule */
    private void copy(URI source, URI destination, @Nullable FileTokens tokens, TransferContext context)
            throws TransferException, InterruptedException {
        Protocol mover = protocols.between(source, destination).orElse(null);
        if (mover != null && tokens == null) {
            mover.move(source, destination, context);
            return;
        }
        Protocol to = protocols.of(destination);
        TransferContext here = context.at(End.SOURCE);
        TransferContext there = context.at(End.DESTINATION);
        RelayMarker marker = RelayMarker.of(context.marker());
        boolean isResumed = marker.offset() > 0 && tokens == null; // places in the two files are not the same
        long kept = isResumed ? Math.min(marker.offset(), to.kept(destination, there)) : 0;
        try (Source opened = protocols.of(source).open(source, kept, kept == 0 ? "" : marker.version(), here)) {
            Source counted = CountedInput.of(opened, here.progress());
            Source given = tokens == null ? counted : FilledInput.of(counted, tokens);
            to.store(given, destination, of(given, there));
        } catch (IOException e) {
            throw TransferException.of(e, "reading " + source);
        }
    }

    /** Removes what unfinished attempts left. */
    void abandon(TransferTask task, TransferContext context) throws TransferException, InterruptedException {
        URI source = task.source();
        if (source != null && !task.isDirectory()) {
            protocols.of(task.destination()).abandon(task.destination(), context.at(End.DESTINATION));
        }
    }

    /** A marker of a destination can be used only with the same content of the source. */
    private static TransferContext of(Source source, TransferContext context) {
        Progress progress = context.progress();
        Progress versioned = new Progress() {
            @Override
            public void moved(long bytes) {
                progress.moved(bytes);
            }

            @Override
            public void came(long bytes) {
                progress.came(bytes);
            }

            @Override
            public boolean isMarkDue() {
                return !source.version().isEmpty() && progress.isMarkDue();
            }

            @Override
            public void mark(String marker) {
                progress.mark(marker + " " + source.version());
            }

            @Override
            public void note(String text) {
                progress.note(text);
            }
        };
        return context.with(context.marker(), versioned);
    }

    /** How far a relayed file came, and of which content. */
    private record RelayMarker(long offset, String version) {
        static RelayMarker of(@Nullable String text) {
            int space = text == null ? -1 : text.indexOf(' ');
            return text == null || space < 0
                    ? new RelayMarker(0, "")
                    : new RelayMarker(Long.parseLong(text.substring(0, space)), text.substring(space + 1));
        }
    }
}
