// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import org.jspecify.annotations.Nullable;

/**
 * The graphics processors that a job asks for.
 *
 * @param number in all, at least 1
 * @param model as the LRM calls it, e.g. {@code a100}; absent: any
 * @param mode who may use one at the same time; absent: as the site has set it
 */
public record Gpus(
        int number, @Nullable String model, @Nullable Mode mode) {

    /** Which processes may use one graphics processor at the same time. */
    public enum Mode {
        /** Several processes, of any job. */
        SHARED,
        /** One process. */
        EXCLUSIVE_PROCESS,
        /** One thread. */
        EXCLUSIVE_THREAD
    }

    public Gpus {
        ResourceValues.requireCount("gpus", number);
        ResourceValues.requireName("gpu_model", model);
    }
}
