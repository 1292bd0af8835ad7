// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How an LRM and the watch on it are.
 *
 * @param why what is wrong; empty where nothing is. An LRM that is well may have something to say of single accounts
 * @param lag how far the watch is behind the LRM's record, by its newest measurement
 * @param pollAge how long ago the LRM, or its record, was last read with success, of the account where that is longest ago; absent
 *     where nothing has to be read at present
 */
public record LrmHealth(
        boolean well, String why, Duration lag, @Nullable Duration pollAge) {

    public LrmHealth(boolean well, String why, Duration lag) {
        this(well, why, lag, null);
    }
}
