// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmListener;
import org.jobgate.lrm.LrmSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what becomes of the jobs of an LRM to a file, in the lines of a scheduler event generator, and passes it on. An event may be
 * written more than once. A file of {@value #MAX_BYTES} bytes is moved to the same name with {@code .1} behind it.
 */
final class SegLog implements LrmListener {

    static final long MAX_BYTES = 16 * 1024 * 1024;

    private static final Logger log = LoggerFactory.getLogger(SegLog.class);

    private final Path file;
    private final long maxBytes;
    private final LrmListener next;
    private boolean isBroken;
    private CompletableFuture<List<LrmEvent>> written = CompletableFuture.completedFuture(List.of());

    SegLog(Path file, long maxBytes, LrmListener next) {
        this.file = requireNonNull(file, "file is null");
        this.maxBytes = maxBytes;
        this.next = requireNonNull(next, "next is null");
    }

    /** Only what was not refused is written, in the order in which it came. */
    @Override
    public CompletableFuture<List<LrmEvent>> events(LrmSource source, List<LrmEvent> events) {
        CompletableFuture<List<LrmEvent>> heard = next.events(source, events);
        synchronized (this) {
            CompletableFuture<List<LrmEvent>> inTurn = written.exceptionally(failure -> List.of())
                    .thenCombineAsync(heard, (before, now) -> write(now), Thread::startVirtualThread);
            written = inTurn;
            return inTurn;
        }
    }

    /** What cannot be written is missing there; the jobs do not suffer for it. */
    private synchronized List<LrmEvent> write(List<LrmEvent> events) {
        if (events.isEmpty()) {
            return events;
        }
        StringBuilder text = new StringBuilder();
        events.forEach(event ->
                SegLine.of(event).forEach(line -> text.append(line.text()).append('\n')));
        try {
            if (Files.exists(file) && Files.size(file) >= maxBytes) {
                Files.move(file, file.resolveSibling(file.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
            }
            Files.write(
                    file,
                    text.toString().getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
            isBroken = false;
        } catch (IOException e) {
            if (!isBroken) {
                log.error("Events cannot be written to {}; they are missing there until they can", file, e);
            }
            isBroken = true;
        }
        return events;
    }
}
