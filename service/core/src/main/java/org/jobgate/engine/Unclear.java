// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jobgate.job.Job;

/** The jobs of one batch for which their LRM gave no clear answer, and whether it gave one for any other. */
final class Unclear {

    private final Map<Job, String> because = new LinkedHashMap<>();
    private boolean answers;

    /** Takes note of a job without a clear answer; `alone` where the LRM said that it is only this one. */
    void add(Job job, String why, boolean alone) {
        because.put(job, why);
        answers |= alone;
    }

    /** The LRM gave a clear answer for another job of the batch. */
    void answered() {
        answers = true;
    }

    boolean lrmAnswers() {
        return answers;
    }

    boolean isEmpty() {
        return because.isEmpty();
    }

    List<Job> jobs() {
        return List.copyOf(because.keySet());
    }

    /** The last reason; empty where there is none. */
    String because() {
        return because.isEmpty() ? "" : List.copyOf(because.values()).getLast();
    }

    void forEach(BiConsumer<Job, String> what) {
        because.forEach(what);
    }
}
