// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.job.PendingReason;
import org.jobgate.job.Reason;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmSource;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.store.JobQuery;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the LRMs, once after a restore, for every live job that the restored store has: the watch alone need not tell again how jobs ended that
 * the gateway has had forgotten since the backup.
 */
final class TakeUp implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TakeUp.class);

    private static final Comparator<JobId> BY_TEXT = Comparator.comparing(JobId::toString);
    private static final int AT_ONCE = 200;
    private static final int PAGE = 1_000;
    private static final String UNKNOWN =
            "the gateway was restored from a backup, and the LRM does not know the job any more:"
                    + " how it ended cannot be known. It is not run again; cancel it, or submit it anew";

    private final EngineContext context;
    private final LrmWatch watch;
    private final Duration pause;
    private final Clock clock;
    private final Map<JobId, Boolean> takenUp = new ConcurrentSkipListMap<>(BY_TEXT);
    private final Map<JobId, Boolean> notGiven = new ConcurrentHashMap<>();
    private final Map<JobId, Boolean> unknown = new ConcurrentSkipListMap<>(BY_TEXT);
    private final Map<String, String> unasked = new ConcurrentHashMap<>();
    private volatile @Nullable Thread thread;

    /**
     * @param pause between two looks: until the second the watch may have told the end of a job that the LRM itself does not know any more
     */
    TakeUp(EngineContext context, LrmWatch watch, Duration pause, Clock clock) {
        this.context = context;
        this.watch = watch;
        this.pause = pause;
        this.clock = clock;
    }

    void start(JobStore store) {
        Map<String, List<JobId>> groups = new LinkedHashMap<>();
        JobQuery page = JobQuery.builder().limit(PAGE).build();
        List<Job> some;
        do {
            some = store.list(page);
            for (Job job : some) {
                if (!MultiJobs.isMulti(job) && !OnlyTransfers.is(job)) {
                    groups.computeIfAbsent(LrmRegistry.group(job), group -> new ArrayList<>())
                            .add(job.id());
                }
            }
            page = some.isEmpty() ? page : page.next(some.getLast().id());
        } while (some.size() == PAGE);
        groups.keySet().forEach(group -> unasked.put(group, "not asked yet"));
        thread = Thread.ofVirtual().name("after-restore").start(() -> run(groups));
    }

    private void run(Map<String, List<JobId>> groups) {
        try {
            Map<String, List<JobId>> left = ask(groups, false);
            while (!left.isEmpty()) {
                Thread.sleep(pause);
                left = ask(left, true);
            }
            LOG.info(
                    "After the restore: {} jobs are taken up as their LRMs have them, {} were not given to an LRM yet, of {} nobody knows"
                            + " any more how they ended; see jobgate restore --report",
                    takenUp.size(),
                    notGiven.size(),
                    unknown.size());
        } catch (InterruptedException e) {
            LOG.debug("the service ended before all LRMs were asked", e);
        }
    }

    /** @return those that must be asked for again: their LRM gave no clear answer, or does not know them for the first time */
    private Map<String, List<JobId>> ask(Map<String, List<JobId>> groups, boolean isSecondLook)
            throws InterruptedException {
        Map<String, List<JobId>> again = new LinkedHashMap<>();
        for (Map.Entry<String, List<JobId>> group : groups.entrySet()) {
            List<JobId> unclear = new ArrayList<>();
            boolean wasAsked = isSecondLook && !unasked.containsKey(group.getKey());
            for (int from = 0; from < group.getValue().size(); from += AT_ONCE) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                List<JobId> some =
                        group.getValue().subList(from, Math.min(group.getValue().size(), from + AT_ONCE));
                unclear.addAll(ask(group.getKey(), some, wasAsked));
            }
            if (!unclear.isEmpty()) {
                again.put(group.getKey(), unclear);
            }
        }
        return again;
    }

    private List<JobId> ask(String group, List<JobId> tags, boolean isSecondLook) {
        Lrm lrm = context.registry().ofGroup(group).orElse(null);
        if (lrm == null) {
            unasked.put(group, "it is not configured any more");
            return tags;
        }
        String account = LrmRegistry.accountOf(group);
        try {
            List<JobId> again = hear(lrm, account, lrm.lookup(account, tags), tags, isSecondLook);
            unasked.remove(group);
            return again;
        } catch (LrmUnavailableException e) {
            unasked.put(group, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            // such as a store that cannot write: the others are to be asked all the same, and these again
            LOG.error("The jobs of {} could not be looked up after the restore; it is tried again", group, e);
            unasked.put(group, Reason.of(e));
        }
        return tags;
    }

    /** @return those that must be asked for again */
    private List<JobId> hear(
            Lrm lrm, String account, Map<JobId, List<LrmEvent>> found, List<JobId> tags, boolean isSecondLook) {
        LrmSource source = LrmSource.ofAccount(lrm.name(), account);
        List<JobId> again = new ArrayList<>();
        for (JobId tag : tags) {
            List<LrmEvent> events = found.getOrDefault(tag, List.of());
            if (!events.isEmpty()) {
                watch.events(source, events).join();
                takenUp.put(tag, true);
            } else if (isLeftOpen(tag)) {
                if (isSecondLook) {
                    cannotBeKnown(tag);
                } else {
                    again.add(tag);
                }
            }
        }
        return again;
    }

    /** Whether the LRM should know the job. The watch has reported a job that is over by now. */
    private boolean isLeftOpen(JobId tag) {
        Job job = context.store().find(tag).orElse(null);
        if (job == null) {
            return false;
        }
        if (job.state().isTerminal()) {
            takenUp.put(tag, true);
            return false;
        }
        boolean isWithLrm = !job.localIds().isEmpty()
                && job.outcome() == null
                && (EngineContext.runs(job) || job.state() == JobState.PENDING);
        if (job.localIds().isEmpty()) {
            notGiven.put(tag, true);
        }
        return isWithLrm;
    }

    private void cannotBeKnown(JobId tag) {
        unknown.put(tag, true);
        context.update(tag, change -> {
                    if (!change.job().state().isTerminal()) {
                        change.because(new PendingReason(clock.instant(), UNKNOWN));
                        change.note(change.job(), UNKNOWN);
                    }
                })
                .join();
    }

    RestoreReport report(List<LeftJob> left, long moreLeft) {
        return new RestoreReport(
                List.copyOf(takenUp.keySet()),
                notGiven.size(),
                List.copyOf(unknown.keySet()),
                Map.copyOf(unasked),
                left,
                moreLeft);
    }

    @Override
    public void close() {
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }
}
