// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jobgate.access.Jobs;
import org.jobgate.lrm.LrmCapabilities;
import org.jspecify.annotations.Nullable;

/**
 * What ARC calls queues or ComputingShares: the LRMs of this gateway and their queues. A queue of the default LRM has its own name, one of
 * another LRM has the LRM's name in small letters and a dash before it; the name of an LRM alone, in any letters, means its default queue.
 */
final class Shares {

    private final Jobs jobs;

    Shares(Jobs jobs) {
        this.jobs = requireNonNull(jobs, "jobs is null");
    }

    /**
     * One place for jobs.
     *
     * @param queue of the LRM; absent for the one of jobs that name none
     */
    record Share(String name, String lrm, @Nullable String queue) {}

    /** All there are: for each LRM its default, then its queues. */
    List<Share> all() {
        List<Share> shares = new ArrayList<>();
        boolean isDefault = true;
        for (String lrm : jobs.lrms()) {
            String name = lrm.toLowerCase(Locale.ROOT);
            shares.add(new Share(name, lrm, null));
            for (LrmCapabilities.Queue queue : jobs.capabilities(lrm).queues()) {
                if (!queue.isWhole()) {
                    shares.add(new Share(isDefault ? queue.name() : name + "-" + queue.name(), lrm, queue.name()));
                }
            }
            isDefault = false;
        }
        return shares;
    }

    /** Where a job of this queue goes; nothing where no LRM and no queue that is known has the name. */
    Optional<Share> find(String wanted) {
        List<Share> all = all();
        return all.stream()
                .filter(share -> share.name().equals(wanted))
                .findFirst()
                .or(() -> all.stream()
                        .filter(share -> share.queue() == null && share.name().equalsIgnoreCase(wanted))
                        .findFirst());
    }

    /** The name of where a job is. */
    String nameOf(String lrm, @Nullable String queue) {
        String name = lrm.toLowerCase(Locale.ROOT);
        if (queue == null) {
            return name;
        }
        boolean isDefault = lrm.equals(jobs.lrms().iterator().next());
        return isDefault ? queue : name + "-" + queue;
    }

    static String id(String host, String share) {
        return "urn:ogf:ComputingShare:" + host + ":" + share;
    }
}
