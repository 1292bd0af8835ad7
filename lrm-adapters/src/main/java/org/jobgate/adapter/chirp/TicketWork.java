// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter.chirp;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jobgate.adapter.chirp.TicketRecords.Tickets;
import org.jobgate.job.ChirpAccess;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.LoggedJob;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees to it that jobs have the tickets that they want, that these do not end before their jobs, and that none is left behind. */
final class TicketWork {

    private static final Logger LOG = LoggerFactory.getLogger(TicketWork.class);

    private static final Duration SWEEP = Duration.ofSeconds(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(2);
    private static final int DOUBLINGS = 6;

    private final ChirpSettings settings;
    private final TicketMaker maker;
    private final JobStore store;
    private final Clock clock;
    private final TicketRecords records;
    private final TicketTurns turns = new TicketTurns(this::see);
    private final ScheduledExecutorService sweeper = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("chirp-tickets").factory());

    /** Jobs that wait for their first ticket. */
    private final Map<JobId, Wanted> wanted = new ConcurrentHashMap<>();

    /** Jobs that are over for us, although they are not in a terminal state yet. */
    private final Set<JobId> removed = ConcurrentHashMap.newKeySet();

    private final Map<JobId, Fault> refused = new ConcurrentHashMap<>();
    private final Map<JobId, Pause> pauses = new ConcurrentHashMap<>();
    private final AtomicLong made = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();
    private final AtomicLong withdrawn = new AtomicLong();
    private volatile Consumer<JobId> listener = id -> {};
    private volatile BiConsumer<JobId, String> news = (id, text) -> {};

    private record Wanted(String owner, String server) {}

    /** @param tries that failed, one after the other */
    private record Pause(Instant until, int tries) {}

    TicketWork(ChirpSettings settings, TicketMaker maker, JobStore store, Clock clock) {
        this.settings = settings;
        this.maker = maker;
        this.store = store;
        this.clock = clock;
        this.records = new TicketRecords(store, clock);
    }

    void start() {
        records.read();
        var unused = sweeper.scheduleWithFixedDelay(this::sweep, 0, SWEEP.toMillis(), TimeUnit.MILLISECONDS);
    }

    void close() {
        sweeper.shutdownNow();
        turns.close();
    }

    void onChange(Consumer<JobId> newListener) {
        listener = newListener;
    }

    void onNews(BiConsumer<JobId, String> newListener) {
        news = newListener;
    }

    TicketFigures figures() {
        return new TicketFigures(
                records.size(), turns.waiting(), made.get(), failed.get(), refusals.get(), withdrawn.get());
    }

    Optional<Tickets> of(JobId job) {
        return records.of(job);
    }

    /** Why the job can have none, if a server said so. */
    Optional<Fault> refused(JobId job) {
        return Optional.ofNullable(refused.get(job));
    }

    /** The job waits for a ticket; the listener is told when there is one, or when there can be none. */
    void want(Job job, String server) {
        wanted.put(job.id(), new Wanted(job.owner().subject(), server));
        offer(job.owner().subject(), server, job.id());
    }

    /** The job needs none any more. */
    void remove(JobId job) {
        wanted.remove(job);
        refused.remove(job);
        pauses.remove(job);
        removed.add(job);
        records.of(job).ifPresentOrElse(tickets -> offer(tickets.owner(), tickets.server(), job), () -> {
            // one that is being made right now has a record by now, or sees that the job is removed
            if (records.of(job).isEmpty()) {
                removed.remove(job);
            }
        });
    }

    private void offer(String owner, String server, JobId job) {
        if (!isPaused(job)) {
            turns.add(owner, server, job);
        }
    }

    private boolean isPaused(JobId job) {
        Pause pause = pauses.get(job);
        return pause != null && pause.until().isAfter(clock.instant());
    }

    private void sweep() {
        try {
            wanted.forEach((job, want) -> offer(want.owner(), want.server(), job));
            List<Tickets> all = records.all();
            for (int from = 0; from < all.size(); from += JobStore.MAX_IDS) {
                List<Tickets> some = all.subList(from, Math.min(all.size(), from + JobStore.MAX_IDS));
                Map<JobId, Job> jobs =
                        store.findAll(some.stream().map(Tickets::job).toList());
                some.stream()
                        .filter(tickets -> isDue(jobs.get(tickets.job()), tickets))
                        .forEach(tickets -> offer(tickets.owner(), tickets.server(), tickets.job()));
            }
        } catch (RuntimeException e) {
            LOG.error("The tickets of jobs could not be looked at; it is tried again", e);
        }
    }

    /** Whether something is to be done, as far as the job's state tells. */
    private boolean isDue(@Nullable Job job, Tickets tickets) {
        return isOver(job, tickets.job())
                || (!tickets.path().isEmpty()
                        && !tickets.expires()
                                .minus(settings.leastLeft(tickets.lifetime(), hasBegun(job)))
                                .isAfter(clock.instant()));
    }

    private boolean isOver(@Nullable Job job, JobId id) {
        return job == null || job.state().isTerminal() || removed.contains(id);
    }

    private static boolean hasBegun(@Nullable Job job) {
        return job != null && job.state() != JobState.UNSUBMITTED && job.state() != JobState.PENDING;
    }

    /** Does what is due for the job, on a thread that may wait. */
    private void see(JobId id) {
        if (isPaused(id)) {
            return; // it was offered while the try that failed was under way
        }
        Job job = store.find(id).orElse(null);
        Optional<Tickets> tickets = records.of(id);
        try {
            if (job == null || isOver(job, id)) {
                if (tickets.isPresent()) {
                    withdraw(tickets.get());
                }
                removed.remove(id);
                wanted.remove(id);
            } else if (wanted.containsKey(id)
                    || tickets.filter(known -> isDue(job, known)).isPresent()) {
                make(job);
            }
            pauses.remove(id);
        } catch (LrmUnavailableException e) {
            failed.incrementAndGet();
            pause(id, String.valueOf(e.getMessage()));
        }
    }

    private void pause(JobId id, String because) {
        int tries = Optional.ofNullable(pauses.get(id)).map(Pause::tries).orElse(0) + 1;
        Duration length = SWEEP.multipliedBy(1L << (Math.min(tries, DOUBLINGS) - 1));
        pauses.put(
                id,
                new Pause(clock.instant().plus(length.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : length), tries));
        LoggedJob.says(id, () -> LOG.warn("The ticket of job {} has to wait, it is tried again: {}", id, because));
        if (tries == 1 && wanted.containsKey(id)) {
            news.accept(id, "there is no ticket to the Chirp server yet, it is tried again: " + because);
        }
    }

    private void withdraw(Tickets tickets) throws LrmUnavailableException {
        boolean hasExpired = !tickets.path().isEmpty()
                && tickets.expires().plus(LONGEST_PAUSE).isBefore(clock.instant());
        maker.drop(tickets.place(), hasExpired);
        records.remove(tickets.job());
        withdrawn.incrementAndGet();
        LoggedJob.says(tickets.job(), () -> LOG.info("Withdrew the tickets of job {}", tickets.job()));
    }

    private void make(Job job) throws LrmUnavailableException {
        JobDescription description = store.description(job.id()).orElse(null);
        if (description == null) {
            return;
        }
        ChirpAccess chirp = description.chirp();
        if (chirp == null) {
            return;
        }
        Optional<ChirpServer> server = settings.server(chirp);
        Tickets before = records.of(job.id()).orElse(null);
        boolean isFirst = before == null || before.subjects().isEmpty();
        if (isFirst && server.isEmpty()) {
            return; // the site has taken it out of its configuration; the job is refused when it is looked at
        }
        if (before != null && !isFirst && !settings.lets(job.owner().account(), chirp, before.server())) {
            // the job keeps what it has, until that ends
            throw new LrmUnavailableException("the site gives no more tickets to what the job reads or writes there");
        }
        Tickets begun = before == null || isFirst
                ? records.begin(job, server.orElseThrow().address())
                : before;
        Duration lifetime = settings.lifetime(description.wallTimeLimit().orElse(null));
        Instant expires = clock.instant().plus(lifetime);
        switch (maker.make(begun.place(), chirp.rights(), lifetime)) {
            case TicketMaker.Answer.Made now -> {
                records.put(begun.with(now.path(), now.subject(), expires, lifetime));
                made.incrementAndGet();
                LoggedJob.says(job.id(), () -> LOG.info("Made the ticket {} of job {}", now.subject(), job.id()));
            }
            case TicketMaker.Answer.Refused why -> refuse(job, begun, why.why());
        }
        if (wanted.remove(job.id()) != null) {
            listener.accept(job.id());
        }
    }

    private void refuse(Job job, Tickets begun, String why) throws LrmUnavailableException {
        refusals.incrementAndGet();
        String sentence = "The Chirp server " + begun.server() + " gives the account "
                + job.owner().account() + " no such ticket: " + why + ".";
        if (!begun.path().isEmpty() && begun.expires().isAfter(clock.instant())) {
            throw new LrmUnavailableException(sentence); // it has one, which may be good for long
        }
        refused.put(
                job.id(),
                Fault.of(FaultCode.CREDENTIAL_UNUSABLE, sentence, "See that the account has the rights there.")
                        .about("chirp", null));
    }
}
