// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.trace;

import io.opentelemetry.sdk.trace.IdGenerator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Random ids of spans, but for those of which somebody has chosen the ids. */
final class ChosenIds implements IdGenerator {

    private record Chosen(String trace, String span) {}

    private static final ThreadLocal<@Nullable Chosen> CHOSEN = new ThreadLocal<>();

    private final IdGenerator random = IdGenerator.random();

    /** The one span without a parent that is made meanwhile has these ids. */
    <T> T with(String trace, String span, Supplier<T> making) {
        CHOSEN.set(new Chosen(trace, span));
        try {
            return making.get();
        } finally {
            CHOSEN.remove();
        }
    }

    @Override
    public String generateTraceId() {
        Chosen now = CHOSEN.get();
        return now == null ? random.generateTraceId() : now.trace();
    }

    @Override
    public String generateSpanId() {
        Chosen now = CHOSEN.get();
        return now == null ? random.generateSpanId() : now.span();
    }
}
