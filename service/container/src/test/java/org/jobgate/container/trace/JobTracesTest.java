// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.Step;
import org.jobgate.store.sql.JobStores;
import org.jobgate.store.sql.StoreSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces of jobs that ended while nobody read. */
class JobTracesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private final Clock clock = Clock.systemUTC();
    private final List<SpanData> spans = new CopyOnWriteArrayList<>();

    private SpanExporter exporter() {
        return new SpanExporter() {
            @Override
            public CompletableResultCode export(Collection<SpanData> some) {
                spans.addAll(some);
                return CompletableResultCode.ofSuccess();
            }

            @Override
            public CompletableResultCode flush() {
                return CompletableResultCode.ofSuccess();
            }

            @Override
            public CompletableResultCode shutdown() {
                return CompletableResultCode.ofSuccess();
            }
        };
    }

    private JobId ended(JobStore store, String clientId, Instant at) {
        Job job = Job.create(
                JobId.create(clock, new SecureRandom()),
                new SubmissionKey("/CN=Alice", "test", clientId),
                "trial",
                new Owner("/CN=Alice", "alice"),
                "Fork",
                null,
                at,
                null);
        store.create(new NewJob(job, JobDescription.of("/bin/true"), List.of())).join();
        store.update(
                        job.id(),
                        before -> List.of(Step.of(
                                JobEvent.COMPLETED,
                                before.withState(JobState.DONE)
                                        .withChanged(at)
                                        .withEnded(at)
                                        .withOutcome(JobOutcome.done(0, Duration.ofMillis(1))))))
                .join();
        return job.id();
    }

    private List<String> traced() {
        return spans.stream()
                .filter(span -> span.getName().equals("job"))
                .map(SpanData::getTraceId)
                .distinct()
                .toList();
    }

    /** What comes after the end, such as a note, is not read in its stead. */
    @Test
    void ofWhatEndedWhileNobodyReadThereIsATraceWhateverFollowedTheEnd() throws Exception {
        Instant now = clock.instant();
        try (JobStore store = JobStores.open(StoreSettings.of("sqlite:" + directory.resolve("jobs.db")), clock);
                Tracing tracing = new Tracing(exporter(), Attributes.empty(), 100, 512, clock);
                JobTraces traces = new JobTraces(store, tracing, clock)) {
            JobId noted = ended(store, "noted", now);
            store.update(noted, job -> List.of(Step.of(job, "looked at by its owner")))
                    .join();
            JobId last = ended(store, "last", now);
            traces.start();
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(traced()).containsExactly(Tracing.traceOf(noted), Tracing.traceOf(last)));
        }
    }
}
