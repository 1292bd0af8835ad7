// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jobgate.container.http.RequestTrace;
import org.jobgate.job.Job;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.Change;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Spans of requests, stages and jobs, as an exporter gets them. */
class TracingTest {

    private static final String REQUEST = "00000000000000ff";

    private final List<SpanData> spans = new CopyOnWriteArrayList<>();
    private final AtomicBoolean refuses = new AtomicBoolean();

    /** Keeps what it gets, after waiting. */
    private SpanExporter exporter(CountDownLatch wait) {
        return new SpanExporter() {
            @Override
            public CompletableResultCode export(Collection<SpanData> some) {
                try {
                    wait.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                if (refuses.get()) {
                    return CompletableResultCode.ofFailure();
                }
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

    private Tracing tracing(CountDownLatch wait, int percent) {
        return new Tracing(exporter(wait), Attributes.empty(), percent, 512, Clock.systemUTC());
    }

    private SpanData span(String name) {
        return spans.stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static RequestTrace.Done request(@Nullable String job, @Nullable String parent) {
        return new RequestTrace.Done(REQUEST, "POST", "rest", 201, Duration.ofMillis(5), job, parent);
    }

    private static JobId id() {
        return JobId.create(Clock.systemUTC(), new SecureRandom());
    }

    private static Change change(
            long number, JobId job, Instant at, @Nullable JobEvent event, @Nullable JobState from, JobState to) {
        return new Change(number, job, "/CN=Alice", number, at, event, from, to, false, null);
    }

    @Test
    void allOfAJobIsOneTraceThatHasItsId() {
        JobId id = id();
        Instant begin = Instant.parse("2026-11-01T00:00:00Z");
        try (Tracing tracing = tracing(new CountDownLatch(0), 100)) {
            tracing.done(request(id.toString(), "00-" + "ab".repeat(16) + "-" + "cd".repeat(8) + "-00"));
            tracing.worked("submit", "Fork/alice", List.of(id), begin, begin.plusMillis(8), null);
            tracing.worked("lrm submit", "Fork/alice", List.of(id), begin, begin.plusMillis(6), null);
            Job job = Job.create(
                    id,
                    new SubmissionKey("/CN=Alice", "test", "a"),
                    "trial",
                    new Owner("/CN=Alice", "alice"),
                    "Fork",
                    null,
                    begin,
                    null);
            tracing.over(
                    job.withState(JobState.FAILED),
                    List.of(
                            change(1, id, begin, null, null, JobState.UNSUBMITTED),
                            change(
                                    2,
                                    id,
                                    begin.plusSeconds(1),
                                    JobEvent.LRM_ACCEPTED,
                                    JobState.UNSUBMITTED,
                                    JobState.PENDING),
                            change(3, id, begin.plusSeconds(2), null, JobState.PENDING, JobState.PENDING),
                            change(4, id, begin.plusSeconds(4), JobEvent.FAILED, JobState.PENDING, JobState.FAILED)));
        }
        String trace = id.toString().replace("-", "");
        assertThat(spans).allSatisfy(span -> assertThat(span.getTraceId()).isEqualTo(trace));
        SpanData root = span("job");
        assertThat(root.getParentSpanContext().isValid()).isFalse();
        assertThat(root.getStatus()).isEqualTo(StatusData.error());
        assertThat(root.getEndEpochNanos() - root.getStartEpochNanos()).isEqualTo(4_000_000_000L);
        assertThat(spans)
                .filteredOn(span -> span != root)
                .allSatisfy(span -> assertThat(span.getParentSpanId()).isEqualTo(root.getSpanId()))
                .extracting(SpanData::getName)
                .containsExactlyInAnyOrder("POST rest", "submit", "lrm submit", "state unsubmitted", "state pending");
        assertThat(span("state pending").getEndEpochNanos()
                        - span("state pending").getStartEpochNanos())
                .isEqualTo(3_000_000_000L);
        assertThat(span("POST rest").getLinks())
                .singleElement()
                .satisfies(
                        link -> assertThat(link.getSpanContext().getTraceId()).isEqualTo("ab".repeat(16)));
    }

    @Test
    void whatIsNoParentIsNoLink() {
        try (Tracing tracing = tracing(new CountDownLatch(0), 100)) {
            for (String parent :
                    new String[] {null, "", "00-x", "00-" + "0".repeat(32) + "-" + "0".repeat(16) + "-01", "\r\n"}) {
                tracing.done(request(null, parent));
            }
        }
        assertThat(spans)
                .hasSize(5)
                .allSatisfy(span -> assertThat(span.getLinks()).isEmpty());
        assertThat(spans).extracting(SpanData::getTraceId).doesNotHaveDuplicates();
    }

    @Test
    void whatDoesNotFitIsThrownAwayAndNobodyWaits() {
        CountDownLatch away = new CountDownLatch(1);
        int many = 20_000;
        try (Tracing tracing = tracing(away, 100)) {
            // ends: with a queue that makes its callers wait it would not before the collector is back
            IntStream.range(0, many).forEach(i -> tracing.done(request(null, null)));
            away.countDown();
        }
        assertThat(spans).hasSizeBetween(1, many / 2);
    }

    /** However full the queue was and whatever the collector said: each span is counted once. */
    @Test
    void whatBecameOfEachSpanIsCounted() {
        CountDownLatch away = new CountDownLatch(1);
        int many = 20_000;
        Tracing tracing = tracing(away, 100);
        try (tracing) {
            IntStream.range(0, many).forEach(i -> tracing.done(request(null, null)));
            assertThat(tracing.counts().tooMany()).as("while it is away").isEqualTo(many - 512);
            away.countDown();
        }
        assertThat(tracing.counts()).isEqualTo(new SpanCounts(512, many - 512, 0));
        assertThat(spans).hasSize(512);
        refuses.set(true);
        try (Tracing refused = tracing(away, 100)) {
            refused.done(request(null, null));
            await().atMost(Duration.ofMinutes(1)).until(() -> refused.counts().refused() == 1);
            assertThat(refused.counts().sent()).isZero();
        }
    }

    /** A client may write any word as its method; a collector keeps each name that it has seen. */
    @Test
    void aMethodThatIsNoneOfHttpIsNoNameOfASpan() {
        try (Tracing tracing = tracing(new CountDownLatch(0), 100)) {
            tracing.done(new RequestTrace.Done(REQUEST, "X-SECRET", "rest", 501, Duration.ofMillis(5), null, null));
        }
        assertThat(spans).singleElement().satisfies(span -> {
            assertThat(span.getName()).isEqualTo("HTTP rest");
            assertThat(span.getAttributes().asMap().toString())
                    .contains("http.request.method=_OTHER")
                    .doesNotContain("SECRET");
        });
    }

    @Test
    void onlySomeAreTracedWhereTheSiteWantsThat() {
        try (Tracing tracing = tracing(new CountDownLatch(0), 10)) {
            long traced = IntStream.range(0, 10_000)
                    .filter(i -> tracing.isTraced(id()))
                    .count();
            assertThat(traced).isBetween(700L, 1_300L);
        }
    }
}
