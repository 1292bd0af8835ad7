// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.HexFormat;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jobgate.container.metrics.HttpMetrics;
import org.jobgate.identity.Identity;
import org.jobgate.job.LoggedJob;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Gives each request an id, which is in every line that is logged for it and in the answer's {@code Jobgate-Request} header, and
 * records how it went.
 */
final class RequestRecorder extends Handler.Wrapper {

    static final String HEADER = "Jobgate-Request";

    private static final String LOG_KEY = "request";
    private static final String JOB_ATTRIBUTE = "org.jobgate.log.job";
    private static final Logger ACCESS = LoggerFactory.getLogger("org.jobgate.access");

    private final HttpMetrics metrics;
    private final RandomGenerator random;
    private final LongSupplier nanoTime;
    private volatile RequestTrace trace = RequestTrace.NONE;

    RequestRecorder(HttpMetrics metrics, RandomGenerator random, LongSupplier nanoTime, Handler next) {
        super(requireNonNull(next, "next is null"));
        this.metrics = requireNonNull(metrics, "metrics is null");
        this.random = requireNonNull(random, "random is null");
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
    }

    /** Names who traces requests. */
    void tracedBy(RequestTrace newTrace) {
        trace = requireNonNull(newTrace, "newTrace is null");
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        long begin = nanoTime.getAsLong();
        String id = HexFormat.of().toHexDigits(random.nextLong());
        response.getHeaders().put(HEADER, id);
        Request.addCompletionListener(request, failure -> record(request, response, id, begin, failure));
        MDC.put(LOG_KEY, id);
        try {
            return super.handle(request, response, callback);
        } finally {
            String job = MDC.get(LoggedJob.KEY);
            if (job != null) {
                request.setAttribute(JOB_ATTRIBUTE, job); // for an answer that goes out later
                MDC.remove(LoggedJob.KEY);
            }
            MDC.remove(LOG_KEY);
        }
    }

    /** Only names of existing doors: a caller must not be able to make new series by asking for other names. */
    private static String label(Mounts mounts, String path) {
        if (path.equals("/health") || path.equals("/metrics")) {
            return path.substring(1);
        }
        Mounts.Place place = mounts.at(path);
        return place == null ? "other" : place.label();
    }

    private void record(Request request, Response response, String id, long begin, @Nullable Throwable failure) {
        Duration took = Duration.ofNanos(nanoTime.getAsLong() - begin);
        int status = failure == null ? response.getStatus() : 499;
        String path = Request.getPathInContext(request);
        String door = label(Mounts.of(request), path);
        metrics.requestDone(door, status, took);
        String job = job(request, id);
        trace.done(new RequestTrace.Done(
                id,
                request.getMethod(),
                door,
                status,
                took,
                job,
                request.getHeaders().get("traceparent")));
        if (ACCESS.isInfoEnabled()) {
            ACCESS.info(
                    "{} {} \"{}\" {} {} {} {}ms{}",
                    id,
                    Request.getRemoteAddr(request),
                    request.getAttribute(Identity.REQUEST_ATTRIBUTE) instanceof Identity caller
                            ? caller.subject()
                            : "-",
                    request.getMethod(),
                    path,
                    status,
                    took.toMillis(),
                    job == null ? "" : " job=" + job);
        }
    }

    /** The job that the request was about; its answer may go out on its own thread, or on another one later. */
    private static @Nullable String job(Request request, String id) {
        return id.equals(MDC.get(LOG_KEY)) && MDC.get(LoggedJob.KEY) != null
                ? MDC.get(LoggedJob.KEY)
                : (String) request.getAttribute(JOB_ATTRIBUTE);
    }
}
