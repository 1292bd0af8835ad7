// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jobgate.access.Caller;
import org.jobgate.access.Jobs;
import org.jobgate.job.GroupElement;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.IndexRange;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jspecify.annotations.Nullable;

/** The caller's activities, in whatever way they came to the gateway: jobs, sweeps (groups of jobs) and points of sweeps. */
final class Activities {

    /** Of so many activities it is remembered whether they have input files. */
    private static final int REMEMBERED = 10_000;

    private final Jobs jobs;

    /** Whether activities have input files: it never changes, and is asked for at each look at one that waits. */
    private final Map<JobId, Boolean> staged = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<JobId, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    });

    Activities(Jobs jobs) {
        this.jobs = jobs;
    }

    /** One activity as it stands. */
    sealed interface Activity {

        /** One job, perhaps of a point of a sweep. */
        record OfJob(Job job, boolean isStaged) implements Activity {}

        record OfSweep(JobGroup group, boolean isStaged) implements Activity {}

        /** A point of a sweep without a job of its own: its turn has not come, or never will. */
        record OfPoint(GroupElement element) implements Activity {}
    }

    /** How an activity is. */
    static ActivityState state(Activity activity) {
        return switch (activity) {
            case Activity.OfJob one -> {
                Job job = one.job();
                yield ActivityState.of(job.state(), job.holding(), one.isStaged() || job.started() != null);
            }
            case Activity.OfSweep sweep -> ActivityState.ofSweep(sweep.group().counts(), sweep.isStaged());
            case Activity.OfPoint point -> ActivityState.ofPoint(point.element().state());
        };
    }

    /** Each activity, in order; empty for what is not the caller's, is gone or never was. */
    List<Optional<Activity>> findAll(Caller caller, List<Optional<ActivityId>> ids) {
        return each(
                caller,
                ids,
                wanted -> jobs.findAll(caller, wanted),
                id -> jobs.groups().find(caller, id),
                (id, index) -> point(caller, id, index));
    }

    /** Begins to end each; answers how it is then. */
    List<Optional<Activity>> cancelAll(Caller caller, List<Optional<ActivityId>> ids) {
        return each(
                caller,
                ids,
                wanted -> jobs.cancelAll(caller, wanted),
                id -> jobs.groups().cancel(caller, id, null),
                (id, index) -> {
                    jobs.groups().cancel(caller, id, new IndexRange(index, index));
                    return point(caller, id, index);
                });
    }

    /** Ends each and forgets it when it is over; a point of a sweep is forgotten with its sweep only. */
    List<Optional<Activity>> destroyAll(Caller caller, List<Optional<ActivityId>> ids) {
        return each(
                caller,
                ids,
                wanted -> jobs.destroyAll(caller, wanted),
                id -> jobs.groups().destroy(caller, id),
                (id, index) -> Optional.empty());
    }

    private interface ManyJobs {
        List<Optional<Job>> of(List<JobId> ids);
    }

    private interface OneSweep {
        Optional<JobGroup> of(JobId id);
    }

    private interface OnePoint {
        Optional<Activity> of(JobId id, int index);
    }

    /** Jobs are asked for together, and what is none of them may be a sweep. */
    private List<Optional<Activity>> each(
            Caller caller, List<Optional<ActivityId>> ids, ManyJobs many, OneSweep sweep, OnePoint point) {
        List<JobId> whole = ids.stream()
                .flatMap(Optional::stream)
                .filter(id -> id.point() == null)
                .map(ActivityId::id)
                .distinct()
                .toList();
        List<Optional<Job>> found = many.of(whole);
        Map<JobId, Optional<Activity>> known = new LinkedHashMap<>();
        for (int i = 0; i < whole.size(); i++) {
            JobId id = whole.get(i);
            known.put(
                    id,
                    found.get(i)
                            .map(job -> ofJob(caller, job))
                            .or(() -> sweep.of(id).map(group -> ofSweep(caller, group))));
        }
        return ids.stream()
                .map(id -> id.flatMap(
                        given -> given.point() == null ? known.get(given.id()) : point.of(given.id(), given.point())))
                .toList();
    }

    private Activity ofJob(Caller caller, Job job) {
        boolean mayWaitAgain = job.state() == JobState.PENDING || job.state() == JobState.SUSPENDED;
        boolean isStaged = mayWaitAgain
                && isStaged(job.id(), () -> jobs.description(caller, job.id()).orElse(null));
        return new Activity.OfJob(job, isStaged);
    }

    private Activity ofSweep(Caller caller, JobGroup group) {
        return new Activity.OfSweep(
                group,
                isStaged(
                        group.id(),
                        () -> jobs.groups()
                                .template(caller, group.id())
                                .map(GroupTemplate::description)
                                .orElse(null)));
    }

    private boolean isStaged(JobId id, Supplier<@Nullable JobDescription> description) {
        Boolean known = staged.get(id);
        if (known != null) {
            return known;
        }
        JobDescription found = description.get();
        boolean has = found != null && !found.transfers().stageIn().isEmpty();
        staged.put(id, has);
        return has;
    }

    private Optional<Activity> point(Caller caller, JobId id, int index) {
        return element(caller, id, index).map(element -> {
            JobId job = element.job();
            return Optional.ofNullable(job)
                    .flatMap(own -> jobs.find(caller, own))
                    .map(own -> ofJob(caller, own))
                    .orElse(new Activity.OfPoint(element));
        });
    }

    private Optional<GroupElement> element(Caller caller, JobId id, int index) {
        return jobs.groups()
                .elements(caller, id, index, 1)
                .flatMap(elements -> elements.stream()
                        .filter(element -> element.index() == index)
                        .findFirst());
    }

    /** What one job asks for; empty for a sweep, and for what is not the caller's, is gone or never was. */
    Optional<JobDescription> description(Caller caller, JobId id) {
        return jobs.description(caller, id);
    }

    /** What a sweep asks for; empty where it is none of the caller's. */
    Optional<GroupTemplate> template(Caller caller, JobId id) {
        return jobs.groups().template(caller, id);
    }
}
