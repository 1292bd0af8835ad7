// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jobgate.access.SenderRecord;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.store.Change;
import org.jobgate.store.CreatedJob;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;

/**
 * Makes the entries of changes, no more at once than one transaction is to write. Descriptions may be large: few are in memory at a time.
 * For the recording thread only.
 */
final class AuditSlices {

    /** Characters of entries in one transaction, after which the next begins; one entry may be longer. */
    private static final int MOST_TEXT = 4 * 1024 * 1024;

    /** Descriptions that are read at once. */
    private static final int MOST_DESCRIPTIONS = 16;

    private final JobStore store;
    private final AuditSettings settings;
    private final AuditLog log;
    private final FreshJobs fresh;
    private final StateTimes times;

    /** @param fresh jobs that were just stored: what is known of them is not read again */
    AuditSlices(JobStore store, AuditSettings settings, AuditLog log, FreshJobs fresh) {
        this.store = store;
        this.settings = settings;
        this.log = log;
        this.fresh = fresh;
        this.times = new StateTimes(store);
    }

    /** What one transaction writes: the entries, and up to which change. */
    record Slice(List<AuditLog.News> news, long upTo) {}

    /** The entries of these changes, or of the first of them where all would be too much at once. */
    Slice of(List<Change> changes) throws SQLException {
        List<Change> telling =
                changes.stream().filter(change -> kind(change) != null).toList();
        Set<JobId> ids = new HashSet<>();
        for (Change change : telling) {
            // of a beginning, what was stored is all that is wanted
            if (kind(change) != AuditEntry.Kind.CREATED || fresh.find(change.job()) == null) {
                ids.add(change.job());
            }
        }
        Map<JobId, Job> jobs = store.findAll(ids);
        Descriptions descriptions = new Descriptions(telling);
        List<AuditLog.News> all = new ArrayList<>();
        long length = 0;
        for (Change change : changes) {
            if (length >= MOST_TEXT) {
                return new Slice(all, change.sequence() - 1);
            }
            AuditEntry.Kind kind = kind(change);
            times.see(change);
            if (kind == null) {
                continue;
            }
            int before = all.size();
            Job job = jobs.get(change.job());
            if (descriptions.isNew(change.job())) {
                all.add(news(change, AuditEntry.Kind.CREATED, created(change, job, descriptions)));
            }
            switch (kind) {
                case QUEUED -> all.add(news(change, kind, AuditRow.queued(change, job)));
                case ENDED -> all.add(news(change, kind, ended(change, job)));
                case CREATED, USED, CARRIED, ACT, PURGED -> {
                    // a beginning is said already, by the first change that was seen of it; no change tells the others
                }
            }
            for (AuditLog.News one : all.subList(before, all.size())) {
                length += one.said().body().length();
            }
        }
        return new Slice(all, changes.getLast().sequence());
    }

    /** These changes are on record: what was kept of their jobs for that is wanted no more. */
    void forget(List<Change> recorded) {
        times.forget(recorded);
        recorded.forEach(change -> fresh.forget(change.job()));
    }

    /** Descriptions of the jobs that are not on record yet, read a few at a time and dropped when they have been used. */
    private final class Descriptions {

        private final Set<JobId> unread = new LinkedHashSet<>();
        private final Set<JobId> unknown = new HashSet<>();
        private Map<JobId, JobDescription> read = new LinkedHashMap<>();

        Descriptions(List<Change> telling) throws SQLException {
            Set<String> known = log.known(
                    telling.stream().map(change -> change.job().toString()).toList());
            for (Change change : telling) {
                JobId id = change.job();
                if (!known.contains(id.toString()) && unknown.add(id) && fresh.find(id) == null) {
                    unread.add(id);
                }
            }
        }

        boolean isNew(JobId id) {
            return unknown.remove(id);
        }

        @Nullable
        JobDescription take(JobId id) {
            if (unread.contains(id)) {
                Set<JobId> some = new HashSet<>();
                unread.stream().limit(MOST_DESCRIPTIONS).forEach(some::add);
                unread.removeAll(some);
                read = new LinkedHashMap<>(store.descriptions(some));
            }
            return read.remove(id);
        }
    }

    private AuditRow.Said created(Change change, @Nullable Job job, Descriptions descriptions) {
        CreatedJob kept = fresh.find(change.job());
        if (kept != null) {
            return created(
                    change,
                    kept.job(),
                    kept.description(),
                    SenderRecord.of(store, kept.job(), kept.records()).orElse(null));
        }
        return created(
                change,
                job,
                descriptions.take(change.job()),
                job == null ? null : SenderRecord.of(store, job).orElse(null));
    }

    private AuditRow.Said created(
            Change change, @Nullable Job job, @Nullable JobDescription description, @Nullable SenderRecord sender) {
        String text = description == null ? null : settings.text().apply(description);
        return AuditRow.created(change, job, text, sender, settings.jobServices(), settings.version());
    }

    private AuditRow.Said ended(Change change, @Nullable Job job) {
        Map<JobState, Long> when = times.of(change.job());
        boolean mayHaveMoved = when.containsKey(JobState.STAGE_IN) || when.containsKey(JobState.STAGE_OUT);
        Moved moved = mayHaveMoved ? settings.moved().apply(change.job()).orElse(null) : null;
        return AuditRow.ended(change, job, when, moved);
    }

    private static AuditLog.News news(Change change, AuditEntry.Kind kind, AuditRow.Said said) {
        return new AuditLog.News(
                change.sequence(), change.job().toString(), change.at().toEpochMilli(), kind, said);
    }

    /** What the change means for the audit; absent where it means nothing. */
    private static AuditEntry.@Nullable Kind kind(Change change) {
        if (change.from() == null) {
            return AuditEntry.Kind.CREATED;
        }
        if (change.event() == JobEvent.LRM_ACCEPTED) {
            return AuditEntry.Kind.QUEUED;
        }
        return !change.from().isTerminal() && change.to().isTerminal() ? AuditEntry.Kind.ENDED : null;
    }
}
