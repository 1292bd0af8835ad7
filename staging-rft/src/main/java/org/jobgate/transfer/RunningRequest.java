// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request that is being worked on. Some of its transfers are out (waiting for their turn, being made, or pausing), the others wait
 * here. The first that fails for good has the others stopped; when none is out any more the request is over.
 */
final class RunningRequest {

    private static final Logger LOG = LoggerFactory.getLogger(RunningRequest.class);
    private static final int NAME_BYTES = 12;

    private final EngineParts parts;
    private final TransferRequest order;
    private final Map<String, TransferRecord> records;
    private final CompletableFuture<TransferResult> result = new CompletableFuture<>();

    /** Guarded by this, as all below. */
    private final Deque<Transfer> waiting = new ArrayDeque<>();

    private final Set<Transfer> out = new HashSet<>();
    private final Set<Transfer> pausing = new HashSet<>();
    private final List<TransferTask> made = new ArrayList<>();
    private @Nullable Transfer failed;
    private long entries;
    private boolean isStopped;
    private boolean isFrozen;
    private boolean isOver;

    RunningRequest(EngineParts parts, TransferRequest order, Map<String, TransferRecord> records) {
        this.parts = parts;
        this.order = order;
        this.records = records;
        for (int i = 0; i < order.tasks().size(); i++) {
            add(order.tasks().get(i), order.id() + "/" + i);
        }
    }

    TransferRequest order() {
        return order;
    }

    CompletableFuture<TransferResult> result() {
        return result;
    }

    private synchronized void add(TransferTask task, String id) {
        TransferRecord known = records.getOrDefault(id, TransferRecord.NEW);
        Transfer transfer = new Transfer(parts, this, task, id, known);
        if (known.state() == TransferState.FINISHED) {
            made.add(task);
        } else if (known.state() == TransferState.FAILED && failed == null) {
            failed = transfer; // it was over before the service stopped
        } else {
            waiting.add(transfer);
        }
    }

    /** What is in a directory of it, by names that are the same when it is listed again. */
    synchronized void found(TransferTask task) {
        parts.settings().entries().check(++entries, "files and directories in the directories to be copied");
        add(task, order.id() + "/" + digest(task.destination().toString()));
    }

    private static String digest(String text) {
        try {
            byte[] whole = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(whole, 0, NAME_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Lets as many out as may be, and sees whether it is over. */
    void goOn() {
        List<Transfer> next = new ArrayList<>();
        boolean isLast;
        synchronized (this) {
            if (isFrozen) {
                return;
            }
            while (failed == null
                    && !isStopped
                    && out.size() < parts.settings().concurrencyOf(order)
                    && !waiting.isEmpty()) {
                Transfer transfer = waiting.remove();
                out.add(transfer);
                next.add(transfer);
            }
            isLast = out.isEmpty() && !isOver;
            isOver |= isLast;
        }
        next.forEach(parts.turns()::offer);
        if (isLast) {
            complete();
        }
    }

    private void complete() {
        Transfer ended;
        List<TransferTask> copies;
        synchronized (this) {
            ended = failed;
            copies = List.copyOf(made);
        }
        if (ended != null && order.allOrNone()) {
            copies.stream().filter(task -> !task.isDeletion()).forEach(this::takeBack);
        }
        if (ended != null) {
            result.complete(new TransferResult(ended.task(), ended.record()));
        } else if (isStopped()) {
            result.complete(new TransferResult(
                    order.tasks().getFirst(),
                    TransferRecord.NEW.failed(TransferState.CANCELLED, 0, "it was cancelled", "")));
        } else {
            result.complete(TransferResult.DONE);
        }
    }

    private synchronized boolean isStopped() {
        return isStopped;
    }

    /** All or none: what was copied is deleted where the rest cannot be. */
    private void takeBack(TransferTask copied) {
        TransferTask deletion = TransferTask.deletion(copied.destination(), copied.options());
        Transfer back = new Transfer(parts, this, deletion, order.id() + "/back", TransferRecord.NEW);
        String why = back.makeAtOnce();
        if (why != null) {
            LOG.warn("All or none was asked for, but {} could not be deleted: {}", copied.destination(), why);
        }
    }

    void finished(Transfer transfer, @Nullable String note) {
        // a directory is opened again after a restart: only so it is known what is in it
        if (!transfer.task().isDirectory()) {
            transfer.keep(transfer.record().finished(transfer.bytes(), note));
        }
        synchronized (this) {
            made.add(transfer.task());
        }
        back(transfer);
    }

    void failed(Transfer transfer, TransferException why) {
        if (transfer.wasStopped()) {
            stopped(transfer);
            return;
        }
        int attempts = transfer.record().attempts() + 1;
        boolean isLast =
                why.kind() == Kind.PERMANENT || attempts >= parts.settings().attemptsOf(order, transfer.task());
        TransferState state = isLast ? TransferState.FAILED : TransferState.RETRYING;
        transfer.keep(transfer.record().failed(state, transfer.bytes(), why.sentence(), why.remedy()));
        if (isLast) {
            lost(transfer);
        } else {
            Duration pause = parts.pauses().after(attempts);
            parts.retried().increment();
            LOG.info(
                    "{}: attempt {} failed, the next one is in {}: {}",
                    transfer.task(),
                    attempts,
                    pause,
                    why.sentence());
            again(transfer, pause);
        }
    }

    /** What came of an attempt could not be written down. */
    void lostSight(Transfer transfer) {
        again(transfer, parts.pauses().after(1));
    }

    private void again(Transfer transfer, Duration pause) {
        transfer.renew();
        synchronized (this) {
            pausing.add(transfer);
        }
        if (transfer.wasStopped()) {
            offerAgain(transfer);
        } else {
            var unused = parts.timer().schedule(() -> offerAgain(transfer), pause.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void offerAgain(Transfer transfer) {
        synchronized (this) {
            if (!pausing.remove(transfer)) {
                return; // it was stopped meanwhile
            }
        }
        if (transfer.wasStopped()) {
            Thread.ofVirtual().start(() -> stopped(transfer));
        } else {
            parts.turns().offer(transfer);
        }
    }

    private void lost(Transfer transfer) {
        parts.failed().increment();
        LOG.warn(
                "{} failed after {} attempts: {}",
                transfer.task(),
                transfer.record().attempts(),
                transfer.record().error());
        transfer.abandon();
        synchronized (this) {
            if (failed == null) {
                failed = transfer;
            }
        }
        stopOut();
        back(transfer);
    }

    /** One that was to stop has; where the whole service stops, it is left as it is. */
    void stopped(Transfer transfer) {
        synchronized (this) {
            if (isFrozen) {
                out.remove(transfer);
                return;
            }
        }
        transfer.abandon();
        back(transfer);
    }

    private void back(Transfer transfer) {
        synchronized (this) {
            out.remove(transfer);
        }
        goOn();
    }

    /** Has everything stopped. Returns at once. */
    void stop() {
        synchronized (this) {
            isStopped = true;
        }
        stopOut();
        goOn();
    }

    private void stopOut() {
        List<Transfer> running;
        synchronized (this) {
            running = List.copyOf(out);
        }
        for (Transfer transfer : running) {
            transfer.stop();
            if (parts.turns().withdraw(transfer) || noLongerPauses(transfer)) {
                Thread.ofVirtual().start(() -> stopped(transfer));
            }
        }
    }

    private synchronized boolean noLongerPauses(Transfer transfer) {
        return pausing.remove(transfer);
    }

    /** The service stops: nothing more is written, and the result never comes. */
    void freeze() {
        List<Transfer> running;
        synchronized (this) {
            isFrozen = true;
            running = List.copyOf(out);
        }
        running.forEach(Transfer::stop);
    }

    synchronized List<Transfer> transfers() {
        List<Transfer> all = new ArrayList<>(out);
        all.addAll(waiting);
        return all;
    }
}
