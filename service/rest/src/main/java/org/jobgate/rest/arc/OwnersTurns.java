// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.job.JobId;

/** Jobs of many owners that are to be looked at, each when its time has come. In each round every owner has a turn, however many jobs another has. */
final class OwnersTurns {

    private final Map<String, LinkedHashMap<JobId, Long>> waiting = new LinkedHashMap<>();

    /**
     * Adds jobs; those that wait already stay as they are.
     *
     * @param at when they are to be looked at, by {@link System#nanoTime}
     */
    synchronized void add(String subject, Collection<JobId> jobs, long at) {
        if (!jobs.isEmpty()) {
            LinkedHashMap<JobId, Long> ofOwner = waiting.computeIfAbsent(subject, owner -> new LinkedHashMap<>());
            jobs.forEach(job -> ofOwner.putIfAbsent(job, at));
        }
    }

    /**
     * Takes those out whose time has come, by their owners, the oldest of each first.
     *
     * @param most of one owner
     */
    synchronized Map<String, List<JobId>> take(int most, long now) {
        Map<String, List<JobId>> taken = new LinkedHashMap<>();
        for (Iterator<Map.Entry<String, LinkedHashMap<JobId, Long>>> owners =
                        waiting.entrySet().iterator();
                owners.hasNext(); ) {
            Map.Entry<String, LinkedHashMap<JobId, Long>> owner = owners.next();
            List<JobId> ofOwner = new ArrayList<>();
            for (Iterator<Map.Entry<JobId, Long>> jobs =
                            owner.getValue().entrySet().iterator();
                    jobs.hasNext() && ofOwner.size() < most; ) {
                Map.Entry<JobId, Long> job = jobs.next();
                if (now - job.getValue() < 0) {
                    break;
                }
                ofOwner.add(job.getKey());
                jobs.remove();
            }
            if (!ofOwner.isEmpty()) {
                taken.put(owner.getKey(), ofOwner);
            }
            if (owner.getValue().isEmpty()) {
                owners.remove();
            }
        }
        return taken;
    }
}
