// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import org.slf4j.MDC;

/** Which job the lines speak of that a thread logs: its id stands in each of them, in a place of its own, so that all lines of one job can be found. */
public final class LoggedJob {

    /** The name under which the id stands in the context of a line. */
    public static final String KEY = "job";

    private LoggedJob() {}

    /** What is logged meanwhile is of the job. */
    public static void says(JobId job, Runnable lines) {
        Lines ofJob = of(job);
        try {
            lines.run();
        } finally {
            ofJob.close();
        }
    }

    /** From now on this thread's lines are of the job, until the answer is closed. */
    public static Lines of(JobId job) {
        String before = MDC.get(KEY);
        MDC.put(KEY, job.toString());
        return () -> {
            if (before == null) {
                MDC.remove(KEY);
            } else {
                MDC.put(KEY, before);
            }
        };
    }

    /** Marks the lines that this thread logs from now on with the job, until the request or the batch ends. */
    public static void isNow(JobId job) {
        MDC.put(KEY, job.toString());
    }

    /** The end of what is logged of one job. */
    @FunctionalInterface
    public interface Lines extends AutoCloseable {
        @Override
        void close();
    }
}
