// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

/** The states of the basic model (GFD.108 section 4.1). */
enum BaseState {
    PENDING("Pending"),
    RUNNING("Running"),
    FINISHED("Finished"),
    FAILED("Failed"),
    CANCELLED("Cancelled");

    private final String wireName;

    BaseState(String wireName) {
        this.wireName = wireName;
    }

    String wireName() {
        return wireName;
    }

    /** Whether nothing comes after it. */
    boolean isFinal() {
        return this == FINISHED || this == FAILED || this == CANCELLED;
    }
}
