// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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

    /** For how many activities it is remembered whether they have input files. */
    private static final int REMEMBERED = 10_000;

    /** So many elements of a sweep are asked for at once. */
    private static final int PAGE = 1_000;

    /** Points that are not further apart are asked for together: to read those between costs less than to ask once more. */
    private static final int GAP = 100;

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
                yield ActivityState.of(job.state(), job.isHeld(), one.isStaged() || job.started() != null);
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
                wanted -> points(caller, wanted));
    }

    /** Begins to end each; answers how it is then. */
    List<Optional<Activity>> cancelAll(Caller caller, List<Optional<ActivityId>> ids) {
        return each(
                caller,
                ids,
                wanted -> jobs.cancelAll(caller, wanted),
                id -> jobs.groups().cancel(caller, id, null),
                wanted -> {
                    wanted.forEach((id, indexes) -> jobs.groups().cancelAll(caller, id, runs(indexes, 1)));
                    return points(caller, wanted);
                });
    }

    /** Ends each and forgets it when it is over; a point of a sweep is forgotten with its sweep only. */
    List<Optional<Activity>> destroyAll(Caller caller, List<Optional<ActivityId>> ids) {
        return each(
                caller,
                ids,
                wanted -> jobs.destroyAll(caller, wanted),
                id -> jobs.groups().destroy(caller, id),
                wanted -> Map.of());
    }

    private interface ManyJobs {
        List<Optional<Job>> of(List<JobId> ids);
    }

    private interface OneSweep {
        Optional<JobGroup> of(JobId id);
    }

    private interface ManyPoints {
        Map<ActivityId, Activity> of(Map<JobId, NavigableSet<Integer>> indexes);
    }

    /** Jobs are asked for together, and so are points; what is no job may be a sweep. */
    private List<Optional<Activity>> each(
            Caller caller, List<Optional<ActivityId>> ids, ManyJobs many, OneSweep sweep, ManyPoints points) {
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
        Map<JobId, NavigableSet<Integer>> wanted = new LinkedHashMap<>();
        ids.stream().flatMap(Optional::stream).forEach(id -> {
            if (id.point() != null) {
                wanted.computeIfAbsent(id.id(), any -> new TreeSet<>()).add(id.point());
            }
        });
        Map<ActivityId, Activity> ofPoints = wanted.isEmpty() ? Map.of() : points.of(wanted);
        return ids.stream()
                .map(id -> id.flatMap(given ->
                        given.point() == null ? known.get(given.id()) : Optional.ofNullable(ofPoints.get(given))))
                .toList();
    }

    /** Whether how it is depends on whether it has input files. */
    private static boolean mayWaitAgain(Job job) {
        return job.state() == JobState.PENDING || job.state() == JobState.SUSPENDED;
    }

    private Activity ofJob(Caller caller, Job job) {
        boolean isStaged = mayWaitAgain(job)
                && isStaged(job.id(), () -> jobs.description(caller, job.id()).orElse(null));
        return new Activity.OfJob(job, isStaged);
    }

    private Activity ofSweep(Caller caller, JobGroup group) {
        return new Activity.OfSweep(group, isSweepStaged(caller, group.id()));
    }

    /** Points have input files where the sweep has: values change what they are, and not that there are some. */
    private boolean isSweepStaged(Caller caller, JobId sweep) {
        return isStaged(
                sweep,
                () -> jobs.groups()
                        .template(caller, sweep)
                        .map(GroupTemplate::description)
                        .orElse(null));
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

    /** The points that there are, with one question for each run of neighbours, and one for all their jobs. */
    private Map<ActivityId, Activity> points(Caller caller, Map<JobId, NavigableSet<Integer>> wanted) {
        Map<ActivityId, GroupElement> elements = new LinkedHashMap<>();
        wanted.forEach((id, indexes) -> runs(indexes, GAP)
                .forEach(run -> elements(caller, id, run, indexes)
                        .forEach(element -> elements.put(new ActivityId(id, element.index()), element))));
        List<JobId> ids = elements.values().stream()
                .map(GroupElement::job)
                .filter(Objects::nonNull)
                .toList();
        Map<JobId, Job> own = new HashMap<>();
        jobs.findAll(caller, ids).forEach(found -> found.ifPresent(job -> own.put(job.id(), job)));
        Map<ActivityId, Activity> points = new HashMap<>();
        elements.forEach((id, element) -> {
            Job job = own.get(element.job());
            points.put(
                    id,
                    job == null
                            ? new Activity.OfPoint(element)
                            : new Activity.OfJob(job, mayWaitAgain(job) && isSweepStaged(caller, id.id())));
        });
        return points;
    }

    /** Keeps only the wanted elements of each page, as there may be a hundred times as many others, each with its fault. */
    private List<GroupElement> elements(Caller caller, JobId id, IndexRange run, Set<Integer> wanted) {
        List<GroupElement> all = new ArrayList<>();
        int from = run.first();
        while (from <= run.last()) {
            int limit = Math.min(PAGE, run.last() - from + 1);
            List<GroupElement> page =
                    jobs.groups().elements(caller, id, from, limit).orElse(List.of());
            page.stream().filter(element -> wanted.contains(element.index())).forEach(all::add);
            if (page.size() < limit || page.getLast().index() == Integer.MAX_VALUE) {
                return all;
            }
            from = page.getLast().index() + 1;
        }
        return all;
    }

    /** The indexes as ranges, in order; those of one range are no further apart than the gap. */
    private static List<IndexRange> runs(NavigableSet<Integer> indexes, int gap) {
        List<IndexRange> runs = new ArrayList<>();
        int from = indexes.first();
        int to = from;
        for (int index : indexes.tailSet(from, false)) {
            if ((long) index - to > gap) {
                runs.add(new IndexRange(from, to));
                from = index;
            }
            to = index;
        }
        runs.add(new IndexRange(from, to));
        return runs;
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
