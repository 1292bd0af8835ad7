// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import org.jobgate.gt4.Generation;

/** The job services of GT 4.0 pass the contract of doors. */
class Gram40DoorTest extends GramContract {

    Gram40DoorTest() {
        super(Generation.GT40);
    }
}
