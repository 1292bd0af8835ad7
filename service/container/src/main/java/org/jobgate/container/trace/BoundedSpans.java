// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.trace;

import static java.util.Objects.requireNonNull;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessorBuilder;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * A bounded number of spans that wait to be sent, and counts of what became of them. The library's own queue throws away what does not fit and
 * tells nobody but a second library of measuring; so spans are counted in and out here, and those above the bound never come to its queue.
 */
final class BoundedSpans implements SpanProcessor {

    private final SpanProcessor queue;
    private final int most;

    /** Those in the queue and those that are on their way. */
    private final AtomicInteger waiting = new AtomicInteger();

    private final LongAdder sent = new LongAdder();
    private final LongAdder tooMany = new LongAdder();
    private final LongAdder refused = new LongAdder();

    /**
     * @param exporter sends them
     * @param most how many may wait
     * @param settings of the queue, but for its size
     */
    BoundedSpans(SpanExporter exporter, int most, Settings settings) {
        this.most = most;
        BatchSpanProcessorBuilder builder =
                BatchSpanProcessor.builder(new Counting(exporter)).setMaxQueueSize(most);
        settings.set(builder);
        this.queue = builder.build();
    }

    /** What else is set of the queue. */
    @FunctionalInterface
    interface Settings {
        void set(BatchSpanProcessorBuilder builder);
    }

    /** What became of spans since the start. */
    SpanCounts counts() {
        return new SpanCounts(sent.sum(), tooMany.sum(), refused.sum());
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        queue.onStart(parent, span);
    }

    @Override
    public boolean isStartRequired() {
        return queue.isStartRequired();
    }

    @Override
    public void onEnd(ReadableSpan span) {
        if (waiting.incrementAndGet() > most) {
            waiting.decrementAndGet();
            tooMany.increment();
        } else {
            queue.onEnd(span);
        }
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }

    @Override
    public CompletableResultCode shutdown() {
        return queue.shutdown();
    }

    @Override
    public CompletableResultCode forceFlush() {
        return queue.forceFlush();
    }

    private final class Counting implements SpanExporter {

        private final SpanExporter exporter;

        Counting(SpanExporter exporter) {
            this.exporter = requireNonNull(exporter, "exporter is null");
        }

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            int many = spans.size();
            CompletableResultCode result;
            try {
                result = exporter.export(spans);
            } catch (RuntimeException | Error e) {
                over(many, false);
                throw e;
            }
            return result.whenComplete(() -> over(many, result.isSuccess()));
        }

        private void over(int many, boolean isSent) {
            waiting.addAndGet(-many);
            (isSent ? sent : refused).add(many);
        }

        @Override
        public CompletableResultCode flush() {
            return exporter.flush();
        }

        @Override
        public CompletableResultCode shutdown() {
            return exporter.shutdown();
        }
    }
}
