// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
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
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.adapter.WireValue.Fields;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
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

    /** Encoded descriptions in one request; a frame may be larger, but then others wait for it. */
    private static final int MAX_REQUEST_BYTES = 8 * 1024 * 1024;

    private static final int MAX_TAGS = 1000;
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

    private final LrmSettings settings;
    private final WorkerCommand command;
    private final LeftWorkers left;
    private final JobStore store;
    private final Checkpoints checkpoints;
    private final Clock clock;
    private final SecureRandom random;
    private final ScheduledExecutorService scheduler;
    private final Map<String, WorkerSupervisor> stations = new ConcurrentHashMap<>();
    private final CapabilityPoller inquirer;
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
        this.inquirer = new CapabilityPoller(settings, newStation(ownAccount), clock);
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
            stations.values().forEach(station -> station.pollEvery(changed.pollInterval()));
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
        inquirer.start(scheduler);
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
        stations.values().forEach(station -> station.watch(told));
        accounts.stream().filter(WorkerCommand::isAccountName).forEach(account -> {
            if (!stations.containsKey(account)) {
                station(account).watch(told);
            }
        });
    }

    private WorkerSupervisor station(String account) {
        return stations.computeIfAbsent(account, name -> {
            WorkerSupervisor station = newStation(name);
            station.pollEvery(throttle.pollInterval());
            LrmListener current = listener;
            if (current != null) {
                station.watch(current);
            }
            return station;
        });
    }

    private WorkerSupervisor newStation(String account) {
        return new WorkerSupervisor(
                account, settings, command, left, checkpoints, clock, random, scheduler, age -> onLag.accept(age));
    }

    /** It must come again whatever goes wrong with one of them. */
    private void probe() {
        stations.forEach((account, station) -> {
            try {
                station.probe();
            } catch (RuntimeException e) {
                log.error("The worker of account {} in {} cannot be asked how it is", account, name(), e);
            }
        });
    }

    @Override
    public List<SubmitResult> submit(String account, List<SubmitRequest> requests) {
        Fault refusal = refusal(account);
        if (refusal != null) {
            return requests.stream()
                    .<SubmitResult>map(request -> new SubmitResult.Refused(refusal))
                    .toList();
        }
        List<SubmitResult> results = new ArrayList<>(requests.size());
        for (List<Map<String, Object>> batch : batches(requests)) {
            results.addAll(answers(
                    account,
                    "submit",
                    batch,
                    value -> LrmMessages.submitResult(account, value),
                    SubmitResult.Unclear::new));
        }
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

    private @Nullable Fault refusal(String account) {
        if (WorkerCommand.isAccountName(account) && !settings.deniedAccounts().contains(account)) {
            return null;
        }
        return Fault.of(
                FaultCode.NOT_AUTHORIZED,
                "Jobs may not run as the local account '" + account + "' in the LRM " + settings.name() + ".",
                "Ask the site's administrator to map you to another account.");
    }

    /** Split by number and by size. */
    private List<List<Map<String, Object>>> batches(List<SubmitRequest> requests) {
        List<List<Map<String, Object>>> batches = new ArrayList<>();
        List<Map<String, Object>> batch = new ArrayList<>();
        int bytes = 0;
        for (SubmitRequest request : requests) {
            byte[] description = LrmMessages.description(request.description());
            if (batch.size() == batchLimit() || (!batch.isEmpty() && bytes + description.length > MAX_REQUEST_BYTES)) {
                batches.add(batch);
                batch = new ArrayList<>();
                bytes = 0;
            }
            batch.add(Map.of("tag", request.tag(), "description", description, "may_exist", request.mayExist()));
            bytes += description.length;
        }
        if (!batch.isEmpty()) {
            batches.add(batch);
        }
        return batches;
    }

    private <R> List<R> answers(
            String account,
            String operation,
            List<Map<String, Object>> jobs,
            Function<WireValue, R> read,
            Function<String, R> unclear) {
        String why;
        try {
            List<WireValue> answers =
                    station(account).ask(operation, Map.of("jobs", jobs)).items("answers");
            if (answers.size() == jobs.size()) {
                return answers.stream().map(read).toList();
            }
            why = "the adapter gave " + answers.size() + " answers for " + jobs.size() + " jobs";
        } catch (LrmUnavailableException e) {
            why = String.valueOf(e.getMessage());
        }
        R answer = unclear.apply(why);
        return jobs.stream().map(job -> answer).toList();
    }

    @Override
    public List<CancelResult> cancel(String account, List<LrmJob> jobs) {
        if (!WorkerCommand.isAccountName(account)) {
            return jobs.stream()
                    .<CancelResult>map(job -> new CancelResult.NotThere())
                    .toList();
        }
        List<CancelResult> results = new ArrayList<>(jobs.size());
        for (int from = 0; from < jobs.size(); from += batchLimit()) {
            List<LrmJob> some = jobs.subList(from, Math.min(jobs.size(), from + batchLimit()));
            results.addAll(answers(
                    account,
                    "cancel",
                    fields(some),
                    value -> LrmMessages.cancelResult(account, value),
                    CancelResult.Unclear::new));
        }
        return results;
    }

    /** What the adapter can; while it was not heard yet, nobody is refused for it. */
    @Override
    public Set<JobState> suspends() {
        Set<JobState> told = inquirer.capabilities().suspends();
        return told == null ? Set.of(JobState.PENDING, JobState.ACTIVE) : told;
    }

    @Override
    public List<SuspendResult> suspend(String account, List<LrmJob> jobs) {
        return wish("suspend", account, jobs);
    }

    @Override
    public List<SuspendResult> hold(String account, List<LrmJob> jobs) {
        return wish("hold", account, jobs);
    }

    @Override
    public List<SuspendResult> resume(String account, List<LrmJob> jobs) {
        return wish("resume", account, jobs);
    }

    private List<SuspendResult> wish(String operation, String account, List<LrmJob> jobs) {
        if (!WorkerCommand.isAccountName(account)) {
            return jobs.stream()
                    .<SuspendResult>map(job -> new SuspendResult.NotThere())
                    .toList();
        }
        List<SuspendResult> results = new ArrayList<>(jobs.size());
        for (int from = 0; from < jobs.size(); from += batchLimit()) {
            List<LrmJob> some = jobs.subList(from, Math.min(jobs.size(), from + batchLimit()));
            results.addAll(answers(
                    account,
                    operation,
                    fields(some),
                    value -> LrmMessages.suspendResult(account, value),
                    SuspendResult.Unclear::new));
        }
        return results;
    }

    private static List<Map<String, Object>> fields(List<LrmJob> jobs) {
        return jobs.stream()
                .map(job -> Map.<String, Object>of("tag", job.tag(), "ids", job.localIds()))
                .toList();
    }

    @Override
    public Map<JobId, List<LrmEvent>> lookup(String account, Collection<JobId> tags) throws LrmUnavailableException {
        if (!WorkerCommand.isAccountName(account)) {
            return Map.of();
        }
        Map<JobId, List<LrmEvent>> found = new HashMap<>();
        List<JobId> all = List.copyOf(tags);
        for (int from = 0; from < all.size(); from += MAX_TAGS) {
            List<JobId> some = all.subList(from, Math.min(all.size(), from + MAX_TAGS));
            Fields answer = station(account).ask("lookup", Map.of("tags", some));
            List<WireValue> values = answer.items("events");
            List<LrmEvent> events = LrmMessages.events(account, values);
            if (events.size() != values.size()) {
                throw new LrmUnavailableException("the adapter's answer to a lookup was not understood");
            }
            Set<JobId> asked = Set.copyOf(some);
            events.stream()
                    .filter(event -> asked.contains(event.tag()))
                    .forEach(event -> found.computeIfAbsent(event.tag(), tag -> new ArrayList<>())
                            .add(event));
        }
        return found;
    }

    @Override
    public Map<JobId, LrmUse> used(String account, List<LrmJob> jobs) throws LrmUnavailableException {
        return jobs.isEmpty() || !WorkerCommand.isAccountName(account)
                ? Map.of()
                : LrmMessages.uses(station(account).ask("used", Map.of("jobs", fields(jobs))), jobs);
    }

    @Override
    public String keep(String account, JobId job, String name, byte[] content) throws LrmUnavailableException {
        Fields answer = station(accountName(account)).ask("keep", Map.of("tag", job, "name", name, "content", content));
        return answer.text("path", "");
    }

    @Override
    public String keep(String account, JobId job, String name, byte[] before, String key, byte[] after)
            throws LrmUnavailableException {
        Fields answer = station(accountName(account))
                .ask("keep", Map.of("tag", job, "name", name, "content", before, "key", key, "rest", after));
        return answer.text("path", "");
    }

    @Override
    public String key(String account, JobId job, String name) throws LrmUnavailableException {
        return station(accountName(account))
                .ask("key", Map.of("tag", job, "name", name))
                .text("public", "");
    }

    @Override
    public void drop(String account, JobId job, String name) throws LrmUnavailableException {
        station(accountName(account)).ask("drop", Map.of("tag", job, "name", name));
    }

    private String accountName(String account) throws LrmUnavailableException {
        Fault refusal = refusal(account);
        if (refusal != null) {
            throw new LrmUnavailableException(refusal.sentence());
        }
        return account;
    }

    @Override
    public void forget(String account, List<LrmJob> jobs) {
        if (!WorkerCommand.isAccountName(account)) {
            return;
        }
        for (int from = 0; from < jobs.size(); from += MAX_TAGS) {
            List<LrmJob> some = jobs.subList(from, Math.min(jobs.size(), from + MAX_TAGS));
            try {
                station(account).ask("forget", Map.of("jobs", fields(some)));
            } catch (LrmUnavailableException e) {
                // what is not forgotten now is forgotten by its age
                log.warn(
                        "{} jobs of account {} were not forgotten in {}: {}",
                        some.size(),
                        account,
                        name(),
                        e.getMessage());
            }
        }
    }

    @Override
    public LrmCapabilities capabilities() {
        return inquirer.capabilities();
    }

    @Override
    public LrmCapabilities capabilitiesNow() {
        return inquirer.capabilitiesNow();
    }

    @Override
    public LrmHealth health() {
        Map<String, String> troubles = new LinkedHashMap<>();
        stations.forEach((account, station) -> {
            String trouble = station.trouble();
            if (!trouble.isEmpty()) {
                troubles.put(account, trouble);
            }
        });
        SegWatch watch = seg;
        Duration lag = Stream.concat(
                        Stream.of(watch == null ? Duration.ZERO : watch.lag()),
                        stations.values().stream().map(WorkerSupervisor::lag))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        Duration pollAge = stations.values().stream()
                .map(WorkerSupervisor::pollAge)
                .filter(Objects::nonNull)
                .max(Duration::compareTo)
                .orElse(null);
        List<String> general = Stream.of(watch == null ? "" : watch.trouble(), inquirer.trouble())
                .filter(text -> !text.isEmpty())
                .toList();
        String why = Stream.concat(general.stream(), troubles.values().stream())
                .limit(3)
                .collect(Collectors.joining("; "));
        String more = troubles.size() > 3 ? "; and " + (troubles.size() - 3) + " more accounts" : "";
        boolean someServed = troubles.size() < stations.size();
        boolean well = general.isEmpty() && (troubles.isEmpty() || someServed);
        return new LrmHealth(well, why + more, lag, pollAge);
    }

    @Override
    public LrmHealth health(String account) {
        SegWatch watch = seg;
        String blind = watch == null ? "" : watch.trouble();
        WorkerSupervisor station = stations.get(account);
        if (station == null) {
            return new LrmHealth(blind.isEmpty(), blind, Duration.ZERO);
        }
        String trouble = station.trouble().isEmpty() ? blind : station.trouble();
        return new LrmHealth(trouble.isEmpty(), trouble, station.lag(), station.pollAge());
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
                                    Stream.of(inquirer.close()),
                                    stations.values().stream().map(WorkerSupervisor::close))
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
