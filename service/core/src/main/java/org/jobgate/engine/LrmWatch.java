// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.PendingReason;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmListener;
import org.jobgate.lrm.LrmSource;

/** Writes into the jobs what the LRMs' own records say of them. */
final class LrmWatch implements LrmListener {

    private final EngineContext context;
    private final AfterRestore afterRestore;

    LrmWatch(EngineContext context, AfterRestore afterRestore) {
        this.context = context;
        this.afterRestore = afterRestore;
    }

    @Override
    public CompletableFuture<List<LrmEvent>> events(LrmSource source, List<LrmEvent> events) {
        List<CompletableFuture<Boolean>> heard =
                events.stream().map(event -> told(source, event)).toList();
        return CompletableFuture.allOf(heard.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> IntStream.range(0, events.size())
                        .filter(i -> heard.get(i).join())
                        .mapToObj(events::get)
                        .toList());
    }

    private CompletableFuture<Boolean> told(LrmSource source, LrmEvent event) {
        return afterRestore.isOn()
                ? afterRestore.before(source, event).thenCompose(done -> event(source, event))
                : event(source, event);
    }

    private CompletableFuture<Boolean> event(LrmSource source, LrmEvent event) {
        if (event.kind() == LrmEvent.Kind.ENDED) {
            return ended(source, event);
        }
        return context.hear(source, event.tag(), change -> {
            if (change.job().state().isTerminal()) {
                return;
            }
            change.accepted(event.localIds());
            switch (event.kind()) {
                case STARTED -> change.take(JobEvent.LRM_STARTED, event.note());
                case SUSPENDED -> change.take(JobEvent.LRM_SUSPENDED, event.note());
                case REQUEUED -> change.take(JobEvent.LRM_REQUEUED, event.note());
                case QUEUED, UNKNOWN, ENDED -> {} // accepted says all; ENDED went the other way
            }
            if (event.kind() == LrmEvent.Kind.UNKNOWN
                    || event.kind().state() == change.job().state()) {
                change.because(event.note() == null ? null : new PendingReason(event.at(), event.note()));
            }
        });
    }

    private CompletableFuture<Boolean> ended(LrmSource source, LrmEvent event) {
        LrmEvent.End end = event.end();
        if (end == null) {
            throw new IllegalArgumentException("an ENDED event without an end: " + event.tag());
        }
        JobFiles.Leftovers left = context.files().leftovers(event.tag());
        return context.hear(source, event.tag(), change -> {
            JobState state = change.job().state();
            if (state.isTerminal() || state == JobState.STAGE_OUT || state == JobState.CLEAN_UP) {
                return; // told before
            }
            change.accepted(event.localIds());
            JobOutcome settled = change.job().outcome();
            change.replaceOutcome(JobOutcomes.of(end, settled, change.job().state()));
            change.wrapUp(left);
        });
    }
}
