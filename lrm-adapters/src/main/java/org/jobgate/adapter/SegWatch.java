// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmListener;
import org.jobgate.lrm.LrmSource;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.store.JobQuery;
import org.jobgate.store.JobStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watch on an LRM by a scheduler event generator that the site plugs in. How far its lines are on disk is saved as a time, and
 * given to it at its next start; so lines are reported again, which does no harm.
 */
final class SegWatch implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SegWatch.class);

    /** No account can have this name. */
    private static final String CHECKPOINT = "*seg";

    private static final int PAGE = 1_000;
    private static final Duration STORE_PATIENCE = Duration.ofMinutes(1);

    /** Asks an account for its own jobs. */
    @FunctionalInterface
    interface Asker {
        Map<JobId, List<LrmEvent>> lookup(String account, List<JobId> tags) throws LrmUnavailableException;
    }

    private final String lrm;
    private final LrmSource source;
    private final Asker asker;
    private final JobStore store;
    private final Checkpoints checkpoints;
    private final Clock clock;
    private final LrmListener listener;
    private final Consumer<Duration> onLag;
    private final SegJobs jobs;
    private final SegProgram program;
    private final Instant began;
    private volatile Duration lag = Duration.ZERO;

    SegWatch(
            LrmSettings settings,
            JobStore store,
            Checkpoints checkpoints,
            Clock clock,
            LrmListener listener,
            Asker asker,
            Consumer<Duration> onLag) {
        this.lrm = settings.name();
        this.source = LrmSource.ofWhole(lrm);
        this.asker = requireNonNull(asker, "asker is null");
        this.store = requireNonNull(store, "store is null");
        this.checkpoints = requireNonNull(checkpoints, "checkpoints is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.listener = requireNonNull(listener, "listener is null");
        this.onLag = requireNonNull(onLag, "onLag is null");
        this.jobs = new SegJobs(clock, this::isBeingCancelled);
        this.program = new SegProgram(lrm, settings.monitor().segCommand(), this::since, this::take);
        this.began = clock.instant();
    }

    private boolean isBeingCancelled(JobId tag) {
        return store.find(tag).map(job -> job.outcome() != null).orElse(false);
    }

    /** Learns which jobs there are, and begins to listen. */
    void start() {
        JobQuery page = JobQuery.builder().lrm(lrm).limit(PAGE).build();
        List<Job> some;
        do {
            some = store.list(page);
            synchronized (jobs) {
                some.stream()
                        .filter(job -> !job.localIds().isEmpty())
                        .forEach(job -> jobs.put(job.owner().account(), job.id(), job.localIds()));
            }
            page = some.isEmpty() ? page : page.next(some.getLast().id());
        } while (some.size() == PAGE);
        program.start();
    }

    private long since() {
        String saved = checkpoints.of(CHECKPOINT);
        return saved != null && saved.matches("[0-9]{1,12}")
                ? Long.parseLong(saved)
                : began.minus(SegJobs.CLOCK_SLACK).getEpochSecond();
    }

    /** The LRM has a job under these ids, says its account. */
    void accepted(String account, JobId tag, List<String> ids) {
        List<LrmEvent> early;
        synchronized (jobs) {
            early = jobs.put(account, tag, ids);
        }
        if (!early.isEmpty()) {
            tell(early);
        }
    }

    private void take(List<SegLine> lines) throws InterruptedException {
        List<LrmEvent> events = new ArrayList<>();
        List<SegJobs.Claim> unclear;
        Instant upTo;
        synchronized (jobs) {
            lines.forEach(line -> jobs.take(line).ifPresent(events::add));
            unclear = jobs.toAsk();
            upTo = jobs.oldestUntold().orElse(lines.getLast().at());
        }
        measureLag(events);
        store(events);
        unclear.forEach(claim -> Thread.ofVirtual().name("seg-" + lrm + "-ask").start(() -> ask(claim)));
        // lines of the same second may follow, and those that were about nobody yet may still be about somebody
        checkpoints.passed(CHECKPOINT, Long.toString(upTo.getEpochSecond()));
    }

    private void store(List<LrmEvent> events) throws InterruptedException {
        try {
            listener.events(source, events).get(STORE_PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("its events could not be stored: " + e.getMessage(), e);
        }
    }

    private void tell(List<LrmEvent> events) {
        var unused = listener.events(source, events).whenComplete((done, failure) -> {
            if (failure != null) {
                log.error(
                        "Events of {} that came before the answer to the submission could not be stored", lrm, failure);
            }
        });
    }

    /** Two accounts say that their job has the id of a line: each is asked what the LRM says of its own. */
    private void ask(SegJobs.Claim claim) {
        log.warn(
                "LRM {}: job {} of account {} has an id that a job of another account has too; the account is asked"
                        + " for it",
                lrm,
                claim.tag(),
                claim.account());
        try {
            List<LrmEvent> found =
                    asker.lookup(claim.account(), List.of(claim.tag())).getOrDefault(claim.tag(), List.of());
            listener.events(LrmSource.ofAccount(lrm, claim.account()), found).join();
            if (found.stream().anyMatch(event -> event.end() != null)) {
                synchronized (jobs) {
                    jobs.drop(claim.tag());
                }
            }
        } catch (LrmUnavailableException | CompletionException e) {
            log.warn(
                    "LRM {}: what became of job {} is not known until its account is asked again: {}",
                    lrm,
                    claim.tag(),
                    e.getMessage());
        }
    }

    private void measureLag(List<LrmEvent> events) {
        for (LrmEvent event : events) {
            Duration age = Duration.between(event.at(), clock.instant());
            boolean isNews = !event.at().isBefore(began);
            lag = isNews && !age.isNegative() ? age : Duration.ZERO;
            if (isNews) {
                onLag.accept(lag);
            }
        }
    }

    Duration lag() {
        return lag;
    }

    String trouble() {
        return program.trouble();
    }

    @Override
    public void close() {
        program.close();
    }
}
