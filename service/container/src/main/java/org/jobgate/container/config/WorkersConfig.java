// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.util.LinkedHashMap;
import java.util.Map;

/** How many workers each stage of a job's way has. */
@Section(
        "How many workers each stage of a job's way has. The number can be changed while the service runs: `jobgate` admin, POST /pools.")
public record WorkersConfig(
        @Setting(description = "Workers that give jobs to the LRM.", byDefault = "4", min = "1", max = "256")
        int submit,

        @Setting(description = "Workers that end jobs in the LRM.", byDefault = "2", min = "1", max = "256")
        int cancel,

        @Setting(description = "Workers that fetch input files.", byDefault = "8", min = "1", max = "256")
        int stageIn,

        @Setting(description = "Workers that send output files.", byDefault = "8", min = "1", max = "256")
        int stageOut,

        @Setting(description = "Workers that remove what jobs left behind.", byDefault = "4", min = "1", max = "256")
        int cleanUp) {

    /** The numbers by the pools' names. */
    public Map<String, Integer> byName() {
        Map<String, Integer> workers = new LinkedHashMap<>();
        workers.put("submit", submit);
        workers.put("cancel", cancel);
        workers.put("stageIn", stageIn);
        workers.put("stageOut", stageOut);
        workers.put("cleanUp", cleanUp);
        return workers;
    }
}
