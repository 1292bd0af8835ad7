// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import java.util.List;
import org.jobgate.transfer.Tally;
import org.jobgate.transfer.TransferRecord;

/** How a request stands as a whole (facts/gram4.md section 6.2, RequestStatusType). */
enum RequestStatus {
    PENDING("Pending"),
    ACTIVE("Active"),
    DONE("Done"),
    FAILED("Failed"),
    CANCELLED("Cancelled");

    private final String word;

    RequestStatus(String word) {
        this.word = word;
    }

    /** On the wire. */
    String word() {
        return word;
    }

    /** The status of a request that is over: one failed transfer makes it failed. */
    static RequestStatus ofEnd(Tally tally) {
        return tally.failed() > 0 ? FAILED : tally.cancelled() > 0 ? CANCELLED : DONE;
    }

    /** What is counted where each file stands like this. */
    static Tally counted(List<TransferRecord> standing) {
        int[] counts = new int[6];
        long bytes = 0;
        String fault = null;
        for (TransferRecord record : standing) {
            switch (record.state()) {
                case FINISHED -> counts[0]++;
                case RETRYING -> counts[1]++;
                case FAILED -> counts[2]++;
                case ACTIVE -> counts[3]++;
                case PENDING -> counts[4]++;
                case CANCELLED -> counts[5]++;
            }
            bytes += record.bytes();
            fault = record.error() != null ? record.error() : fault;
        }
        return new Tally(counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], bytes, fault);
    }
}
