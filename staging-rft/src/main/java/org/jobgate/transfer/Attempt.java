// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.function.Consumer;
import org.jobgate.transfer.protocol.Entry;
import org.jobgate.transfer.protocol.Progress;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jspecify.annotations.Nullable;

/** One attempt at a task, by whatever protocols it needs. */
final class Attempt {

    private static final String GONE = "there was nothing to delete";

    private final Protocols protocols;
    private final UrlPolicy policy;

    Attempt(Protocols protocols, UrlPolicy policy) {
        this.protocols = requireNonNull(protocols, "protocols is null");
        this.policy = requireNonNull(policy, "policy is null");
    }

    /**
     * Does it.
     *
     * @param found is given what is in a directory that is copied
     * @return what its owner should know of it; absent as a rule
     */
    @Nullable
    String make(TransferTask task, TransferContext context, Consumer<TransferTask> found)
            throws TransferException, InterruptedException {
        URI source = task.source();
        policy.check(task.destination());
        if (source == null) {
            return protocols.of(task.destination()).delete(task.destination(), context) ? null : GONE;
        }
        policy.check(source);
        if (task.isDirectory()) {
            open(task, source, context, found);
        } else {
            copy(source, task.destination(), context);
        }
        return null;
    }

    private void open(TransferTask directory, URI source, TransferContext context, Consumer<TransferTask> found)
            throws TransferException, InterruptedException {
        protocols.of(directory.destination()).makeDirectory(directory.destination(), context);
        List<Entry> entries = protocols.of(source).list(source, context);
        for (Entry entry : entries) {
            if (entry.kind() != Entry.Kind.OTHER) {
                found.accept(directory.inside(entry.name(), entry.kind() == Entry.Kind.DIRECTORY));
            }
        }
    }

    private void copy(URI source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        Protocol mover = protocols.between(source, destination).orElse(null);
        if (mover != null) {
            mover.move(source, destination, context);
            return;
        }
        Protocol to = protocols.of(destination);
        RelayMarker marker = RelayMarker.of(context.marker());
        long kept = marker.offset() == 0 ? 0 : Math.min(marker.offset(), to.kept(destination, context));
        try (Source opened = protocols.of(source).open(source, kept, kept == 0 ? "" : marker.version(), context)) {
            to.store(opened, destination, of(opened, context));
        } catch (IOException e) {
            throw TransferException.of(e, "reading " + source);
        }
    }

    /** Removes what unfinished attempts left. */
    void abandon(TransferTask task, TransferContext context) throws TransferException, InterruptedException {
        URI source = task.source();
        if (source != null && !task.isDirectory()) {
            protocols.of(task.destination()).abandon(task.destination(), context);
        }
    }

    /** A marker of a destination is good for the same content of the source only. */
    private static TransferContext of(Source source, TransferContext context) {
        Progress progress = context.progress();
        Progress versioned = new Progress() {
            @Override
            public void moved(long bytes) {
                progress.moved(bytes);
            }

            @Override
            public boolean isMarkDue() {
                return !source.version().isEmpty() && progress.isMarkDue();
            }

            @Override
            public void mark(String marker) {
                progress.mark(marker + " " + source.version());
            }
        };
        return new TransferContext(
                context.id(),
                context.account(),
                context.credential(),
                context.options(),
                context.isProgram(),
                context.idleTimeout(),
                context.marker(),
                versioned);
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
