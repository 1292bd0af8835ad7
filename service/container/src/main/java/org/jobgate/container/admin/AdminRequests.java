// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.admin;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jobgate.engine.JobEngine;
import org.jobgate.engine.WorkQueue;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.store.JobQuery;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;

/** What the administrator's requests do, whatever carries them. */
final class AdminRequests {

    private static final int DEFAULT_PAGE = 100;
    private static final int MAX_PAGE = 1000;
    private static final int WHOLE_ID = 36;

    /** How many jobs are named where a part of an id fits several. */
    private static final int CANDIDATES = 10;

    private static final int MAX_WORKERS = 256;
    private static final Pattern JOB = Pattern.compile("/jobs/([^/]+)(/cancel)?");
    private static final Pattern RECORDED = Pattern.compile("/audit/jobs/([0-9A-Fa-f-]{1,64})");
    private static final Pattern LRM = Pattern.compile("/lrms/([A-Za-z0-9_.-]{1,64})");
    private static final String TRANSFERS = "transfers";
    private static final Pattern POOL = Pattern.compile("/pools/([A-Za-z]+)");

    private final ServiceControl service;
    private final JobEngine engine;
    private final TransferPool transfers;
    private final JobStore store;
    private final LrmRequests lrms;
    private final AuthzRequests authz;
    private final AuditRequests audit;
    private final BackupRequests backups;

    AdminRequests(
            ServiceControl service,
            JobEngine engine,
            TransferPool transfers,
            JobStore store,
            AuthzRequests authz,
            AuditRequests audit,
            BackupRequests backups) {
        this.transfers = requireNonNull(transfers, "transfers is null");
        this.service = requireNonNull(service, "service is null");
        this.engine = requireNonNull(engine, "engine is null");
        this.store = requireNonNull(store, "store is null");
        this.lrms = new LrmRequests(engine);
        this.authz = requireNonNull(authz, "authz is null");
        this.audit = requireNonNull(audit, "audit is null");
        this.backups = requireNonNull(backups, "backups is null");
    }

    /**
     * Does what is asked and answers what is to be shown.
     *
     * @param parameter the query's parameter of a name, if it was given
     * @param body empty if there was none
     * @throws AdminFault if it cannot be done
     */
    Object answer(String method, String path, Function<String, @Nullable String> parameter, String body) {
        Matcher job = JOB.matcher(path);
        Matcher pool = POOL.matcher(path);
        Matcher lrm = LRM.matcher(path);
        Matcher recorded = RECORDED.matcher(path);
        return switch (method + " " + path) {
            case "GET /status" -> service.status();
            case "GET /jobs" -> jobs(parameter);
            case "GET /pools" -> pools();
            case "GET /lrms" -> lrms.all();
            case "GET /audit/jobs" -> audit.jobs(parameter);
            case "GET /audit/verify" -> audit.verify();
            case "GET /restore" -> backups.report();
            case "POST /backup" -> backups.make(parameter);
            case "GET /audit/acts" -> audit.acts(parameter);
            case "GET /audit/usage" -> audit.usage().totals(parameter);
            case "GET /audit/usage/records" -> audit.usage().records(parameter);
            case "GET /audit/usage/month" -> audit.usage().month(parameter);
            case "POST /authz/explain" -> authz.explain(parameter, body);
            case "POST /drain" -> ordered(service::drain);
            case "POST /resume" -> ordered(service::resume);
            case "POST /stop" -> ordered(service::stop);
            default -> {
                if (job.matches() && method.equals(job.group(2) == null ? "GET" : "POST")) {
                    yield job.group(2) == null ? show(job.group(1)) : cancel(job.group(1), parameter.apply("reason"));
                }
                if (recorded.matches() && method.equals("GET")) {
                    yield audit.job(recorded.group(1));
                }
                if (lrm.matches()) {
                    yield method.equals("POST") ? lrms.change(lrm.group(1), parameter) : lrms.show(lrm.group(1));
                }
                if (pool.matches() && method.equals("POST")) {
                    yield resize(pool.group(1), parameter.apply("workers"));
                }
                throw new AdminFault(
                        404,
                        "NOT_FOUND",
                        "There is no " + method + " " + path + ".",
                        "See docs/operate/configuration.md.");
            }
        };
    }

    private Object ordered(Runnable order) {
        order.run();
        return service.status();
    }

    private Object jobs(Function<String, @Nullable String> parameter) {
        String state = parameter.apply("state");
        String after = parameter.apply("after");
        boolean finished = "true".equals(parameter.apply("finished"));
        JobQuery query = JobQuery.builder()
                .subject(parameter.apply("subject"))
                .lrm(parameter.apply("lrm"))
                .account(parameter.apply("account"))
                .states(state == null ? Set.of() : Set.of(StateWord.parse(state)))
                .finished(finished || (state != null && StateWord.parse(state).isTerminal()))
                .after(after == null ? null : named(after))
                .limit(number("limit", parameter.apply("limit"), DEFAULT_PAGE, MAX_PAGE))
                .newestFirst()
                .build();
        List<Map<String, Object>> found =
                store.list(query).stream().map(JobView::summary).toList();
        return Map.of("jobs", found);
    }

    private Object show(String id) {
        Job job = existing(id);
        return JobView.full(job, store.description(job.id()).orElse(null), store.changesOf(job.id()));
    }

    private Object cancel(String id, @Nullable String reason) {
        Job job = existing(id);
        String why = reason == null ? "" : reason;
        return JobView.summary(engine.cancelAsAdministrator(job.id(), why).orElseThrow(() -> noSuchJob(id)));
    }

    /** By its whole id, or by a part of it that no other job's id begins or ends with. */
    private Job existing(String id) {
        return engine.find(named(id)).orElseThrow(() -> noSuchJob(id));
    }

    private JobId named(String id) {
        String digits = id.toLowerCase(Locale.ROOT).replace("-", "");
        return id.length() != WHOLE_ID && digits.matches("[0-9a-f]{4,32}") ? only(id, digits) : jobId(id);
    }

    private JobId only(String part, String digits) {
        List<JobId> found = store.findByPart(digits, CANDIDATES + 1);
        if (found.isEmpty()) {
            throw noSuchJob(part);
        }
        if (found.size() > 1) {
            String shown = found.stream().limit(CANDIDATES).map(JobId::toString).collect(Collectors.joining(", "));
            throw new AdminFault(
                    409,
                    "AMBIGUOUS",
                    (found.size() > CANDIDATES ? "More than " + CANDIDATES : found.size())
                            + " jobs have an id that begins or ends with " + part + ": " + shown
                            + (found.size() > CANDIDATES ? ", ..." : "") + ".",
                    "Give more of the id; the ends differ more than the beginnings.");
        }
        return found.getFirst();
    }

    private static AdminFault noSuchJob(String id) {
        return new AdminFault(
                404, "NOT_FOUND", "There is no job " + id + ".", "It may have been purged; see store.keepFinished.");
    }

    private static JobId jobId(String text) {
        try {
            return JobId.parse(text);
        } catch (IllegalArgumentException e) {
            throw AdminFault.badRequest(
                    "This is no job's id, and no beginning or end of one of at least four digits: " + text + ".",
                    "jobgate job list shows the ids.");
        }
    }

    private Object pools() {
        List<Map<String, Object>> views = new ArrayList<>();
        engine.pools().values().forEach(pool -> views.add(view(pool)));
        if (transfers.isThere()) {
            views.add(view(transfers.figures()));
        }
        return Map.of("pools", views);
    }

    private Object resize(String name, @Nullable String workers) {
        WorkQueue pool = engine.pools().get(name);
        boolean isTransfers = name.equals(TRANSFERS) && transfers.isThere();
        if (pool == null && !isTransfers) {
            throw new AdminFault(
                    404,
                    "NOT_FOUND",
                    "There is no pool " + name + ".",
                    "The pools are " + String.join(", ", engine.pools().keySet())
                            + (transfers.isThere() ? ", " + TRANSFERS : "") + ".");
        }
        if (workers == null) {
            throw AdminFault.badRequest("The number of workers is missing.", "Add ?workers=N.");
        }
        int wanted = number("workers", workers, 1, MAX_WORKERS);
        if (pool == null) {
            transfers.resize(wanted);
            return view(transfers.figures());
        }
        pool.resize(wanted);
        return view(pool);
    }

    /** Its workers are the transfers that may be on their way at once. */
    private static Map<String, Object> view(TransferPool.Figures figures) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("name", TRANSFERS);
        view.put("workers", figures.most());
        view.put("busy", figures.active());
        view.put("waiting", figures.waiting());
        return view;
    }

    private static Map<String, Object> view(WorkQueue pool) {
        WorkQueue.Figures figures = pool.figures();
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("name", figures.name());
        view.put("workers", figures.workers());
        view.put("busy", figures.busy());
        view.put("waiting", figures.queued());
        view.put("waitingMax", figures.queueLimit());
        view.put("owners", figures.owners());
        view.put("batches", figures.batches());
        return view;
    }

    /** A number of the query; the usual one where it is absent. */
    static int number(String name, @Nullable String text, int byDefault, int max) {
        if (text == null) {
            return byDefault;
        }
        if (!text.matches("\\d{1,6}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > max) {
            throw AdminFault.badRequest(
                    name + " is " + text + "; it must be a number from 1 to " + max + ".", "Change it.");
        }
        return Integer.parseInt(text);
    }
}
