// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jobgate.access.Caller;
import org.jobgate.access.Jobs;
import org.jobgate.access.OwnedKind;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.store.Writes;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** What clients order for jobs that are there: start, cancel, purge, suspend, resume, another lease. What is ordered is on disk with the answer. */
final class JobOrders {

    private static final Set<CreamState> STARTED = EnumSet.of(
            CreamState.PENDING, CreamState.IDLE, CreamState.HELD, CreamState.RUNNING, CreamState.REALLY_RUNNING);

    /** Sandboxes that one request removes at the same time. */
    private static final int REMOVALS = 8;

    private final Jobs jobs;
    private final Selection selection;
    private final JobBook book;
    private final CommandLog log;
    private final Leases leases;
    private final Housekeeping housekeeping;
    private final CreamSettings settings;
    private final JobViews views;
    private final Clock clock;

    JobOrders(
            Jobs jobs,
            Selection selection,
            JobBook book,
            CommandLog log,
            Leases leases,
            Housekeeping housekeeping,
            CreamSettings settings,
            JobViews views,
            Clock clock) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.selection = requireNonNull(selection, "selection is null");
        this.book = requireNonNull(book, "book is null");
        this.log = requireNonNull(log, "log is null");
        this.leases = requireNonNull(leases, "leases is null");
        this.housekeeping = requireNonNull(housekeeping, "housekeeping is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.views = requireNonNull(views, "views is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** The states of a job in which the order can be given. CREAM refuses to cancel a job that is PENDING; here that works. */
    static Set<CreamState> allowed(Operation operation) {
        return switch (operation) {
            case START -> EnumSet.of(CreamState.REGISTERED);
            case CANCEL -> with(STARTED, CreamState.REGISTERED);
            case PURGE ->
                EnumSet.of(
                        CreamState.ABORTED,
                        CreamState.REGISTERED,
                        CreamState.CANCELLED,
                        CreamState.DONE_OK,
                        CreamState.DONE_FAILED);
            case SUSPEND -> EnumSet.of(CreamState.IDLE, CreamState.RUNNING, CreamState.REALLY_RUNNING);
            case RESUME -> EnumSet.of(CreamState.HELD);
            case SET_LEASE_ID -> STARTED;
            default -> throw new IllegalArgumentException(operation + " is no order for jobs");
        };
    }

    private static Set<CreamState> with(Set<CreamState> some, CreamState one) {
        Set<CreamState> all = EnumSet.copyOf(some);
        all.add(one);
        return all;
    }

    /** Carries out the order for the jobs that the request names; answers what became of each. */
    XmlContent answer(Operation operation, Caller caller, XmlElement request) {
        // asked first: sandboxes, leases and the log of orders are changed before the core, or without it
        caller.manage(OwnedKind.JOBS);
        XmlElement filterElement = operation == Operation.SET_LEASE_ID
                ? request.child("jobFilter")
                        .orElseThrow(() -> CreamFault.invalid(
                                operation.word(), "The request holds no jobFilter.", "Say which jobs are meant."))
                : request;
        JobFilter filter =
                JobFilter.read(operation.word(), filterElement, settings.jobs().jobsAtOnce());
        String newLease = operation == Operation.SET_LEASE_ID
                ? JobFilter.text(request, "newLeaseId").orElse(null)
                : null;
        List<Selection.Found> results = new ArrayList<>();
        List<Selection.Found> meant = new ArrayList<>();
        for (Selection.Found found : selection.find(caller, filter)) {
            if (found.fault() != null) {
                results.add(found);
            } else if (allowed(operation).contains(CreamState.of(found.theJob()))) {
                meant.add(found);
            } else if (!filter.ids().isEmpty()) {
                results.add(found.refused(filter.statusInvalid(found.theJob())));
            }
        }
        results.addAll(carryOut(operation, caller, filter, meant, newLease));
        List<Selection.Found> inOrder = ordered(filter, results);
        return out -> write(operation, inOrder, out);
    }

    private List<Selection.Found> carryOut(
            Operation operation,
            Caller caller,
            JobFilter filter,
            List<Selection.Found> meant,
            @Nullable String newLease) {
        return switch (operation) {
            case START -> start(caller, filter, meant);
            case CANCEL -> cancel(caller, filter, meant);
            case SUSPEND -> each(caller, filter, meant, jobs::suspend, Command.Name.JOB_SUSPEND);
            case RESUME -> each(caller, filter, meant, this::goOn, Command.Name.JOB_RESUME);
            case PURGE -> purge(caller, filter, meant);
            case SET_LEASE_ID -> changeLease(caller, filter, meant, newLease);
            default -> throw new IllegalArgumentException(operation + " is no order for jobs");
        };
    }

    private List<Selection.Found> start(Caller caller, JobFilter filter, List<Selection.Found> meant) {
        List<Optional<Job>> released = many(meant, ids -> jobs.releaseAll(caller, ids));
        List<Selection.Found> results = told(filter, meant, released, Command.Name.JOB_START);
        boolean isUnleased = meant.stream()
                .map(found -> found.theKept().lease())
                .anyMatch(lease ->
                        lease != null && leases.find(caller.subject(), lease).isEmpty());
        if (isUnleased) {
            housekeeping.cancelUnleased(caller.subject()); // its lease ended before it was started
        }
        return results;
    }

    /** Stores the canceller's name on disk before the job is cancelled, so that its end is never reported without it. */
    private List<Selection.Found> cancel(Caller caller, JobFilter filter, List<Selection.Found> meant) {
        await(meant.stream()
                .map(found -> log.add(found.theKept(), Command.Name.JOB_CANCEL, FailureTexts.BY_USER, null))
                .toList());
        List<Optional<Job>> cancelled = many(meant, ids -> jobs.cancelAll(caller, ids));
        List<Selection.Found> results = new ArrayList<>();
        for (int i = 0; i < meant.size(); i++) {
            results.add(
                    cancelled.get(i).isPresent() ? meant.get(i) : meant.get(i).refused(filter.unknown()));
        }
        return results;
    }

    /** As many at once as one call may name. */
    private List<Optional<Job>> many(List<Selection.Found> meant, Function<List<JobId>, List<Optional<Job>>> order) {
        int most = (int) Math.min(settings.jobs().jobsAtOnce().value(), 1_000);
        List<Optional<Job>> all = new ArrayList<>();
        for (int i = 0; i < meant.size(); i += most) {
            List<JobId> ids = meant.subList(i, Math.min(i + most, meant.size())).stream()
                    .map(found -> found.theJob().id())
                    .toList();
            all.addAll(order.apply(ids));
        }
        return all;
    }

    private List<Selection.Found> told(
            JobFilter filter, List<Selection.Found> meant, List<Optional<Job>> done, Command.Name name) {
        List<Selection.Found> results = new ArrayList<>();
        List<CompletableFuture<Void>> writes = new ArrayList<>();
        for (int i = 0; i < meant.size(); i++) {
            if (done.get(i).isPresent()) {
                writes.add(log.add(meant.get(i).theKept(), name, null, null));
                results.add(meant.get(i));
            } else {
                results.add(meant.get(i).refused(filter.unknown()));
            }
        }
        await(writes);
        return results;
    }

    private static void await(List<CompletableFuture<Void>> writes) {
        writes.forEach(Writes::await);
    }

    /** One after the other: each LRM says for itself whether it can. */
    private List<Selection.Found> each(
            Caller caller,
            JobFilter filter,
            List<Selection.Found> meant,
            BiFunction<Caller, JobId, Optional<Job>> order,
            Command.Name name) {
        List<Selection.Found> results = new ArrayList<>();
        for (Selection.Found found : meant) {
            try {
                boolean isThere = order.apply(caller, found.theJob().id()).isPresent();
                Writes.await(log.add(found.theKept(), name, null, null));
                results.add(isThere ? found : found.refused(filter.unknown()));
            } catch (FaultException e) {
                Writes.await(log.add(found.theKept(), name, null, e.fault().sentence()));
                results.add(found.refused(CreamFault.of(FaultKind.GENERIC, filter.operation(), e.fault())));
            }
        }
        return results;
    }

    /** HELD is what CREAM's clients see of a job that its LRM suspends, and of one that its owner holds, at whatever door. */
    private Optional<Job> goOn(Caller caller, JobId id) {
        boolean isHeld = jobs.find(caller, id).filter(Job::isHeld).isPresent();
        return isHeld ? jobs.release(caller, id) : jobs.resume(caller, id);
    }

    private List<Selection.Found> purge(Caller caller, JobFilter filter, List<Selection.Found> meant) {
        Semaphore places = new Semaphore(REMOVALS);
        try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Selection.Found>> all = meant.stream()
                    .map(found -> workers.submit(() -> {
                        places.acquire();
                        try {
                            return purge(caller, filter, found);
                        } finally {
                            places.release();
                        }
                    }))
                    .toList();
            List<Selection.Found> results = new ArrayList<>();
            for (Future<Selection.Found> one : all) {
                results.add(one.get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the purge was interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a job could not be purged", e.getCause());
        }
    }

    private Selection.Found purge(Caller caller, JobFilter filter, Selection.Found found) {
        try {
            housekeeping.purge(caller, found.theJob(), found.theKept());
            return found;
        } catch (FaultException e) {
            return found.refused(CreamFault.of(FaultKind.GENERIC, filter.operation(), e.fault()));
        }
    }

    private List<Selection.Found> changeLease(
            Caller caller, JobFilter filter, List<Selection.Found> meant, @Nullable String newLease) {
        String owner = caller.subject();
        if (newLease != null && leases.find(owner, newLease).isEmpty()) {
            CreamFault why = new CreamFault(
                    FaultKind.LEASE_MISMATCH,
                    filter.operation(),
                    "lease \"" + CreamNames.shown(newLease) + "\" not found!",
                    "None of yours has this id. Make it with setLease.");
            return meant.stream().map(found -> found.refused(why)).toList();
        }
        List<CompletableFuture<Void>> writes = new ArrayList<>();
        for (Selection.Found found : meant) {
            writes.add(book.put(found.theKept().withLease(newLease)));
            writes.add(log.add(found.theKept(), Command.Name.JOB_SET_LEASEID, newLease, null));
        }
        await(writes);
        if (newLease != null && leases.find(owner, newLease).isEmpty()) {
            housekeeping.cancelUnleased(owner);
        }
        return meant;
    }

    /** Takes the jobs of a lease out of it, before it is forgotten, however many the owner has. */
    void detach(Caller caller, String lease) {
        selection.eachLive(caller, page -> {
            List<CompletableFuture<Void>> writes = new ArrayList<>();
            for (Job job : page) {
                book.of(job.id())
                        .filter(kept -> lease.equals(kept.lease()))
                        .ifPresent(kept -> writes.add(book.put(kept.withLease(null))));
            }
            await(writes);
        });
    }

    private void write(Operation operation, List<Selection.Found> results, XmlWriter out) {
        out.open(CreamNames.types(operation.word() + "Response"));
        for (Selection.Found result : results) {
            out.open(CreamNames.types("result"));
            views.jobId(out, "jobId", result.id());
            CreamFault fault = result.fault();
            if (fault != null) {
                fault.write(out, clock.instant());
            }
            out.close();
        }
        out.close();
    }

    /** In the order in which the request names them. */
    private static List<Selection.Found> ordered(JobFilter filter, List<Selection.Found> results) {
        if (filter.ids().isEmpty()) {
            return results;
        }
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < filter.ids().size(); i++) {
            String id = filter.ids().get(i).id();
            places.putIfAbsent(CreamIds.read(id).orElse(CreamNames.shown(id)), i);
        }
        return results.stream()
                .sorted(Comparator.comparingInt(found -> places.getOrDefault(found.id(), Integer.MAX_VALUE)))
                .toList();
    }
}
