// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.access.Caller;
import org.jobgate.access.Jobs;
import org.jobgate.door.DoorAddresses;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.limits.Limit;
import org.jobgate.limits.Places;
import org.jobgate.store.JobQuery;
import org.jspecify.annotations.Nullable;

/** What is done with jobs that are there, of many at once. Answers stand in the order of the request, and are written while later jobs are still looked up. */
final class JobOperations {

    private static final JobQuery OWN =
            JobQuery.all().toBuilder().door(DoorAddresses.ARC).exceptGone().build();

    /** A list of more bytes, or of an unknown number, is held in memory with others of its kind only. */
    private static final long SHORT_LIST = 1024 * 1024;

    /** A list of 64 MiB takes some 48 MiB while it is answered. */
    private static final int LONG_LISTS = 4;

    private static final int OWN_LONG_LISTS = 2;

    private final Places longLists =
            new Places(new Limit("long lists", LONG_LISTS), new Limit("long lists of one owner", OWN_LONG_LISTS));
    private final Jobs jobs;
    private final SessionRecords sessions;
    private final ActivityInfo info;
    private final SessionSweeper sweeper;
    private final CleanedJobs cleaned;
    private final Restarts restarts;
    private final ArcSettings settings;

    JobOperations(
            Jobs jobs,
            SessionRecords sessions,
            ActivityInfo info,
            SessionSweeper sweeper,
            CleanedJobs cleaned,
            Restarts restarts,
            ArcSettings settings) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.sessions = requireNonNull(sessions, "sessions is null");
        this.info = requireNonNull(info, "info is null");
        this.sweeper = requireNonNull(sweeper, "sweeper is null");
        this.cleaned = requireNonNull(cleaned, "cleaned is null");
        this.restarts = requireNonNull(restarts, "restarts is null");
        this.settings = requireNonNull(settings, "settings is null");
    }

    /** All jobs of the caller; with {@code state=A,B} those in these states, with their states. */
    void list(ArcCall call) throws IOException, ArcRefusal {
        Optional<String> filter = call.query("state");
        Set<String> wanted = filter.stream()
                .flatMap(states -> Stream.of(states.split(",", 64)))
                .map(String::strip)
                .collect(Collectors.toSet());
        // refused before the answer begins
        List<Job> first = jobs.list(call.caller(), OWN);
        call.list(200, "jobs", "job", sink -> {
            List<Job> page = first;
            while (true) {
                for (Job job : page) {
                    Optional<JobId> known =
                            cleaned.contains(job.id()) ? Optional.empty() : restarts.known(call.caller(), job);
                    String state = filter.isEmpty() || known.isEmpty()
                            ? ""
                            : state(job).rest();
                    if (known.isPresent() && filter.isEmpty()) {
                        sink.put(Element.of("job", List.of(id(known.get().toString()))));
                    } else if (known.isPresent() && wanted.contains(state)) {
                        sink.put(Element.of("job", List.of(id(known.get().toString()), Element.leaf("state", state))));
                    }
                }
                if (page.size() < OWN.limit()) {
                    return;
                }
                page = jobs.list(call.caller(), OWN.next(page.getLast().id()));
            }
        });
    }

    private static Element id(String id) {
        return Element.leaf("id", id);
    }

    /** As {@link ActivityInfo#state}; only of a few jobs more than the job itself must be read for it. */
    private ArcState state(Job job) {
        if (cleaned.contains(job.id())) {
            return CleanedJobs.WIPED;
        }
        return Restarts.mayBeReplaced(job)
                ? sessions.find(job.id())
                        .map(session -> ActivityInfo.state(job, session))
                        .orElseGet(() -> ArcState.of(job))
                : ArcState.of(job);
    }

    /** What is done with a page of jobs; answers those that are the caller's, by their ids. */
    @FunctionalInterface
    private interface Pages {
        Map<JobId, Job> of(List<JobId> ids);
    }

    /** What is answered for one of them. */
    @FunctionalInterface
    private interface Answer {
        Element of(String id, Job job);
    }

    void act(ArcCall call, String action) throws IOException, ArcRefusal {
        Caller caller = call.caller();
        switch (action) {
            case "status" ->
                each(
                        call,
                        ids -> newest(caller, ids),
                        (id, job) -> answer(
                                200,
                                "OK",
                                id,
                                List.of(Element.leaf("state", state(job).rest()))));
            case "info" -> each(call, ids -> newest(caller, ids), (id, job) -> told(caller, id, job));
            case "delegations" -> each(call, ids -> newest(caller, ids), (id, job) -> delegations(caller, id, job));
            case "kill" ->
                each(
                        call,
                        ids -> {
                            Map<JobId, Job> newest = newest(caller, ids);
                            jobs.cancelAll(
                                    caller,
                                    newest.values().stream()
                                            .map(Job::id)
                                            .distinct()
                                            .toList());
                            return newest;
                        },
                        (id, job) -> answer(202, "Queued for killing", id, List.of()));
            case "clean" ->
                each(call, ids -> destroyed(caller, ids), (id, job) -> {
                    if (!cleaned.contains(job.id())) {
                        sweeper.cleaned(job);
                    }
                    return answer(202, "Queued for cleaning", id, List.of());
                });
            case "restart" ->
                each(
                        call,
                        ids -> newest(caller, ids),
                        (id, job) -> cleaned.contains(job.id()) ? unknown(id) : restarts.restart(caller, id, job));
            default ->
                throw new ArcRefusal(
                        501,
                        "There is no action '" + action + "' for jobs.",
                        "There are new, info, status, kill, clean, restart and delegations.");
        }
    }

    /** The newest attempts of those jobs that came by this door: it must not end jobs of other doors. */
    private Map<JobId, Job> newest(Caller caller, List<JobId> ids) {
        return restarts.newest(caller, found(jobs.findAll(caller, ids)));
    }

    private Map<JobId, Job> destroyed(Caller caller, List<JobId> ids) {
        Map<JobId, Job> found = found(jobs.findAll(caller, ids));
        Map<JobId, Job> newest = restarts.newest(caller, found);
        Map<JobId, Job> goAtOnce = new LinkedHashMap<>(found);
        goAtOnce.keySet().removeIf(id -> staysWhenCleaned(id, requireNonNull(newest.get(id))));
        // asks whether the caller may do so, also where none goes
        jobs.destroyAll(caller, restarts.all(caller, goAtOnce));
        cleaned.addAll(
                caller.subject(),
                newest.entrySet().stream()
                        .filter(job -> !goAtOnce.containsKey(job.getKey()))
                        .map(Map.Entry::getValue)
                        .toList());
        return newest;
    }

    /** One that was restarted has attempts of which none is the job of the key, and goes with all of them. */
    private boolean staysWhenCleaned(JobId id, Job newest) {
        return newest.id().equals(id) && cleaned.wouldStay(newest);
    }

    private static Map<JobId, Job> found(List<Optional<Job>> answers) {
        Map<JobId, Job> found = new LinkedHashMap<>();
        answers.forEach(answer -> answer.filter(job -> job.key().door().equals(DoorAddresses.ARC))
                .ifPresent(job -> found.put(job.id(), job)));
        return found;
    }

    private void each(ArcCall call, Pages pages, Answer answer) throws IOException, ArcRefusal {
        long length = call.request().getContentLengthLong();
        if (length >= 0 && length <= SHORT_LIST) {
            each(
                    call,
                    pages,
                    answer,
                    IdReader.read(
                            call.body(settings.idListBytes()), call.request().getContentType()));
            return;
        }
        Places.Entry entry = longLists.enter(call.caller().subject());
        try (Places.Place place = entry.place()) {
            if (place == null) {
                throw new ArcRefusal(
                        429,
                        "Other long lists of jobs are being answered; of one owner there may be " + OWN_LONG_LISTS
                                + " at once, of all " + LONG_LISTS + ".",
                        "Ask again when an answer has come, or name fewer jobs in one request.");
            }
            each(
                    call,
                    pages,
                    answer,
                    IdReader.read(
                            call.body(settings.idListBytes()), call.request().getContentType()));
        }
    }

    private void each(ArcCall call, Pages pages, Answer answer, IdList ids) throws IOException, ArcRefusal {
        int step = settings.jobsAtOnce();
        // refused before the answer begins
        Map<JobId, Job> first = page(pages, ids, 0, step);
        call.list(201, "jobs", "job", sink -> {
            Map<JobId, Job> found = first;
            for (int i = 0; i < ids.size(); i++) {
                if (i > 0 && i % step == 0) {
                    found = page(pages, ids, i, i + step);
                }
                Job job = ids.id(i).map(found::get).orElse(null);
                if (ids.isWithout(i)) {
                    sink.put(answer(400, "The job of this place in the list has no id.", null, List.of()));
                } else {
                    sink.put(job == null ? unknown(ids.text(i)) : said(answer, ids.text(i), job));
                }
            }
        });
    }

    private static Map<JobId, Job> page(Pages pages, IdList ids, int from, int to) {
        List<JobId> some =
                ids.between(from, Math.min(to, ids.size())).stream().distinct().toList();
        return some.isEmpty() ? new HashMap<>() : pages.of(some);
    }

    /** A refusal of one job does not affect the others. */
    private static Element said(Answer answer, String id, Job job) {
        try {
            return answer.of(id, job);
        } catch (FaultException e) {
            Fault fault = e.fault();
            return answer(ArcRefusal.status(fault), (fault.sentence() + " " + fault.remedy()).strip(), id, List.of());
        }
    }

    static Element unknown(String id) {
        return answer(404, "Job not found", id, List.of(Element.leaf("state", "None")));
    }

    static Element answer(int status, String reason, @Nullable String id, List<Element> more) {
        List<Element> children = new ArrayList<>();
        children.add(Element.leaf("status-code", Integer.toString(status)));
        children.add(Element.leaf("reason", reason));
        if (id != null) {
            children.add(id(id));
        }
        children.addAll(more);
        return Element.of("job", children);
    }

    private Element told(Caller caller, String id, Job job) {
        JobDescription description = jobs.description(caller, job.id()).orElse(null);
        Session session = sessions.find(job.id()).orElse(null);
        if (description == null || session == null) {
            return unknown(id);
        }
        Element activity = info.of(job, description, session, cleaned.state(job, ActivityInfo.state(job, session)));
        return answer(200, "OK", id, List.of(Element.of("info_document", List.of(activity))));
    }

    private Element delegations(Caller caller, String id, Job job) {
        List<Element> named = jobs.description(caller, job.id()).flatMap(ActivityInfo::delegation).stream()
                .map(key -> Element.leaf("delegation_id", key))
                .toList();
        return answer(200, "OK", id, named);
    }
}
