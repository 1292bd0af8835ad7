// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import org.jobgate.gt4.Generation;

/** The job services of GT 4.2 pass the contract of doors. */
class Gram42DoorTest extends GramContract {

    Gram42DoorTest() {
        super(Generation.GT42);
    }
}
