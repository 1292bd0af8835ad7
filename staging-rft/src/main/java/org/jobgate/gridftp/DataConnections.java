// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import org.jspecify.annotations.Nullable;

/**
 * One end of the data connections that a third-party transfer left open between two servers.
 *
 * @param which the same object at both ends, and at no other
 * @param isSender whether the server at this end sent
 */
record DataConnections(Object which, boolean isSender) {

    /** Whether these are the two ends of the same ones, this one the sender's. */
    boolean leadTo(@Nullable DataConnections other) {
        return isSender && other != null && !other.isSender && which == other.which;
    }
}
