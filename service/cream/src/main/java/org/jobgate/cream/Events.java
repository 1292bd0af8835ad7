// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jobgate.access.Caller;
import org.jobgate.access.Jobs;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.store.Change;
import org.jobgate.store.OwnerChanges;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/**
 * {@code QueryEvent}: what happened to the caller's jobs, read from the stream of changes. The number of an event is that of the change, so a
 * client goes on where it was also after a restart of the service.
 */
final class Events {

    private static final String OPERATION = "QueryEvent";
    private static final String JOB_STATUS = "JOB_STATUS";
    private static final int PAGE = 1_000;
    private static final int USUAL = 100;
    private static final int REMEMBERED = 5_000;

    private final Jobs jobs;
    private final JobBook book;
    private final CreamIds ids;
    private final CreamSettings settings;
    private final Clock clock;

    Events(Jobs jobs, JobBook book, CreamIds ids, CreamSettings settings, Clock clock) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.book = requireNonNull(book, "book is null");
        this.ids = requireNonNull(ids, "ids is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * Which events are wanted.
     *
     * @param first number of an event
     * @param last number of an event
     */
    private record Wanted(
            long first,
            long last,
            @Nullable Instant from,
            @Nullable Instant to,
            int most,
            Set<CreamState> states) {

        boolean takes(CreamState.Entry entry) {
            Instant at = entry.change().at();
            return (states.isEmpty() || states.contains(entry.state()))
                    && (from == null || !at.isBefore(from))
                    && (to == null || !at.isAfter(to));
        }
    }

    /** The jobs that were met last: an owner may have had any number of them. */
    private static final class LastJobs extends LinkedHashMap<JobId, Optional<Known>> {

        private static final long serialVersionUID = 1L;

        LastJobs() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<JobId, Optional<Known>> eldest) {
            return size() > REMEMBERED;
        }
    }

    /** One event, of a job as it stands now. */
    private record Event(CreamState.Entry entry, Job job, CreamJob kept) {}

    /** A job and the states that it came to, by the changes that brought them. */
    private record Known(Job job, CreamJob kept, Map<Long, CreamState.Entry> entries) {}

    /** Answers the request. */
    XmlContent answer(Caller caller, XmlElement request) {
        Instant began = clock.instant();
        List<Event> events = find(caller, wanted(request));
        long millis = Math.max(Duration.between(began, clock.instant()).toMillis(), 0);
        String database = ids.database();
        return out -> {
            out.open(CreamNames.types("QueryEventResult"));
            events.forEach(event -> write(out, event));
            out.element(CreamNames.types("queryExecutionTimeInMillis"), Long.toString(millis));
            out.element(CreamNames.types("dbId"), database);
            out.close();
        };
    }

    private Wanted wanted(XmlElement request) {
        String type = JobFilter.text(request, "eventType").orElse(JOB_STATUS);
        if (!type.equals(JOB_STATUS)) {
            throw CreamFault.invalid(
                    OPERATION,
                    "There are no events of the type " + CreamNames.shown(type) + ".",
                    "Ask for JOB_STATUS.");
        }
        long most = number(request, "maxQueryEventResultSize", USUAL);
        if (most < 1) {
            throw CreamFault.invalid(OPERATION, "maxQueryEventResultSize is " + most + ".", "Ask for 1 or more.");
        }
        Set<CreamState> states = EnumSet.noneOf(CreamState.class);
        for (XmlElement child : request.children()) {
            if (child.localName().equals("property")
                    && JobFilter.text(child, "name").orElse("").equalsIgnoreCase("status")) {
                String state = JobFilter.text(child, "value").orElse("");
                states.add(CreamState.of(state)
                        .orElseThrow(() -> CreamFault.invalid(
                                OPERATION,
                                "There is no state '" + CreamNames.shown(state) + "'.",
                                "Name a state of CREAM, e.g. DONE-OK.")));
            }
        }
        return new Wanted(
                number(request, "fromEventId", 0),
                number(request, "toEventId", Long.MAX_VALUE),
                time(request, "fromDate"),
                time(request, "toDate"),
                (int) Math.min(most, settings.eventsAtOnce().value()),
                states);
    }

    private static @Nullable Instant time(XmlElement request, String name) {
        return JobFilter.text(request, name)
                .map(text -> CreamNames.time(OPERATION, name, text))
                .orElse(null);
    }

    /** Some clients write -1 for none. */
    private static long number(XmlElement request, String name, long absent) {
        Optional<String> text = JobFilter.text(request, name);
        try {
            return text.map(Long::parseLong).filter(value -> value >= 0).orElse(absent);
        } catch (NumberFormatException e) {
            throw CreamFault.invalid(
                    OPERATION,
                    name + " is no number: '" + CreamNames.shown(text.orElse("")) + "'.",
                    "Send the number of an event.");
        }
    }

    private List<Event> find(Caller caller, Wanted wanted) {
        List<Event> events = new ArrayList<>();
        Map<JobId, Optional<Known>> known = new LastJobs();
        long end = jobs.lastChange();
        long cursor = Math.max(wanted.first() - 1, 0);
        if (cursor >= end) {
            // the policy is asked also where nothing is told
            jobs.live(caller);
            return events;
        }
        OwnerChanges page = first(caller, cursor, end);
        while (true) {
            for (Change change : page.changes()) {
                if (change.sequence() > wanted.last()) {
                    return events;
                }
                known.computeIfAbsent(change.job(), id -> known(caller, id))
                        .flatMap(job -> event(job, change))
                        .filter(event -> wanted.takes(event.entry()))
                        .ifPresent(events::add);
                if (events.size() == wanted.most()) {
                    return events;
                }
            }
            if (page.isCaughtUp() || page.cursor() >= end) {
                return events;
            }
            page = jobs.changes(caller, page.cursor(), PAGE);
        }
    }

    /**
     * The first page. What was forgotten with purged jobs is left out: its jobs are not there any more, and a client that was away for long is told of all
     * others.
     */
    private OwnerChanges first(Caller caller, long cursor, long end) {
        Optional<OwnerChanges> page = page(caller, cursor, PAGE);
        long gone = cursor;
        long kept = end;
        while (page.isEmpty() && kept - gone > 1) {
            long middle = gone + (kept - gone) / 2;
            if (page(caller, middle, 1).isPresent()) {
                kept = middle;
            } else {
                gone = middle;
            }
        }
        return page.isPresent() ? page.get() : jobs.changes(caller, kept, PAGE);
    }

    private Optional<OwnerChanges> page(Caller caller, long cursor, int limit) {
        try {
            return Optional.of(jobs.changes(caller, cursor, limit));
        } catch (FaultException e) {
            if (e.fault().code() == FaultCode.CURSOR_EXPIRED) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Optional<Known> known(Caller caller, JobId id) {
        return book.of(id)
                .flatMap(kept -> jobs.find(caller, id).map(job -> {
                    Map<Long, CreamState.Entry> entries = new HashMap<>();
                    for (CreamState.Entry entry :
                            CreamState.history(job, jobs.history(caller, id).orElse(List.of()))) {
                        entries.put(entry.change().sequence(), entry);
                    }
                    return new Known(job, kept, entries);
                }));
    }

    private static Optional<Event> event(Known known, Change change) {
        return Optional.ofNullable(known.entries().get(change.sequence()))
                .map(entry -> new Event(entry, known.job(), known.kept()));
    }

    private static void write(XmlWriter out, Event event) {
        CreamState state = event.entry().state();
        out.open(CreamNames.types("event"));
        out.element(CreamNames.types("id"), Long.toString(event.entry().change().sequence()));
        out.element(CreamNames.types("type"), JOB_STATUS);
        out.element(
                CreamNames.types("timestamp"),
                CreamNames.time(event.entry().change().at()));
        JobViews.property(out, "jobId", event.kept().id());
        JobViews.property(out, "type", Integer.toString(state.number()));
        String gridJob = event.kept().gridJob();
        if (gridJob != null) {
            JobViews.property(out, "gridJobId", gridJob);
        }
        if (state.isTerminal()) {
            event.job()
                    .settledOutcome()
                    .map(JobOutcome::exitCode)
                    .ifPresent(code -> JobViews.property(out, "exitCode", Integer.toString(code)));
            FailureTexts.reason(event.job()).ifPresent(reason -> JobViews.property(out, "failureReason", reason));
        }
        out.close();
    }
}
