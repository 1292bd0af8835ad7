// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

import static java.util.Objects.requireNonNull;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobId;
import org.jobgate.lifecycle.CancelResult;
import org.jobgate.lifecycle.Lrm;
import org.jobgate.lifecycle.LrmCapabilities;
import org.jobgate.lifecycle.LrmEvent;
import org.jobgate.lifecycle.LrmHealth;
import org.jobgate.lifecycle.LrmListener;
import org.jobgate.lifecycle.LrmUnavailableException;
import org.jobgate.lifecycle.SubmitResult;
import org.jobgate.lrm.WireValue.Fields;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An LRM that is driven by a Perl adapter, in one worker process per local account. Which adapter is a matter of the settings: another
 * LRM needs another Perl module, and nothing here.
 */
public final class PerlLrm implements Lrm {

    private static final Logger log = LoggerFactory.getLogger(PerlLrm.class);

    /** Encoded descriptions in one request; a frame may be larger, but then others wait for it. */
    private static final int MAX_REQUEST_BYTES = 8 * 1024 * 1024;

    private static final int MAX_TAGS = 1000;
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

    private final LrmSettings settings;
    private final WorkerCommand command;
    private final Checkpoints checkpoints;
    private final Clock clock;
    private final SecureRandom random;
    private final ScheduledExecutorService scheduler;
    private final Map<String, Station> stations = new ConcurrentHashMap<>();
    private volatile @Nullable LrmListener listener;

    /**
     * An LRM that runs nothing yet.
     *
     * @param ownAccount the account this process runs as, for which no sudo is needed
     */
    public PerlLrm(LrmSettings settings, String ownAccount, JobStore store, Clock clock, SecureRandom random) {
        this.settings = requireNonNull(settings, "settings is null");
        this.command = new WorkerCommand(settings, ownAccount);
        this.clock = requireNonNull(clock, "clock is null");
        this.random = requireNonNull(random, "random is null");
        this.scheduler = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("lrm-" + settings.name()).factory());
        this.checkpoints = new Checkpoints(store, settings.name(), clock, scheduler);
    }

    /** For the account that this process runs as, by the name the system gives it. */
    public static PerlLrm create(LrmSettings settings, JobStore store, Clock clock) {
        return new PerlLrm(settings, System.getProperty("user.name", ""), store, clock, new SecureRandom());
    }

    @Override
    public String name() {
        return settings.name();
    }

    @Override
    public int batchLimit() {
        return settings.batchLimit();
    }

    @Override
    public void watch(Collection<String> accounts, LrmListener newListener) {
        listener = newListener;
        stations.values().forEach(station -> station.watch(newListener));
        accounts.stream().filter(WorkerCommand::isAccountName).forEach(account -> {
            if (!stations.containsKey(account)) {
                station(account).watch(newListener);
            }
        });
    }

    private Station station(String account) {
        return stations.computeIfAbsent(account, name -> {
            Station station = new Station(name, settings, command, checkpoints, clock, random, scheduler);
            LrmListener current = listener;
            if (current != null) {
                station.watch(current);
            }
            return station;
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
            results.addAll(answers(account, "submit", batch, LrmMessages::submitResult, SubmitResult.Unclear::new));
        }
        return results;
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
            if (batch.size() == settings.batchLimit()
                    || (!batch.isEmpty() && bytes + description.length > MAX_REQUEST_BYTES)) {
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
        for (int from = 0; from < jobs.size(); from += settings.batchLimit()) {
            List<LrmJob> some = jobs.subList(from, Math.min(jobs.size(), from + settings.batchLimit()));
            results.addAll(
                    answers(account, "cancel", fields(some), LrmMessages::cancelResult, CancelResult.Unclear::new));
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
            List<LrmEvent> events = LrmMessages.events(values);
            if (events.size() != values.size()) {
                throw new LrmUnavailableException("the adapter's answer to a lookup was not understood");
            }
            events.forEach(event ->
                    found.computeIfAbsent(event.tag(), tag -> new ArrayList<>()).add(event));
        }
        return found;
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

    /** Fork has one queue, of its own name; nothing asks other LRMs about theirs yet. */
    @Override
    public LrmCapabilities capabilities() {
        if (!settings.adapter().equals("fork")) {
            return new LrmCapabilities(settings.adapter(), List.of());
        }
        long most = settings.maxRunning();
        return new LrmCapabilities(
                "fork", List.of(new LrmCapabilities.Queue(settings.name(), null, null, null, null, most)));
    }

    @Override
    public LrmHealth health() {
        Map<String, String> troubles = new LinkedHashMap<>();
        stations.forEach((account, station) -> {
            if (!station.trouble().isEmpty()) {
                troubles.put(account, station.trouble());
            }
        });
        Duration lag = stations.values().stream()
                .map(Station::lag)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        String why = troubles.values().stream().limit(3).collect(Collectors.joining("; "));
        String more = troubles.size() > 3 ? "; and " + (troubles.size() - 3) + " more accounts" : "";
        boolean someServed = troubles.size() < stations.size();
        return new LrmHealth(troubles.isEmpty() || someServed, why + more, lag);
    }

    @Override
    public LrmHealth health(String account) {
        Station station = stations.get(account);
        return station == null
                ? new LrmHealth(true, "", Duration.ZERO)
                : new LrmHealth(station.trouble().isEmpty(), station.trouble(), station.lag());
    }

    /** Lets the workers go and saves the checkpoints. The jobs live on. */
    @Override
    public void close() {
        try {
            CompletableFuture.allOf(
                            stations.values().stream().map(Station::close).toArray(CompletableFuture[]::new))
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
