// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.adapter.WireValue.Fields;
import org.jobgate.job.Fault;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.lrm.CancelResult;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmHealth;
import org.jobgate.lrm.LrmListener;
import org.jobgate.lrm.LrmThrottle;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.lrm.LrmUse;
import org.jobgate.lrm.PrivateFiles;
import org.jobgate.lrm.SubmitResult;
import org.jobgate.lrm.SuspendResult;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An LRM that is driven by a Perl adapter, in one worker process per local account. Which adapter is a matter of the settings: another
 * LRM needs another Perl module, and nothing here.
 */
public final class PerlLrm implements Lrm, PrivateFiles {

    private static final Logger log = LoggerFactory.getLogger(PerlLrm.class);

    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

    private final LrmSettings settings;
    private final WorkerCommand command;
    private final LeftWorkers left;
    private final JobStore store;
    private final Checkpoints checkpoints;
    private final Clock clock;
    private final SecureRandom random;
    private final ScheduledExecutorService scheduler;
    private final Map<String, WorkerSupervisor> supervisors = new ConcurrentHashMap<>();
    private final CapabilityPoller poller;
    private final WorkerCalls calls;
    private volatile @Nullable LrmListener listener;
    private volatile @Nullable SegWatch seg;
    private volatile LrmThrottle throttle;
    private volatile Consumer<Duration> onLag = measured -> {};

    /**
     * An LRM that runs nothing yet.
     *
     * @param ownAccount the account this process runs as, for which no sudo is needed
     * @param left of the whole gateway
     */
    public PerlLrm(
            LrmSettings settings,
            String ownAccount,
            LeftWorkers left,
            JobStore store,
            Clock clock,
            SecureRandom random) {
        this.settings = requireNonNull(settings, "settings is null");
        this.command = new WorkerCommand(settings, ownAccount);
        this.left = requireNonNull(left, "left is null");
        this.store = requireNonNull(store, "store is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.random = requireNonNull(random, "random is null");
        this.scheduler = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("lrm-" + settings.name()).factory());
        this.checkpoints = new Checkpoints(store, settings.name(), clock, scheduler);
        this.throttle = settings.throttle();
        this.poller = new CapabilityPoller(settings, newSupervisor(ownAccount), clock);
        this.calls = new WorkerCalls(settings, this::supervisor, this::batchLimit);
    }

    /** For the account that this process runs as, by the name the system gives it. */
    public static PerlLrm create(LrmSettings settings, LeftWorkers left, JobStore store, Clock clock) {
        return new PerlLrm(settings, System.getProperty("user.name", ""), left, store, clock, new SecureRandom());
    }

    @Override
    public String name() {
        return settings.name();
    }

    @Override
    public int batchLimit() {
        return throttle.batchLimit();
    }

    @Override
    public LrmThrottle throttle() {
        return throttle;
    }

    @Override
    public void throttle(LrmThrottle changed) {
        boolean isOtherInterval = !changed.pollInterval().equals(throttle.pollInterval());
        throttle = changed;
        if (isOtherInterval) {
            supervisors.values().forEach(supervisor -> supervisor.pollEvery(changed.pollInterval()));
        }
    }

    /** The accounts whose jobs were ever followed, in any LRM, as far as the store remembers. */
    public static Set<String> accountsEverWatched(JobStore store) {
        return Checkpoints.accounts(store);
    }

    @Override
    public void onLag(Consumer<Duration> measured) {
        onLag = measured;
    }

    @Override
    public void watch(Collection<String> accounts, LrmListener newListener) {
        Path file = settings.monitor().segLog();
        LrmListener told = file == null ? newListener : new SegLog(file, SegLog.MAX_BYTES, newListener);
        poller.start(scheduler);
        // often enough that a silence is noticed in its time
        long every = Math.clamp(settings.requestTimeout().toMillis() / 12, 100, 5_000);
        var unused = scheduler.scheduleWithFixedDelay(this::probe, every, every, TimeUnit.MILLISECONDS);
        if (settings.monitor().segCommand().isEmpty()) {
            watchByWorkers(accounts, told);
        } else {
            SegWatch started =
                    new SegWatch(settings, store, checkpoints, clock, told, this::lookup, age -> onLag.accept(age));
            seg = started;
            started.start();
        }
    }

    private void watchByWorkers(Collection<String> accounts, LrmListener told) {
        listener = told;
        supervisors.values().forEach(supervisor -> supervisor.watch(told));
        accounts.stream().filter(WorkerCommand::isAccountName).forEach(account -> {
            if (!supervisors.containsKey(account)) {
                supervisor(account).watch(told);
            }
        });
    }

    private WorkerSupervisor supervisor(String account) {
        return supervisors.computeIfAbsent(account, name -> {
            WorkerSupervisor supervisor = newSupervisor(name);
            supervisor.pollEvery(throttle.pollInterval());
            LrmListener current = listener;
            if (current != null) {
                supervisor.watch(current);
            }
            return supervisor;
        });
    }

    private WorkerSupervisor newSupervisor(String account) {
        return new WorkerSupervisor(
                account, settings, command, left, checkpoints, clock, random, scheduler, age -> onLag.accept(age));
    }

    /** It must come again whatever goes wrong with one of them. */
    private void probe() {
        supervisors.forEach((account, supervisor) -> {
            try {
                supervisor.probe();
            } catch (RuntimeException e) {
                log.error("The worker of account {} in {} cannot be asked how it is", account, name(), e);
            }
        });
    }

    @Override
    public List<SubmitResult> submit(String account, List<SubmitRequest> requests) {
        List<SubmitResult> results = calls.submit(account, requests);
        tellSeg(account, requests, results);
        return results;
    }

    private void tellSeg(String account, List<SubmitRequest> requests, List<SubmitResult> results) {
        SegWatch watch = seg;
        for (int i = 0; watch != null && i < results.size(); i++) {
            if (results.get(i) instanceof SubmitResult.Accepted accepted) {
                watch.accepted(account, requests.get(i).tag(), accepted.localIds());
            }
        }
    }

    @Override
    public List<CancelResult> cancel(String account, List<LrmJob> jobs) {
        return calls.cancel(account, jobs);
    }

    /** What the adapter can; while it was not heard yet, nobody is refused for it. */
    @Override
    public Set<JobState> suspends() {
        Set<JobState> told = poller.capabilities().suspends();
        return told == null ? Set.of(JobState.PENDING, JobState.ACTIVE) : told;
    }

    @Override
    public List<SuspendResult> suspend(String account, List<LrmJob> jobs) {
        return calls.wish("suspend", account, jobs);
    }

    @Override
    public List<SuspendResult> hold(String account, List<LrmJob> jobs) {
        return calls.wish("hold", account, jobs);
    }

    @Override
    public List<SuspendResult> resume(String account, List<LrmJob> jobs) {
        return calls.wish("resume", account, jobs);
    }

    @Override
    public Map<JobId, List<LrmEvent>> lookup(String account, Collection<JobId> tags) throws LrmUnavailableException {
        return calls.lookup(account, tags);
    }

    @Override
    public Map<JobId, LrmUse> used(String account, List<LrmJob> jobs) throws LrmUnavailableException {
        return calls.used(account, jobs);
    }

    @Override
    public void forget(String account, List<LrmJob> jobs) {
        calls.forget(account, jobs);
    }

    @Override
    public String keep(String account, JobId job, String name, byte[] content) throws LrmUnavailableException {
        Fields answer =
                supervisor(accountName(account)).ask("keep", Map.of("tag", job, "name", name, "content", content));
        return answer.text("path", "");
    }

    @Override
    public String keep(String account, JobId job, String name, byte[] before, String key, byte[] after)
            throws LrmUnavailableException {
        Fields answer = supervisor(accountName(account))
                .ask("keep", Map.of("tag", job, "name", name, "content", before, "key", key, "rest", after));
        return answer.text("path", "");
    }

    @Override
    public String key(String account, JobId job, String name) throws LrmUnavailableException {
        return supervisor(accountName(account))
                .ask("key", Map.of("tag", job, "name", name))
                .text("public", "");
    }

    @Override
    public void drop(String account, JobId job, String name) throws LrmUnavailableException {
        supervisor(accountName(account)).ask("drop", Map.of("tag", job, "name", name));
    }

    private String accountName(String account) throws LrmUnavailableException {
        Fault refusal = calls.refusal(account);
        if (refusal != null) {
            throw new LrmUnavailableException(refusal.sentence());
        }
        return account;
    }

    @Override
    public LrmCapabilities capabilities() {
        return poller.capabilities();
    }

    @Override
    public LrmCapabilities capabilitiesNow() {
        return poller.capabilitiesNow();
    }

    @Override
    public LrmHealth health() {
        Map<String, String> troubles = new LinkedHashMap<>();
        supervisors.forEach((account, supervisor) -> {
            String trouble = supervisor.trouble();
            if (!trouble.isEmpty()) {
                troubles.put(account, trouble);
            }
        });
        SegWatch watch = seg;
        Duration lag = Stream.concat(
                        Stream.of(watch == null ? Duration.ZERO : watch.lag()),
                        supervisors.values().stream().map(WorkerSupervisor::lag))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        Duration pollAge = supervisors.values().stream()
                .map(WorkerSupervisor::pollAge)
                .filter(Objects::nonNull)
                .max(Duration::compareTo)
                .orElse(null);
        List<String> general = Stream.of(watch == null ? "" : watch.trouble(), poller.trouble())
                .filter(text -> !text.isEmpty())
                .toList();
        String why = Stream.concat(general.stream(), troubles.values().stream())
                .limit(3)
                .collect(Collectors.joining("; "));
        String more = troubles.size() > 3 ? "; and " + (troubles.size() - 3) + " more accounts" : "";
        boolean someServed = troubles.size() < supervisors.size();
        boolean well = general.isEmpty() && (troubles.isEmpty() || someServed);
        return new LrmHealth(well, why + more, lag, pollAge);
    }

    @Override
    public LrmHealth health(String account) {
        SegWatch watch = seg;
        String blind = watch == null ? "" : watch.trouble();
        WorkerSupervisor supervisor = supervisors.get(account);
        if (supervisor == null) {
            return new LrmHealth(blind.isEmpty(), blind, Duration.ZERO);
        }
        String trouble = supervisor.trouble().isEmpty() ? blind : supervisor.trouble();
        return new LrmHealth(trouble.isEmpty(), trouble, supervisor.lag(), supervisor.pollAge());
    }

    /** Lets the workers go and saves the checkpoints. The jobs live on. */
    @Override
    public void close() {
        SegWatch watch = seg;
        if (watch != null) {
            watch.close();
        }
        try {
            CompletableFuture.allOf(Stream.concat(
                                    Stream.of(poller.close()),
                                    supervisors.values().stream().map(WorkerSupervisor::close))
                            .toArray(CompletableFuture[]::new))
                    .thenCompose(done -> checkpoints.save())
                    .get(CLOSE_PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            log.warn("not all checkpoints of {} were saved, events will be told again", name(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        scheduler.shutdownNow();
    }
}
