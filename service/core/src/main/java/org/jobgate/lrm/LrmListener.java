// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Takes what a watch on an LRM saw. */
@FunctionalInterface
public interface LrmListener {

    /**
     * Takes events in order. When the future completes they are on disk, and the watch may move its checkpoint past them.
     *
     * @param source who tells them; what it has no say in is refused
     * @return those that were not refused, in order
     */
    CompletableFuture<List<LrmEvent>> events(LrmSource source, List<LrmEvent> events);
}
