// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

/** How a transfer stands, in RFT's words (facts/gram4.md section 6.2). */
public enum TransferState {
    PENDING,
    ACTIVE,
    RETRYING,
    FINISHED,
    FAILED,
    CANCELLED;

    boolean isOver() {
        return this == FINISHED || this == FAILED || this == CANCELLED;
    }
}
