// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import org.jspecify.annotations.Nullable;

/** What has come of a request's transfers, counted. Its owner guards it with a lock. */
final class Ended {

    private int finished;
    private int failed;
    private int cancelled;
    private long bytes;
    private @Nullable String fault;

    /** One is over, as its record says. */
    void count(TransferRecord record) {
        switch (record.state()) {
            case FINISHED -> finished++;
            case FAILED -> failed++;
            case CANCELLED -> cancelled++;
            case PENDING, ACTIVE, RETRYING -> throw new IllegalArgumentException("not over: " + record.state());
        }
        bytes += record.bytes();
        note(record.error());
    }

    /** The newest failure, whether it was the last attempt or not. */
    void note(@Nullable String error) {
        if (error != null) {
            fault = error;
        }
    }

    Tally with(int retrying, int active, int pending, long moreBytes) {
        return new Tally(finished, retrying, failed, active, pending, cancelled, bytes + moreBytes, fault);
    }
}
