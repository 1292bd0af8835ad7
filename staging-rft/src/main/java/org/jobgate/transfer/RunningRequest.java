// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request that is being worked on. Some of its transfers are out (waiting for their turn, being made, or pausing), the others wait
 * here. The first that fails for good has the others stopped unless they are to go on; when none is out any more the request is over.
 */
final class RunningRequest {

    private static final Logger LOG = LoggerFactory.getLogger(RunningRequest.class);

    private final EngineParts parts;
    private final TransferRequest order;
    private final Map<String, TransferRecord> records;
    private final Runnable listener;
    private final CompletableFuture<TransferResult> result = new CompletableFuture<>();

    /** Guarded by this, as all below. */
    private final Deque<Transfer> waiting = new ArrayDeque<>();

    private final Set<Transfer> out = new HashSet<>();
    private final Set<Transfer> pausing = new HashSet<>();
    private final Set<Integer> unwanted = new HashSet<>();
    private final RequestOutcome outcome;
    private long entries;
    private boolean isStopped;
    private boolean isFrozen;
    private boolean isOver;

    /** @param listener is told that something has changed; must return at once */
    RunningRequest(EngineParts parts, TransferRequest order, Map<String, TransferRecord> records, Runnable listener) {
        this.parts = parts;
        this.order = order;
        this.outcome = new RequestOutcome(order);
        this.records = records;
        this.listener = listener;
        for (int i = 0; i < order.tasks().size(); i++) {
            add(order.tasks().get(i), TransferRecords.id(order, i), i);
        }
    }

    TransferRequest order() {
        return order;
    }

    CompletableFuture<TransferResult> result() {
        return result;
    }

    void changed() {
        listener.run();
    }

    private synchronized void add(TransferTask task, String id, int place) {
        TransferRecord known = records.getOrDefault(id, begun(task));
        Transfer transfer = new Transfer(parts, this, task, id, place, known);
        if (!known.state().isOver()) {
            waiting.add(transfer);
            return;
        }
        outcome.over(task, known);
        if (known.state() == TransferState.CANCELLED) {
            unwanted.add(place);
        }
    }

    /** Where a transfer begins that nothing is remembered of: where the one came that followed its source. */
    private TransferRecord begun(TransferTask task) {
        String followed = task.isFollowed() ? null : task.counterpart();
        TransferRecord before = followed == null ? null : records.get(followed);
        return before == null ? TransferRecord.NEW : before.continued();
    }

    /** What is in a directory of it, by names that are the same when it is listed again. */
    synchronized void found(Transfer directory, TransferTask task) {
        parts.settings().entries().check(++entries, "files and directories in the directories to be copied");
        if (!unwanted.contains(directory.place())) {
            add(task, TransferRecords.id(order, task.destination()), directory.place());
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
            while (!outcome.isLost()
                    && !isStopped
                    && out.size() < parts.settings().atOnce().of(order)
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
        List<TransferTask> unwantedCopies;
        synchronized (this) {
            unwantedCopies = outcome.unwantedCopies();
        }
        unwantedCopies.forEach(this::takeBack);
        TransferResult all;
        synchronized (this) {
            all = outcome.result(isStopped, waiting.size());
        }
        result.complete(all);
    }

    /** All or none: what was copied is deleted where the rest cannot be. */
    private void takeBack(TransferTask copied) {
        TransferTask deletion = TransferTask.deletion(copied.destination(), copied.options());
        Transfer back = new Transfer(parts, this, deletion, order.id() + "/back", 0, TransferRecord.NEW);
        String why = back.makeAtOnce();
        if (why != null) {
            LOG.warn("All or none was asked for, but {} could not be deleted: {}", copied.destination(), why);
        }
    }

    void finished(Transfer transfer, @Nullable String note) {
        TransferRecord finished = transfer.record().finished(transfer.bytes(), note);
        // a directory is opened again after a restart: only so it is known what is in it
        if (transfer.task().isDirectory()) {
            transfer.stands(finished);
        } else {
            transfer.keep(finished);
        }
        synchronized (this) {
            outcome.over(transfer.task(), finished);
        }
        back(transfer);
    }

    /** A turn of one that follows its source is over; the next one comes in its time. */
    void appended(Transfer transfer, Appending.Turn turn) {
        if (transfer.wasStopped()) {
            stopped(transfer);
            return;
        }
        if (turn == Appending.Turn.ALL || turn == Appending.Turn.PART) {
            transfer.stands(transfer.record().recovered());
        }
        again(
                transfer,
                turn == Appending.Turn.PART
                        ? Duration.ZERO
                        : transfer.task().interval(parts.settings().following().interval()));
    }

    /** Whether no further attempt is made. One that follows its source is tried as long as that is written. */
    private boolean isLast(Transfer transfer, int attempts, TransferException why) {
        return why.kind() == Kind.PERMANENT
                || (!transfer.task().isFollowed()
                        && attempts >= parts.settings().tries().of(order, transfer.task()));
    }

    void failed(Transfer transfer, TransferException why) {
        if (transfer.wasStopped()) {
            stopped(transfer);
            return;
        }
        int attempts = transfer.record().attempts() + 1;
        boolean isLast = isLast(transfer, attempts, why);
        if (isLast && transfer.task().isSliced() && !transfer.task().isFollowed()) {
            // no job fails for it, whatever the reason was
            finished(transfer, "the last slices of files could not be sent: " + why.sentence());
            return;
        }
        TransferState state = isLast ? TransferState.FAILED : TransferState.RETRYING;
        transfer.keep(transfer.record().failed(state, transfer.bytes(), why.sentence(), why.remedy()));
        synchronized (this) {
            outcome.attemptFailed(why.sentence());
        }
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

    /** It made room for others: that is no failure, and it goes on from where it is when its turn comes again. */
    void gaveBack(Transfer transfer) {
        if (transfer.wasStopped()) {
            stopped(transfer);
            return;
        }
        transfer.stands(transfer.record()
                .withState(TransferState.PENDING)
                .at(transfer.record().marker(), transfer.bytes()));
        again(transfer, Duration.ZERO);
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
        if (transfer.task().isFollowed()) {
            LOG.info(
                    "{} is not appended to any more: {}",
                    transfer.task(),
                    transfer.record().error());
        } else {
            parts.failed().increment();
            LOG.warn(
                    "{} failed after {} attempts: {}",
                    transfer.task(),
                    transfer.record().attempts(),
                    transfer.record().error());
        }
        transfer.abandon();
        boolean isLost;
        synchronized (this) {
            outcome.over(transfer.task(), transfer.record());
            isLost = outcome.isLost();
        }
        if (isLost) {
            stopOut(any -> true);
        }
        back(transfer);
    }

    /** One that was to stop has; where the whole service stops, it is left as it is. */
    void stopped(Transfer transfer) {
        synchronized (this) {
            if (isFrozen) {
                out.remove(transfer);
                return;
            }
            if (unwanted.contains(transfer.place())) {
                transfer.stands(transfer.record().cancelled());
                outcome.over(transfer.task(), transfer.record());
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
        changed();
    }

    /** Has everything stopped. Returns at once. */
    void stop() {
        synchronized (this) {
            isStopped = true;
        }
        stopOut(any -> true);
        goOn();
    }

    /** Cancels what is not over of the tasks at these places; returns when that is on disk. */
    void cancel(Set<Integer> places) {
        List<Transfer> dropped = new ArrayList<>();
        List<Transfer> running;
        synchronized (this) {
            unwanted.addAll(places);
            waiting.removeIf(transfer -> places.contains(transfer.place()) && dropped.add(transfer));
            running = out.stream()
                    .filter(transfer -> places.contains(transfer.place()))
                    .toList();
        }
        // a directory that was opened is not remembered, and would be opened again after a restart
        Stream.concat(dropped.stream(), running.stream())
                .map(Transfer::place)
                .filter(place -> order.tasks().get(place).isDirectory())
                .distinct()
                .forEach(place ->
                        parts.records().put(order, TransferRecords.id(order, place), TransferRecord.NEW.cancelled()));
        for (Transfer transfer : dropped) {
            transfer.cancel();
            synchronized (this) {
                outcome.over(transfer.task(), transfer.record());
            }
        }
        running.forEach(Transfer::cancel);
        stopOut(running::contains);
        goOn();
        changed();
    }

    private void stopOut(Predicate<Transfer> which) {
        List<Transfer> running;
        synchronized (this) {
            running = out.stream().filter(which).toList();
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

    synchronized Tally tally() {
        return outcome.tally(waiting.size(), out.stream().map(Transfer::live).toList());
    }

    synchronized List<Transfer> transfers() {
        List<Transfer> all = new ArrayList<>(out);
        all.addAll(waiting);
        return all;
    }
}
