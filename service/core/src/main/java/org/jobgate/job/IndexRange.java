// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

/**
 * A part of a group, by the indexes of its elements.
 *
 * @param first the least index
 * @param last the greatest index, at least the first
 */
public record IndexRange(int first, int last) {

    public IndexRange {
        if (last < first) {
            throw new IllegalArgumentException("there are no indexes from " + first + " to " + last);
        }
    }
}
