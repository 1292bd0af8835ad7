// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import org.jobgate.transfer.Tally;

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
}
