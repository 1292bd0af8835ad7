// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

/** A door that {@link SubmitRate}, {@link Status} and {@link Notice} measure. */
enum Door {
    GRAM,
    /** ARC's REST interface, beside A-REX where that is there. */
    ARC
}
