// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jobgate.transfer.protocol.End;
import org.jobgate.transfer.protocol.Entry;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * How large the output files of a job may be together, by the rule of CREAM's wrapper ({@code MaxOutputSandboxSize}): files are taken in their order, and
 * whole as long as there is room. One for which there is not gets the room that is left divided by the number of files that are left, itself among them,
 * for its last bytes.
 *
 * <p>All files are looked at when the first of them is to be sent, and again after a restart: what has ended writes no more.
 */
public final class OutputQuota {

    /** A file is not sent for less. */
    private static final long LEAST = 10;

    private final List<TransferTask> tasks;
    private final long most;
    private final ReentrantLock lock = new ReentrantLock();

    /** The ends of files that have no room as a whole; null until they were computed. Guarded by the lock. */
    private @Nullable Map<URI, Long> tails;

    /**
     * Nobody has looked at the files.
     *
     * @param tasks in the order in which they get room
     * @param most bytes of all of them
     */
    public OutputQuota(List<TransferTask> tasks, long most) {
        this.tasks = List.copyOf(tasks);
        this.most = most;
    }

    /** How many of its last bytes are sent of a file, 0 for none; null for the whole file. */
    @Nullable
    Long tailOf(URI file, Protocols protocols, TransferContext context) throws TransferException, InterruptedException {
        lock.lockInterruptibly();
        try {
            Map<URI, Long> known = tails;
            if (known == null) {
                known = shared(sized(protocols, context));
                tails = known;
            }
            return known.get(file);
        } finally {
            lock.unlock();
        }
    }

    private record Sized(URI file, long size) {}

    private Map<URI, Long> shared(List<Sized> files) {
        Map<URI, Long> cut = new HashMap<>();
        long used = 0;
        for (int i = 0; i < files.size(); i++) {
            Sized file = files.get(i);
            if (file.size() <= most - used) {
                used += file.size();
            } else {
                long room = (most - used) / (files.size() - i);
                long tail = room < LEAST ? 0 : room;
                used += tail;
                cut.put(file.file(), tail);
            }
        }
        return cut;
    }

    /** Without whole directories, which are no output files by name, and without slices, which were sent before. */
    private List<Sized> sized(Protocols protocols, TransferContext context)
            throws TransferException, InterruptedException {
        List<Sized> files = new ArrayList<>();
        for (TransferTask task : tasks) {
            URI source = task.source();
            if (source == null || task.isSliced()) {
                continue;
            }
            String pattern = task.options().get(NamePattern.OPTION);
            if (!task.isDirectory()) {
                files.add(new Sized(source, size(source, protocols, context)));
            } else if (pattern != null) {
                addMatching(files, source, NamePattern.parse(pattern), protocols, context);
            }
        }
        return files;
    }

    private static void addMatching(
            List<Sized> files, URI directory, NamePattern pattern, Protocols protocols, TransferContext context)
            throws TransferException, InterruptedException {
        for (Entry entry : entries(directory, protocols, context)) {
            if (entry.kind() == Entry.Kind.FILE && pattern.matches(entry.name())) {
                files.add(new Sized(Urls.inside(directory, entry.name(), false), entry.size()));
            }
        }
    }

    /** A directory that is missing is told by its own transfer. */
    private static List<Entry> entries(URI directory, Protocols protocols, TransferContext context)
            throws TransferException, InterruptedException {
        try {
            return protocols.of(directory).list(directory, context.at(End.SOURCE));
        } catch (TransferException e) {
            if (e.kind() == Kind.PERMANENT) {
                return List.of();
            }
            throw e;
        }
    }

    /** A file that is missing takes no room; its own transfer says that it is. */
    private static long size(URI file, Protocols protocols, TransferContext context)
            throws TransferException, InterruptedException {
        return WrittenFiles.look(file, protocols, context)
                .map(WrittenFiles.Known::size)
                .orElse(0L);
    }
}
