// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jobgate.job.Job;
import org.jobgate.job.JobState;
import org.jobgate.store.OwnerLoad;
import org.jspecify.annotations.Nullable;

/**
 * How many live jobs there are, by state, by subject and by LRM and account. Counted once when the store is opened and kept up by the
 * writer, because admission asks for them with every job. Grows with the number of owners, not of jobs. Safe for many threads.
 */
final class LiveCounts {

    private static final String COUNT =
            "SELECT subject, lrm, account, state, count(*) FROM job GROUP BY subject, lrm, account, state";

    private final Map<JobState, Long> byState = new EnumMap<>(JobState.class);
    private final Map<String, Long> bySubject = new HashMap<>();
    private final Map<String, Long> activeBySubject = new HashMap<>();
    private final Map<String, TreeMap<String, Long>> byLrm = new HashMap<>();

    synchronized void load(Connection connection) throws SQLException {
        byState.clear();
        bySubject.clear();
        activeBySubject.clear();
        byLrm.clear();
        try (var statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(COUNT)) {
            while (rows.next()) {
                JobState state = JobState.valueOf(rows.getString(4));
                add(rows.getString(1), rows.getString(2), rows.getString(3), state, rows.getLong(5));
            }
        }
    }

    /** Takes over what one transaction did. */
    synchronized void apply(List<Transition> transitions) {
        for (Transition transition : transitions) {
            count(transition.before(), -1);
            count(transition.after(), 1);
        }
    }

    private void count(@Nullable Job job, long difference) {
        if (job != null && !job.state().isTerminal()) {
            add(job.key().subject(), job.lrm(), job.owner().account(), job.state(), difference);
        }
    }

    private void add(String subject, String lrm, String account, JobState state, long difference) {
        add(byState, state, difference);
        add(bySubject, subject, difference);
        if (state == JobState.ACTIVE) {
            add(activeBySubject, subject, difference);
        }
        TreeMap<String, Long> accounts = byLrm.computeIfAbsent(lrm, name -> new TreeMap<>());
        add(accounts, account, difference);
    }

    private static <K> void add(Map<K, Long> counts, K key, long difference) {
        long now = counts.getOrDefault(key, 0L) + difference;
        if (now == 0) {
            counts.remove(key);
        } else {
            counts.put(key, now);
        }
    }

    synchronized Map<JobState, Long> states() {
        return Map.copyOf(byState);
    }

    synchronized long all() {
        return byState.values().stream().mapToLong(Long::longValue).sum();
    }

    synchronized long ofSubject(String subject) {
        return bySubject.getOrDefault(subject, 0L);
    }

    synchronized List<OwnerLoad> busiest(int limit) {
        return bySubject.entrySet().stream()
                .map(owner -> new OwnerLoad(
                        owner.getKey(), owner.getValue(), activeBySubject.getOrDefault(owner.getKey(), 0L)))
                .sorted(Comparator.comparingLong(OwnerLoad::jobs).reversed().thenComparing(OwnerLoad::subject))
                .limit(limit)
                .toList();
    }

    synchronized List<String> accounts(String lrm) {
        TreeMap<String, Long> accounts = byLrm.get(lrm);
        return accounts == null ? List.of() : List.copyOf(accounts.keySet());
    }

    /** One job before and after a transaction; absent before it was created. */
    record Transition(@Nullable Job before, Job after) {}
}
