// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.Closeable;
import java.io.IOException;
import java.security.GeneralSecurityException;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.wire.RefusedException;
import org.jspecify.annotations.Nullable;

/** How jobs of one kind come to the service by one door, with all that they need before. */
interface Submission {

    /** What one thread needs of its own; it does not connect yet. */
    Session open(Lab lab) throws IOException, GeneralSecurityException;

    /** Destroys at the service what was made for the jobs of a run, when they are over. */
    default void tidy(Lab lab) throws IOException, RefusedException, GeneralSecurityException {}

    /** One connection, for one thread. */
    interface Session extends Closeable {

        /**
         * Submits so many jobs by one request.
         *
         * @throws IOException if it is not known which of them were taken
         */
        Taken submit(int number) throws IOException, RefusedException, GeneralSecurityException;
    }

    /**
     * What came of a request.
     *
     * @param jobs that the service has taken
     * @param refusal why it did not take one of the others; absent where it took all
     */
    record Taken(int jobs, @Nullable String refusal) {}
}
