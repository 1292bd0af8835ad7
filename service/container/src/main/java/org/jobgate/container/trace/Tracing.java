// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.trace;

import static java.util.Objects.requireNonNull;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.container.http.RequestTrace;
import org.jobgate.engine.StageObserver;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.store.Change;
import org.jspecify.annotations.Nullable;

/**
 * Makes spans of what is over: requests, the work of the engine's stages, the states of jobs. All of one job is one trace, whose id is the
 * job's, so that nothing has to be remembered for it, a restart does not break it, and who has a job's id has its trace. A request that made or
 * asked for a job is in the trace of the job; others have a trace each.
 *
 * <p>A bounded queue takes the spans; spans that do not fit are dropped, so that no thread waits. A client's own trace is linked to, but does not
 * decide anything.
 */
public final class Tracing implements RequestTrace, StageObserver, AutoCloseable {

    private static final Duration SEND_EVERY = Duration.ofSeconds(1);
    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration END_TIMEOUT = Duration.ofSeconds(2);
    private static final int MOST_SENT = 512;

    /**
     * Methods that may stand in the name of a span: a client may write anything as its method, and each name is one more that a collector keeps. Others
     * are told as OpenTelemetry's conventions for HTTP have it.
     */
    private static final Set<String> METHODS =
            Set.of("CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE");

    /** The header of W3C Trace Context: version, trace, span, flags. */
    private static final Pattern PARENT = Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");

    private final ChosenIds ids = new ChosenIds();
    private final BoundedSpans spans;
    private final SdkTracerProvider provider;
    private final Tracer tracer;
    private final int percent;
    private final Clock clock;

    /**
     * @param exporter sends them
     * @param who names this gateway in them
     * @param percent of how many of 100 jobs and requests there are traces
     * @param maxQueued how many spans may wait
     */
    public Tracing(SpanExporter exporter, Attributes who, int percent, int maxQueued, Clock clock) {
        this.percent = percent;
        this.clock = requireNonNull(clock, "clock is null");
        this.spans = new BoundedSpans(
                exporter,
                maxQueued,
                queue -> queue.setMaxExportBatchSize(Math.min(MOST_SENT, maxQueued))
                        .setScheduleDelay(SEND_EVERY)
                        .setExporterTimeout(SEND_TIMEOUT));
        this.provider = SdkTracerProvider.builder()
                .setIdGenerator(ids)
                .setSampler(Sampler.alwaysOn())
                .setResource(Resource.create(who))
                .addSpanProcessor(spans)
                .build();
        this.tracer = provider.get("org.jobgate");
    }

    /** What became of spans since the start. */
    public SpanCounts counts() {
        return spans.counts();
    }

    /** The id of the trace of a job. */
    static String traceOf(JobId job) {
        return job.toString().replace("-", "");
    }

    private static String rootOf(JobId job) {
        return traceOf(job).substring(16);
    }

    /** By the random end of the id, so that every part of the gateway decides alike. */
    boolean isTraced(JobId job) {
        return isTraced(job.value().getLeastSignificantBits());
    }

    private boolean isTraced(long random) {
        return Long.remainderUnsigned(random, 100) < percent;
    }

    @Override
    public void done(Done request) {
        JobId job = request.job() == null ? null : JobId.parse(request.job());
        if (job == null ? !isTraced(Long.parseUnsignedLong(request.id(), 16)) : !isTraced(job)) {
            return;
        }
        Instant end = clock.instant();
        boolean isKnown = METHODS.contains(request.method());
        SpanBuilder span = tracer.spanBuilder((isKnown ? request.method() : "HTTP") + " " + request.door())
                .setSpanKind(SpanKind.SERVER)
                .setStartTimestamp(end.minus(request.took()))
                .setAttribute("http.request.method", isKnown ? request.method() : "_OTHER")
                .setAttribute("http.response.status_code", (long) request.status())
                .setAttribute("jobgate.door", request.door())
                .setAttribute("jobgate.request", request.id());
        if (job == null) {
            span.setNoParent();
        } else {
            span.setParent(inside(job)).setAttribute("jobgate.job", job.toString());
        }
        SpanContext ofClient = client(request.parent());
        if (ofClient != null) {
            span.addLink(ofClient);
        }
        finish(span.startSpan(), request.status() >= 500, end);
    }

    private static @Nullable SpanContext client(@Nullable String parent) {
        Matcher matcher = PARENT.matcher(parent == null ? "" : parent);
        return matcher.matches()
                ? SpanContext.createFromRemoteParent(
                        matcher.group(1), matcher.group(2), TraceFlags.getSampled(), TraceState.getDefault())
                : null;
    }

    @Override
    public void worked(
            String what, String group, List<JobId> jobs, Instant begin, Instant end, @Nullable Throwable failure) {
        for (JobId job : jobs) {
            if (isTraced(job)) {
                Span span = tracer.spanBuilder(what)
                        .setParent(inside(job))
                        .setSpanKind(what.startsWith("lrm ") ? SpanKind.CLIENT : SpanKind.INTERNAL)
                        .setStartTimestamp(begin)
                        .setAttribute("jobgate.job", job.toString())
                        .setAttribute("jobgate.group", group)
                        .setAttribute("jobgate.batch", (long) jobs.size())
                        .startSpan();
                finish(span, failure != null, end);
            }
        }
    }

    /**
     * A job is over.
     *
     * @param history all its changes, in order
     */
    void over(Job job, List<Change> history) {
        Instant begin = history.getFirst().at();
        Instant end = history.getLast().at();
        SpanBuilder root = tracer.spanBuilder("job")
                .setNoParent()
                .setStartTimestamp(begin)
                .setAttribute("jobgate.job", job.id().toString())
                .setAttribute("jobgate.door", job.key().door())
                .setAttribute("jobgate.lrm", job.lrm())
                .setAttribute("jobgate.account", job.owner().account())
                .setAttribute("jobgate.local_ids", String.join(",", job.localIds()))
                .setAttribute("jobgate.state", word(job.state()));
        Span whole = ids.with(traceOf(job.id()), rootOf(job.id()), root::startSpan);
        for (int i = 0; i < history.size(); i++) {
            Change change = history.get(i);
            if (change.event() != null) {
                whole.addEvent(change.event().name().toLowerCase(Locale.ROOT), change.at());
            }
            if (change.from() != change.to() && !change.to().isTerminal()) {
                state(job.id(), change, left(history, i));
            }
        }
        finish(whole, job.state() == JobState.FAILED, end);
    }

    /** When the job went out of the state into which this change brought it. */
    private static Instant left(List<Change> history, int into) {
        return history.subList(into + 1, history.size()).stream()
                .filter(change -> change.from() != change.to())
                .map(Change::at)
                .findFirst()
                .orElse(history.getLast().at());
    }

    private void state(JobId job, Change into, Instant end) {
        Span span = tracer.spanBuilder("state " + word(into.to()))
                .setParent(inside(job))
                .setStartTimestamp(into.at())
                .setAttribute("jobgate.job", job.toString())
                .startSpan();
        span.end(end.isBefore(into.at()) ? into.at() : end);
    }

    private static String word(JobState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private static void finish(Span span, boolean isError, Instant end) {
        if (isError) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end(end);
    }

    /** Within the span of the whole job, which is sent when it is over. */
    private static Context inside(JobId job) {
        return Context.root()
                .with(Span.wrap(SpanContext.createFromRemoteParent(
                        traceOf(job), rootOf(job), TraceFlags.getSampled(), TraceState.getDefault())));
    }

    /** Sends what waits, if that can be done in a moment. */
    @Override
    public void close() {
        provider.shutdown().join(END_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }
}
