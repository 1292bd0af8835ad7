// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

/** One local resource manager. */
@Section("The local resource managers (batch systems), a list; the first is the default.")
public record LrmConfig(
        @Setting(description = "The name by which clients ask for it.", byDefault = "Fork", tier = Tier.ESSENTIAL)
        String name,

        @Setting(
                description = "The adapter that drives it: `fork` runs jobs on this machine.",
                byDefault = "fork",
                tier = Tier.ESSENTIAL)
        String adapter,

        @Setting(
                description =
                        "How many of its jobs may run at a time; only for adapters whose LRM has no limit of its own, as fork.",
                byDefault = "1000",
                min = "1",
                max = "1000000",
                tier = Tier.ESSENTIAL)
        int maxRunning) {

    public LrmConfig {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")) {
            throw new IllegalArgumentException(
                    "name must be 1 to 64 letters, digits, dots, dashes or underscores: " + name);
        }
    }
}
