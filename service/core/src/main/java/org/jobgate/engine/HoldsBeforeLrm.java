// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jobgate.job.Job;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.store.Writes;

/**
 * Holds or suspends jobs that are about to be given to their LRM, as their owners asked. A job that may be in the LRM already is looked for there
 * first.
 */
final class HoldsBeforeLrm {

    private final EngineContext context;

    HoldsBeforeLrm(EngineContext context) {
        this.context = context;
    }

    /**
     * Holds or suspends those that the LRM does not have: it would run the others all the same.
     *
     * @param unclear gets those of which the LRM does not say whether it has them
     * @return those that the LRM has: giving them once more finds them there, and then the LRM itself is asked to hold or suspend them
     */
    List<Job> keep(Lrm lrm, String group, List<Job> jobs, Unclear unclear) {
        List<Job> perhapsThere = new ArrayList<>();
        for (Job job : jobs) {
            if (context.mayExist(job)) {
                perhapsThere.add(job);
            } else {
                keep(job);
            }
        }
        return perhapsThere.isEmpty() ? List.of() : look(lrm, group, perhapsThere, unclear);
    }

    private List<Job> look(Lrm lrm, String group, List<Job> jobs, Unclear unclear) {
        List<JobId> tags = jobs.stream().map(Job::id).toList();
        Set<JobId> found;
        try {
            found = lrm.lookup(LrmRegistry.accountOf(group), tags).keySet();
        } catch (LrmUnavailableException e) {
            String why = "whether " + lrm.name()
                    + " has the job already, which its owner wants held or suspended, is not clear: " + e.getMessage();
            jobs.forEach(job -> unclear.add(job, why, true));
            return List.of();
        }
        List<Job> there = new ArrayList<>();
        for (Job job : jobs) {
            if (found.contains(job.id())) {
                there.add(job);
            } else {
                context.registry().answered(job.id());
                keep(job);
            }
        }
        return there;
    }

    private void keep(Job job) {
        if (job.holdAt() == JobState.PENDING) {
            hold(job);
        } else {
            Writes.await(context.update(job.id(), Suspensions::suspendBeforeLrm));
        }
    }

    private void hold(Job job) {
        Writes.await(context.update(job.id(), change -> {
            if (change.job().holdAt() == JobState.PENDING && change.job().outcome() == null) {
                Job held = change.job().withHolding(true);
                if (held.state() == JobState.PENDING) {
                    change.note(held, "held, as its owner asked");
                } else {
                    change.hold(JobEvent.PENDING_HELD);
                }
            }
        }));
    }
}
