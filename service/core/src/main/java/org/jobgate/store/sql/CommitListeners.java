// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners for what was committed, in the order in which they were added. */
final class CommitListeners<T> implements Consumer<List<T>> {

    private static final Logger LOG = LoggerFactory.getLogger(CommitListeners.class);

    private final List<Consumer<List<T>>> listeners = new CopyOnWriteArrayList<>();

    void add(Consumer<List<T>> listener) {
        listeners.add(listener);
    }

    @Override
    public void accept(List<T> committed) {
        for (Consumer<List<T>> listener : listeners) {
            try {
                listener.accept(committed);
            } catch (RuntimeException e) {
                // all of it is on disk; one listener's fault must not keep them from the others
                LOG.error("A listener of the store failed at {} things that were committed", committed.size(), e);
            }
        }
    }
}
