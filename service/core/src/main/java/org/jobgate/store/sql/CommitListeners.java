// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jobgate.store.Change;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners for committed changes, in the order in which they were added. */
final class CommitListeners implements Consumer<List<Change>> {

    private static final Logger LOG = LoggerFactory.getLogger(CommitListeners.class);

    private final List<Consumer<List<Change>>> listeners = new CopyOnWriteArrayList<>();

    void add(Consumer<List<Change>> listener) {
        listeners.add(listener);
    }

    @Override
    public void accept(List<Change> changes) {
        for (Consumer<List<Change>> listener : listeners) {
            try {
                listener.accept(changes);
            } catch (RuntimeException e) {
                // the changes are on disk; one listener's fault must not keep them from the others
                LOG.error("A listener of the change stream failed at {} changes", changes.size(), e);
            }
        }
    }
}
