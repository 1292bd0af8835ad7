// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.job.JobId;
import org.jobgate.job.Reason;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.lrm.LrmUse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks LRMs, some time after jobs have ended, what their accounting says that these used, where all that is known of it is the jobs' own
 * word, or where nothing is known of jobs that ran: these have taken their own word away, or did not come to say it. An accounting may be behind by some minutes, so a job is asked for again, less and less often, until an hour after its end. Jobs of
 * one LRM and account are asked for in one question. Ends never wait for it.
 */
final class LateUse implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LateUse.class);

    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final int JOBS_PER_QUESTION = 200;

    /** Each half by an index of its own, so that other rows, with their descriptions, are not read for it. */
    private static final String WAITING = "SELECT job, lrm, account, local_ids, ended FROM audit_job"
            + " WHERE measured_by = 'JOB' AND ended >= ?"
            + " UNION ALL SELECT job, lrm, account, local_ids, ended FROM audit_job"
            + " WHERE ended >= ? AND cpu_ms IS NULL AND measured_by IS DISTINCT FROM 'JOB' AND local_ids IS NOT NULL"
            + " AND (wall_ms > 0 OR started IS NOT NULL)";

    private final AuditDatabase database;
    private final Map<String, Lrm> lrms = new HashMap<>();
    private final AuditRecorder news;
    /** For jobs whose use the LRM did not know when asked: when to ask again, in milliseconds since 1970. */
    private final Map<String, Long> next = new HashMap<>();

    private final Thread thread = Thread.ofVirtual().name("jobgate-audit-use").unstarted(this::run);
    private volatile boolean isClosed;

    LateUse(AuditDatabase database, Collection<? extends Lrm> lrms, AuditRecorder news) {
        this.database = database;
        lrms.forEach(lrm -> this.lrms.put(lrm.name(), lrm));
        this.news = news;
    }

    private record Group(String lrm, String account) {}

    private record Ended(String job, List<String> localIds, long at) {}

    void start() {
        thread.start();
    }

    private void run() {
        while (!isClosed) {
            try {
                Thread.sleep(EVERY);
                round(Instant.now());
            } catch (InterruptedException e) {
                return;
            } catch (SQLException | RuntimeException | Error e) {
                LOG.warn("The LRMs were not asked what jobs used; it is tried again: {}", Reason.of(e));
            }
        }
    }

    /** Asks once for each LRM and account that has jobs to be asked for. */
    void round(Instant now) throws SQLException {
        Map<Group, List<Ended>> groups = waiting(now);
        for (Map.Entry<Group, List<Ended>> group : groups.entrySet()) {
            Lrm lrm = lrms.get(group.getKey().lrm());
            List<Ended> some = group.getValue();
            if (lrm == null || isClosed) {
                continue;
            }
            try {
                ask(lrm, group.getKey().account(), some, now);
            } catch (LrmUnavailableException e) {
                some.forEach(job -> later(job, now));
                LOG.info(
                        "{} does not say what jobs of {} used; it is asked again: {}",
                        lrm.name(),
                        group.getKey().account(),
                        Reason.of(e));
            }
        }
    }

    /** At most as many of each group as one question has, so that the jobs of one account keep no others from being asked for. */
    private Map<Group, List<Ended>> waiting(Instant now) throws SQLException {
        Map<Group, List<Ended>> groups = new LinkedHashMap<>();
        long oldest = now.minus(LONGEST).toEpochMilli();
        try (Connection reader = database.reader();
                PreparedStatement select = reader.prepareStatement(WAITING)) {
            select.setLong(1, oldest);
            select.setLong(2, oldest);
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    String ids = found.getString("local_ids");
                    Ended job = new Ended(
                            found.getString("job"),
                            ids == null ? List.of() : List.of(ids.split(",")),
                            found.getLong("ended"));
                    if (next.getOrDefault(job.job(), 0L) <= now.toEpochMilli()) {
                        List<Ended> some = groups.computeIfAbsent(
                                new Group(found.getString("lrm"), found.getString("account")),
                                group -> new ArrayList<>());
                        if (some.size() < JOBS_PER_QUESTION) {
                            some.add(job);
                        }
                    }
                }
            }
        }
        next.values().removeIf(at -> at < oldest);
        return groups;
    }

    private void ask(Lrm lrm, String account, List<Ended> jobs, Instant now) throws LrmUnavailableException {
        Map<JobId, LrmUse> used = lrm.used(
                account,
                jobs.stream()
                        .map(job -> new Lrm.LrmJob(JobId.parse(job.job()), job.localIds()))
                        .toList());
        for (Ended job : jobs) {
            LrmUse use = used.get(JobId.parse(job.job()));
            later(job, now);
            if (use != null) {
                news.add(
                        AuditRecorder.entry(job.job(), AuditEntry.Kind.USED, AuditRow.used(use)),
                        why -> why.ifPresent(text ->
                                LOG.info("What {} used is not recorded; its LRM is asked again: {}", job.job(), text)));
            }
        }
    }

    /** As long after now as it is after the end of the job. */
    private void later(Ended job, Instant now) {
        long wait = Math.max(EVERY.toMillis(), now.toEpochMilli() - job.at());
        next.put(job.job(), now.toEpochMilli() + wait);
    }

    @Override
    public void close() {
        isClosed = true;
        thread.interrupt();
    }
}
