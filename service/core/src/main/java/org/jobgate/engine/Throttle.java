// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmThrottle;
import org.jspecify.annotations.Nullable;

/**
 * Lets jobs into the LRMs as far as their throttles allow. It counts the jobs of those LRMs only that have a limit, so that the
 * heap does not grow with jobs of the others. A job holds its place from before it is given to the LRM until it is known to be over
 * there; one whose submission was unclear keeps it.
 */
final class Throttle implements WorkGate {

    /** What a place is counted by. */
    private record Place(String lrm, String owner, String queue) {
        List<String> counters() {
            return List.of(lrm, lrm + "/owner/" + owner, lrm + "/queue/" + queue);
        }
    }

    /** Jobs of an LRM that is not configured any more which are looked at in one go. */
    private static final int STRAY_BATCH = 100;

    private final Map<String, LrmThrottle> throttles = new HashMap<>();
    private final Map<JobId, Place> places = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private final Map<String, Integer> submitting = new HashMap<>();
    private Runnable onRoom = () -> {};

    Throttle(Collection<Lrm> lrms) {
        lrms.forEach(lrm -> throttles.put(lrm.name(), lrm.throttle()));
    }

    /** Names who is to be woken when there may be room again. */
    void connect(Runnable wake) {
        onRoom = wake;
    }

    synchronized @Nullable LrmThrottle throttle(String lrm) {
        return throttles.get(lrm);
    }

    synchronized boolean counts(String lrm) {
        LrmThrottle throttle = throttles.get(lrm);
        return throttle != null && throttle.counts();
    }

    /** Whether the queue of a job must be known to count it. */
    synchronized boolean countsQueues(String lrm) {
        LrmThrottle throttle = throttles.get(lrm);
        return throttle != null && throttle.maxJobsPerQueue() > 0;
    }

    /** Changes the throttle of an LRM. The caller counts the jobs that are there with {@link #see}. */
    void change(String lrm, LrmThrottle throttle) {
        synchronized (this) {
            throttles.put(lrm, throttle);
            List.copyOf(places.entrySet()).stream()
                    .filter(entry -> entry.getValue().lrm().equals(lrm))
                    .forEach(entry -> leave(entry.getKey()));
        }
        onRoom.run();
    }

    /** How many jobs are counted in the LRM; empty where none are counted. */
    synchronized Optional<Integer> counted(String lrm) {
        return counts(lrm) ? Optional.of(counts.getOrDefault(lrm, 0)) : Optional.empty();
    }

    /** Takes note of how a job stands: in its LRM, over there, or not to be given to it for now. */
    void see(Job job, @Nullable String queue) {
        boolean wasThere;
        synchronized (this) {
            if (!counts(job.lrm())) {
                return;
            }
            if (isInLrm(job)) {
                occupy(job.id(), place(job.lrm(), job.owner().subject(), queue));
                return;
            }
            boolean mayStillGo = job.localIds().isEmpty() && !job.holding() && !isOver(job);
            wasThere = !mayStillGo && leave(job.id());
        }
        if (wasThere) {
            onRoom.run();
        }
    }

    private static boolean isInLrm(Job job) {
        return !job.localIds().isEmpty() && !isOver(job);
    }

    private static boolean isOver(Job job) {
        return job.state().isTerminal() || job.state() == JobState.STAGE_OUT || job.state() == JobState.CLEAN_UP;
    }

    /** The job is gone from the store. */
    void forget(JobId job) {
        boolean wasThere;
        synchronized (this) {
            wasThere = leave(job);
        }
        if (wasThere) {
            onRoom.run();
        }
    }

    private static Place place(String lrm, String owner, @Nullable String queue) {
        return new Place(lrm, owner, queue == null ? "" : queue);
    }

    private void occupy(JobId job, Place place) {
        if (places.putIfAbsent(job, place) == null) {
            place.counters().forEach(counter -> counts.merge(counter, 1, Integer::sum));
        }
    }

    private boolean leave(JobId job) {
        Place place = places.remove(job);
        if (place == null) {
            return false;
        }
        place.counters().forEach(counter -> counts.computeIfPresent(counter, (name, n) -> n == 1 ? null : n - 1));
        return true;
    }

    // ---- what the submit pool asks

    /** The free places are shared out among the owners who wait, so that the first does not get them all. */
    @Override
    public synchronized int room(WorkQueue.Item item, int owners) {
        String lrm = lrmOf(item.group());
        LrmThrottle throttle = throttles.get(lrm);
        if (throttle == null || item.urgent()) {
            return throttle == null ? STRAY_BATCH : throttle.batchLimit();
        }
        if (throttle.submitsAtOnce() > 0 && submitting.getOrDefault(lrm, 0) >= throttle.submitsAtOnce()) {
            return 0;
        }
        if (throttle.maxJobs() == 0) {
            return throttle.batchLimit();
        }
        // one that is repeated has its place already: it may always go
        int free = Math.max(places.containsKey(item.job()) ? 1 : 0, throttle.maxJobs() - counts.getOrDefault(lrm, 0));
        return Math.min(throttle.batchLimit(), (free + owners - 1) / owners);
    }

    @Override
    public synchronized boolean enter(WorkQueue.Item item) {
        String lrm = lrmOf(item.group());
        LrmThrottle throttle = throttles.get(lrm);
        if (throttle == null || item.urgent() || !throttle.counts() || places.containsKey(item.job())) {
            return true;
        }
        Place place = place(lrm, item.owner(), item.queue());
        if (obstacle(throttle, place) != null) {
            return false;
        }
        occupy(item.job(), place);
        return true;
    }

    @Override
    public synchronized void begun(String group) {
        submitting.merge(lrmOf(group), 1, Integer::sum);
    }

    @Override
    public synchronized void done(String group) {
        submitting.computeIfPresent(lrmOf(group), (name, n) -> n == 1 ? null : n - 1);
    }

    private static String lrmOf(String group) {
        return group.substring(0, group.indexOf('/'));
    }

    // ---- why a job waits

    /** Why the job, which is not in the LRM yet, cannot go there now; empty if it can. */
    synchronized Optional<String> obstacle(Job job, @Nullable String queue) {
        LrmThrottle throttle = throttles.get(job.lrm());
        if (throttle == null || !throttle.counts() || places.containsKey(job.id())) {
            return Optional.empty();
        }
        return Optional.ofNullable(
                obstacle(throttle, place(job.lrm(), job.owner().subject(), queue)));
    }

    private @Nullable String obstacle(LrmThrottle throttle, Place place) {
        List<String> counters = place.counters();
        if (isFull(throttle.maxJobs(), counters.get(0))) {
            return sentence(place, throttle.maxJobs() + " jobs of this gateway", "maxJobs");
        }
        if (isFull(throttle.maxJobsPerOwner(), counters.get(1))) {
            return sentence(place, throttle.maxJobsPerOwner() + " jobs of the same owner", "maxJobsPerOwner");
        }
        if (isFull(throttle.maxJobsPerQueue(), counters.get(2))) {
            String queue = place.queue().isEmpty() ? "its default queue" : "the queue " + place.queue();
            return sentence(place, throttle.maxJobsPerQueue() + " jobs in " + queue, "maxJobsPerQueue");
        }
        return null;
    }

    private boolean isFull(int limit, String counter) {
        return limit > 0 && counts.getOrDefault(counter, 0) >= limit;
    }

    private static String sentence(Place place, String what, String limit) {
        return "the LRM " + place.lrm() + " has " + what + ", as many as the administrator lets in (" + limit
                + "); the job waits in the gateway for its turn";
    }
}
