// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jobgate.access.Caller;
import org.jobgate.access.JobGroups;
import org.jobgate.access.Jobs;
import org.jobgate.job.ElementKey;
import org.jobgate.job.FaultException;
import org.jobgate.job.GroupIndexes;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobId;

/** Finds the indexes of the elements whose jobs one answer shows: each array is asked for once. Not for several threads. */
final class ElementIndexes {

    private final JobGroups arrays;
    private final Caller caller;
    private final Map<JobId, Optional<GroupIndexes>> known = new LinkedHashMap<>();

    ElementIndexes(Jobs jobs, Caller caller) {
        this.arrays = jobs.groups();
        this.caller = requireNonNull(caller, "caller is null");
    }

    private Optional<GroupIndexes> indexes(JobId id) {
        try {
            return arrays.find(caller, id).map(JobGroup::indexes);
        } catch (FaultException e) {
            if (FaultProblems.isOfPolicy(e.fault())) {
                return Optional.empty(); // who may end jobs need not be one who may look at arrays
            }
            throw e;
        }
    }

    /** The element's index; absent where its array is not kept any more, or the caller may not look at it. */
    Optional<Integer> index(ElementKey element) {
        return known.computeIfAbsent(element.group(), this::indexes).map(indexes -> indexes.index(element.place()));
    }
}
