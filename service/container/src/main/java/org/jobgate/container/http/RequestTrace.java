// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Is called for each request when its answer has gone out, for example to trace it. */
@FunctionalInterface
public interface RequestTrace {

    /** Nobody looks. */
    RequestTrace NONE = request -> {};

    /**
     * A request that is over.
     *
     * @param id the one that the client was told, 16 hexadecimal digits
     * @param door the label of the door that it went to, one of few
     * @param status that of the answer; 499 where the client was gone
     * @param job the id of the job that it was about; absent where it was about none, or about many
     * @param parent the header {@code traceparent} as the client sent it
     */
    record Done(
            String id,
            String method,
            String door,
            int status,
            Duration took,
            @Nullable String job,
            @Nullable String parent) {}

    /** Must return at once and must not throw. */
    void done(Done request);
}
