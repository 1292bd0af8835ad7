// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * What is remembered of one transfer over a restart.
 *
 * @param attempts that were made and failed, or succeeded; one that the service's own end cut short does not count
 * @param marker where to go on
 * @param bytes that were moved, in all attempts
 * @param error why the last attempt failed
 * @param remedy what to do about it
 * @param note what its owner should know, although it is no failure
 */
public record TransferRecord(
        TransferState state,
        int attempts,
        @Nullable String marker,
        long bytes,
        @Nullable String error,
        @Nullable String remedy,
        @Nullable String note) {

    static final TransferRecord NEW = new TransferRecord(TransferState.PENDING, 0, null, 0, null, null, null);

    public TransferRecord {
        requireNonNull(state, "state is null");
    }

    /** What a transfer begins with that goes on from another one: where that came, and nothing of how it fared. */
    TransferRecord continued() {
        return new TransferRecord(TransferState.PENDING, 0, marker, bytes, null, null, null);
    }

    /** It works again, so the next pause is a short one. */
    TransferRecord recovered() {
        return new TransferRecord(state, 0, marker, bytes, error, remedy, note);
    }

    TransferRecord withState(TransferState newState) {
        return new TransferRecord(newState, attempts, marker, bytes, error, remedy, note);
    }

    /** Its owner wants it no more. */
    TransferRecord cancelled() {
        return new TransferRecord(TransferState.CANCELLED, attempts, null, bytes, error, remedy, note);
    }

    TransferRecord at(@Nullable String newMarker, long newBytes) {
        return new TransferRecord(state, attempts, newMarker, newBytes, error, remedy, note);
    }

    TransferRecord finished(long newBytes, @Nullable String newNote) {
        return new TransferRecord(TransferState.FINISHED, attempts + 1, null, newBytes, null, null, newNote);
    }

    TransferRecord failed(TransferState newState, long newBytes, String newError, String newRemedy) {
        return new TransferRecord(newState, attempts + 1, marker, newBytes, newError, newRemedy, note);
    }
}
