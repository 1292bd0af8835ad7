// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import java.util.Optional;

/** Something that follows the world outside and may not be able to. */
public interface Watched {

    /** What is wrong now and what holds meanwhile; empty if nothing is. */
    Optional<String> trouble();

    /** What is left out of it while all else holds, e.g. broken lines, and how to mend it; empty if nothing is. */
    default Optional<String> leftOut() {
        return Optional.empty();
    }
}
