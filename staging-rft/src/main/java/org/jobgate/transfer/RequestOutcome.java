// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a request: how many of its transfers ended how, which of them were made, and the first that failed for good. Its owner
 * guards it with a lock.
 */
final class RequestOutcome {

    private static final int MOST_NOTES = 32;

    private final TransferRequest order;
    private final List<TransferTask> made = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private @Nullable TransferTask failedTask;
    private @Nullable TransferRecord failedRecord;
    private int finished;
    private int failed;
    private int cancelled;
    private long bytes;
    private @Nullable String fault;

    RequestOutcome(TransferRequest order) {
        this.order = requireNonNull(order, "order is null");
    }

    /** A transfer is over, as its record says. */
    void over(TransferTask task, TransferRecord record) {
        switch (record.state()) {
            case FINISHED -> {
                finished++;
                made.add(task);
                note(record.note());
            }
            case FAILED -> {
                failed++;
                if (failedTask == null) {
                    failedTask = task;
                    failedRecord = record;
                }
            }
            case CANCELLED -> cancelled++;
            case PENDING, ACTIVE, RETRYING -> throw new IllegalArgumentException("not over: " + record.state());
        }
        bytes += record.bytes();
        attemptFailed(record.error());
    }

    /**
     * An attempt failed, whether it was the last one or not.
     *
     * @param error absent where none did
     */
    void attemptFailed(@Nullable String error) {
        if (error != null) {
            fault = error;
        }
    }

    private void note(@Nullable String text) {
        if (text != null && notes.size() < MOST_NOTES) {
            notes.add(text);
        }
    }

    /** Whether a transfer has failed after which nothing more of this request is made. */
    boolean isLost() {
        return failedTask != null && order.endsWithFirstFailure();
    }

    /** The copies to be deleted again: those that were made, where all or none was asked for and a transfer has failed. */
    List<TransferTask> unwantedCopies() {
        return failedTask == null || !order.allOrNone()
                ? List.of()
                : made.stream().filter(task -> !task.isDeletion()).toList();
    }

    /**
     * How the transfers stand.
     *
     * @param waiting how many have not begun
     * @param live those that have and are not counted here yet, as they stand in this moment
     */
    Tally tally(int waiting, List<TransferRecord> live) {
        int active = 0;
        int retrying = 0;
        int pending = waiting;
        long more = 0;
        for (TransferRecord each : live) {
            switch (each.state()) {
                case ACTIVE -> active++;
                case RETRYING -> retrying++;
                case PENDING -> pending++;
                case FINISHED, FAILED, CANCELLED -> {
                    // it has just ended: the next tally counts it
                }
            }
            more += each.state().isOver() ? 0 : each.bytes();
        }
        return new Tally(finished, retrying, failed, active, pending, cancelled, bytes + more, fault);
    }

    /**
     * The result of a request of which nothing is under way any more.
     *
     * @param isStopped whether it was stopped as a whole
     * @param waiting how many of its transfers were never begun
     */
    TransferResult result(boolean isStopped, int waiting) {
        Tally tally = tally(waiting, List.of());
        if (failedTask == null && isStopped) {
            TransferRecord stopped = TransferRecord.NEW.failed(TransferState.CANCELLED, 0, "it was cancelled", "");
            return new TransferResult(order.tasks().getFirst(), stopped, tally, notes);
        }
        return new TransferResult(failedTask, failedRecord, tally, notes);
    }
}
