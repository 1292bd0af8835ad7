// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.notify;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Queues that are ready for a worker. Owners take turns, and none has more than a share of the workers: consumers that do not answer keep
 * a worker each until the time-out.
 */
final class OwnersTurns {

    private final int perOwner;

    /** Owners with something ready; the next whose turn it is first. */
    private final Map<String, ArrayDeque<ConsumerQueue>> ready = new LinkedHashMap<>();

    /** How many workers each owner has. */
    private final Map<String, Integer> working = new HashMap<>();

    /** @param perOwner workers that one owner has at the most */
    OwnersTurns(int perOwner) {
        this.perOwner = perOwner;
    }

    synchronized void add(ConsumerQueue queue) {
        ready.computeIfAbsent(queue.recipient().owner(), owner -> new ArrayDeque<>())
                .add(queue);
        notifyAll();
    }

    /**
     * The next queue, whose owner has one worker more until {@link #done}. Waits for one.
     *
     * @throws InterruptedException if the caller is stopped meanwhile
     */
    synchronized ConsumerQueue take() throws InterruptedException {
        while (true) {
            for (Map.Entry<String, ArrayDeque<ConsumerQueue>> entry : ready.entrySet()) {
                String owner = entry.getKey();
                if (working.getOrDefault(owner, 0) < perOwner) {
                    return taken(owner, entry.getValue());
                }
            }
            wait();
        }
    }

    /** The owner goes behind the others. */
    private ConsumerQueue taken(String owner, ArrayDeque<ConsumerQueue> queues) {
        working.merge(owner, 1, Integer::sum);
        ConsumerQueue next = queues.remove();
        ready.remove(owner);
        if (!queues.isEmpty()) {
            ready.put(owner, queues);
        }
        return next;
    }

    /** The worker that took the queue has finished with it. */
    synchronized void done(ConsumerQueue queue) {
        working.computeIfPresent(queue.recipient().owner(), (owner, count) -> count == 1 ? null : count - 1);
        notifyAll();
    }
}
