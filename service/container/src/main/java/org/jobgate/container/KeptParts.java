// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of the service that must be closed, in the order in which they were made. */
final class KeptParts implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KeptParts.class);

    private final Deque<AutoCloseable> made = new ArrayDeque<>();

    /** Has this part closed before those that were made earlier. */
    <T extends AutoCloseable> T keep(T part) {
        made.push(part);
        return part;
    }

    /** Closes what was made, the newest first; what fails to close does not keep the others open. */
    @Override
    public void close() {
        while (!made.isEmpty()) {
            AutoCloseable part = made.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.error("{} did not close cleanly", part.getClass().getSimpleName(), e);
            }
        }
    }
}
