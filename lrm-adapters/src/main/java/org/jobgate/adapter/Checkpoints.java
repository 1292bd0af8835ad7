// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the events of each account are on disk. Saved at most once in {@value #SAVE_EVERY_MS} ms for all accounts: after a crash the
 * events of that time are reported again, which does no harm, and the store is spared a write for each.
 */
final class Checkpoints {

    static final String KIND = "lrm.checkpoint";
    static final long SAVE_EVERY_MS = 1_000;
    private static final int PAGE = 500;

    private static final Logger log = LoggerFactory.getLogger(Checkpoints.class);

    private final JobStore store;
    private final String lrm;
    private final Clock clock;
    private final ScheduledExecutorService scheduler;
    private final Map<String, String> passed = new HashMap<>();
    private final Map<String, String> unsaved = new HashMap<>();
    private boolean isScheduled;

    Checkpoints(JobStore store, String lrm, Clock clock, ScheduledExecutorService scheduler) {
        this.store = requireNonNull(store, "store is null");
        this.lrm = requireNonNull(lrm, "lrm is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.scheduler = requireNonNull(scheduler, "scheduler is null");
    }

    /** Where to go on; null for the beginning. */
    @Nullable
    String of(String account) {
        synchronized (this) {
            String known = passed.get(account);
            if (known != null) {
                return known;
            }
        }
        return store.findRecord(KIND, id(account)).map(DoorRecord::body).orElse(null);
    }

    /** The events before the checkpoint are on disk. */
    synchronized void passed(String account, String checkpoint) {
        passed.put(account, checkpoint);
        unsaved.put(account, checkpoint);
        if (!isScheduled) {
            isScheduled = true;
            try {
                var unused = scheduler.schedule(this::saveInTime, SAVE_EVERY_MS, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                log.debug("the last checkpoint of {} is saved by the close: {}", account, e.getMessage());
            }
        }
    }

    private void saveInTime() {
        var unused = save(); // a failure is logged where it happens
    }

    /** Saves what is not saved yet; answers when it is. */
    CompletableFuture<Void> save() {
        Map<String, String> saving;
        synchronized (this) {
            isScheduled = false;
            saving = Map.copyOf(unsaved);
            unsaved.clear();
        }
        return CompletableFuture.allOf(saving.entrySet().stream()
                .map(entry -> save(entry.getKey(), entry.getValue()))
                .toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Void> save(String account, String checkpoint) {
        return store.putRecord(new DoorRecord(KIND, id(account), null, null, checkpoint, clock.instant()))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        log.warn(
                                "the checkpoint of {} was not saved, events will be told again: {}",
                                id(account),
                                failure.getMessage());
                    }
                });
    }

    private String id(String account) {
        return lrm + "/" + account;
    }

    /** The accounts with checkpoints of any LRM. */
    static Set<String> accounts(JobStore store) {
        Set<String> accounts = new TreeSet<>();
        String after = "";
        List<DoorRecord> some;
        do {
            some = store.listRecords(KIND, after, PAGE);
            for (DoorRecord record : some) {
                after = record.id();
                accounts.add(after.substring(after.lastIndexOf('/') + 1));
            }
        } while (some.size() == PAGE);
        return accounts;
    }

    /** Forgets how far every account of an LRM is that does not work; answers when that is on disk. */
    static void forget(JobStore store, String lrm) {
        String after = "";
        List<DoorRecord> some;
        do {
            some = store.listRecords(KIND, after, PAGE);
            for (DoorRecord record : some) {
                after = record.id();
                if (after.startsWith(lrm + "/")) {
                    store.deleteRecord(KIND, after).join();
                }
            }
        } while (some.size() == PAGE);
    }
}
