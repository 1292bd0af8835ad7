// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jobgate.job.ElementKey;
import org.jobgate.job.ElementState;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.Job;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobId;
import org.jobgate.store.GroupStore;
import org.jobgate.store.GroupStore.Start;
import org.jobgate.store.GroupStore.Waiting;
import org.jobgate.store.Writes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the elements of groups their turns: as many as may run have a job, the others wait in the store as one tiny row each. As for any
 * job, what is next follows from how the group stands in the store, so the service's own end changes nothing.
 */
final class Groups {

    /** So many elements become jobs in one transaction. */
    private static final int BATCH = 500;

    /** What keeps no element from becoming a job later: an LRM that is not configured any more may be again. */
    private static final Set<FaultCode> FOR_NOW =
            Set.of(FaultCode.STORE_UNAVAILABLE, FaultCode.UNKNOWN_LRM, FaultCode.LRM_UNAVAILABLE);

    private static final Logger LOG = LoggerFactory.getLogger(Groups.class);

    private static final String QUEUE_GROUP = "Group/";

    private final EngineContext context;
    private final Admission admission;

    Groups(EngineContext context, Admission admission) {
        this.context = context;
        this.admission = admission;
    }

    /** The group to look after when this job is over. */
    static Optional<WorkQueue.Item> affected(Job job) {
        return ElementKey.of(job).map(key -> item(key.group(), job.owner().subject()));
    }

    static WorkQueue.Item item(JobGroup group) {
        return item(group.id(), group.owner().subject());
    }

    private static WorkQueue.Item item(JobId id, String subject) {
        return new WorkQueue.Item(id, subject, QUEUE_GROUP);
    }

    /** Makes jobs of the elements whose turn has come. Passes over one group must not overlap. */
    void follow(JobId id) {
        GroupStore store = context.store().groups();
        Optional<GroupTemplate> template = Optional.empty();
        while (!context.isGathering()) {
            Optional<JobGroup> found = store.find(id);
            int room = found.map(this::room).orElse(0);
            if (found.isEmpty() || room <= 0) {
                return;
            }
            template = template.isPresent() ? template : store.template(id);
            List<Waiting> next = store.waiting(found.get(), Math.min(room, BATCH));
            if (template.isEmpty() || next.isEmpty()) {
                return;
            }
            List<Start> starts = starts(found.get(), template.get(), next);
            if (starts.isEmpty()) {
                return;
            }
            Writes.await(store.begin(found.get(), starts)).forEach(context::next);
        }
    }

    /** How many more elements may have a job now. */
    private int room(JobGroup group) {
        if (group.counts().of(ElementState.WAITING) == 0) {
            return 0;
        }
        long ofGroup = Math.min(group.maxRunning(), admission.maxRunning())
                - group.counts().live();
        return (int) Math.min(ofGroup, admission.room(group.owner().subject()));
    }

    private List<Start> starts(JobGroup group, GroupTemplate template, List<Waiting> next) {
        List<Start> starts = new ArrayList<>();
        for (Waiting element : next) {
            ElementKey key = new ElementKey(group.id(), element.place(), element.attempt());
            try {
                starts.add(new Start(
                        element.place(),
                        element.attempt(),
                        admission.element(group, key, template.element(element.place())),
                        null));
            } catch (FaultException e) {
                if (FOR_NOW.contains(e.fault().code())) {
                    LOG.info(
                            "Elements of the group {} wait: {}",
                            group.id(),
                            e.fault().sentence());
                    return starts; // the next sweep tries again
                }
                starts.add(new Start(element.place(), element.attempt(), null, e.fault()));
            }
        }
        return starts;
    }
}
