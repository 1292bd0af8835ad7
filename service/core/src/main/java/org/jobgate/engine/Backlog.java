// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static java.util.Objects.requireNonNull;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.job.JobId;
import org.jspecify.annotations.Nullable;

/** The jobs that wait for one stage, in a queue for each owner, and whose turn it is. Not safe for threads: the pool's lock guards it. */
final class Backlog {

    private final int batchLimit;
    private final WorkGate gate;
    private final Pauses pauses = new Pauses();

    /** Owners in their order of turn. INVARIANT: no queue in it is empty. */
    private final Map<String, Deque<WorkQueue.Item>> queues = new LinkedHashMap<>();

    /** Those in the queues, as they were offered last. */
    private final Map<JobId, WorkQueue.Item> queued = new HashMap<>();

    /**
     * @param batchLimit the most jobs of one batch
     * @param gate says which jobs may begin
     */
    Backlog(int batchLimit, WorkGate gate) {
        this.batchLimit = batchLimit;
        this.gate = requireNonNull(gate, "gate is null");
    }

    /** Which groups and jobs are left alone for a while. */
    Pauses pauses() {
        return pauses;
    }

    /** Jobs that wait. */
    int size() {
        return queued.size();
    }

    /** Owners whose jobs wait. */
    int owners() {
        return queues.size();
    }

    /** Puts it in the place of what was offered for the same job before; false where that job does not wait. */
    boolean replace(WorkQueue.Item item) {
        return queued.replace(item.job(), item) != null;
    }

    /** To the end of its owner's queue. */
    void add(WorkQueue.Item item) {
        queued.put(item.job(), item);
        queues.computeIfAbsent(item.owner(), owner -> new ArrayDeque<>()).add(item);
    }

    /**
     * Takes the next batch out; empty where no job may begin now.
     *
     * @param groups absent where any number of workers may be at work for one group
     * @param workers of the stage
     */
    List<WorkQueue.Item> next(@Nullable GroupsAtWork groups, int workers, long nowNanos) {
        pauses.expire(nowNanos);
        Iterator<Map.Entry<String, Deque<WorkQueue.Item>>> owners =
                queues.entrySet().iterator();
        while (owners.hasNext()) {
            Map.Entry<String, Deque<WorkQueue.Item>> owner = owners.next();
            List<WorkQueue.Item> batch = fill(owner.getValue(), groups, workers, nowNanos);
            if (!batch.isEmpty()) {
                String group = batch.getFirst().group();
                gate.begun(group);
                if (groups != null) {
                    groups.begin(group, batch, nowNanos);
                }
                owners.remove();
                if (!owner.getValue().isEmpty()) {
                    queues.put(owner.getKey(), owner.getValue()); // to the end: the others' turn now
                }
                return batch;
            }
        }
        return List.of();
    }

    private List<WorkQueue.Item> fill(
            Deque<WorkQueue.Item> queue, @Nullable GroupsAtWork groups, int workers, long nowNanos) {
        List<WorkQueue.Item> batch = new ArrayList<>();
        int room = batchLimit;
        for (Iterator<WorkQueue.Item> items = queue.iterator(); items.hasNext() && batch.size() < room; ) {
            WorkQueue.Item old = items.next();
            WorkQueue.Item item = queued.getOrDefault(old.job(), old);
            if (pauses.hold(item) || (!batch.isEmpty() && !batch.getFirst().goesWith(item))) {
                continue;
            }
            if (batch.isEmpty() && groups != null && !groups.mayBegin(item.group(), workers, nowNanos)) {
                continue;
            }
            int fits = batch.isEmpty() ? Math.min(batchLimit, gate.room(item, queues.size())) : room;
            if (fits == 0 || !gate.enter(item)) {
                continue;
            }
            room = fits;
            items.remove();
            queued.remove(item.job());
            batch.add(item);
        }
        return batch;
    }
}
