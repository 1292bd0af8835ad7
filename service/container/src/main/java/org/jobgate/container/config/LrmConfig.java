// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One local resource manager. */
@Section("The local resource managers (batch systems), a list; the first is the default.")
public record LrmConfig(
        @Setting(description = "The name by which clients ask for it.", byDefault = "Fork", tier = Tier.ESSENTIAL)
        String name,

        @Setting(
                description =
                        "The adapter that drives it: `fork` runs jobs on this machine, `condor` in an HTCondor pool.",
                byDefault = "fork",
                tier = Tier.ESSENTIAL)
        String adapter,

        @Setting(
                description =
                        "How many jobs of one account run at a time; the others wait. Only for adapters whose LRM has no limit of its own, as fork.",
                byDefault = "1000",
                min = "1",
                max = "1000000",
                tier = Tier.ESSENTIAL)
        int maxRunning,

        @Setting(
                description =
                        "Directory in which an account's jobs are looked after, as that account sees it: `~` is its home,"
                                + " `$${account}` its name. Without it: below `~/.jobgate/`, by a name made from the state directory, so that"
                                + " several gateways on one machine do not meet.")
        @Nullable
        String spool,

        @Setting(description = "The Perl that runs the adapter.", byDefault = "/usr/bin/perl")
        Path perl,

        @Setting(
                description = "The program that runs the adapter as another account.",
                byDefault = "/usr/bin/sudo",
                tier = Tier.RARE)
        Path sudo,

        @Setting(
                description = "Jobs that are given to the LRM in one request.",
                byDefault = "100",
                min = "1",
                max = "10000",
                tier = Tier.RARE)
        int batchLimit,

        @Setting(
                description = "How long an answer of the adapter is waited for.",
                byDefault = "1m",
                min = "1s",
                max = "1h",
                tier = Tier.RARE)
        Duration requestTimeout,

        @Setting(
                description = "The adapter of an account without requests and live jobs is ended after this time.",
                byDefault = "10m",
                min = "1s",
                max = "7d",
                tier = Tier.RARE)
        Duration idleEnd,

        @Setting(
                description = "From the friendly signal to the hard one when a job is ended.",
                byDefault = "5s",
                min = "1ms",
                max = "1h")
        Duration grace,

        @Setting(
                description =
                        "File of variables for job descriptions, one `NAME=text` a line; a text may name other variables as"
                                + " `$${NAME}`.")
        @Nullable
        Path substitutionDefinitions,

        @Setting(
                description = "The file is read again after this time.",
                byDefault = "8h",
                min = "1s",
                max = "7d",
                tier = Tier.RARE)
        Duration substitutionRefresh,

        @Setting(
                description =
                        "Settings that only this adapter knows, each as `name=value`; for `condor` see `docs/internals/htcondor.md`.",
                byDefault = "",
                tier = Tier.RARE)
        List<String> options) {

    public LrmConfig {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")) {
            throw new IllegalArgumentException(
                    "name must be 1 to 64 letters, digits, dots, dashes or underscores: " + name);
        }
        for (String option : options) {
            if (!option.matches("[a-z][a-z0-9_]{0,63}=.*")) {
                throw new IllegalArgumentException(
                        "options must each be name=value, with a name of small letters, digits and underscores: "
                                + option);
            }
        }
        options = List.copyOf(options);
    }

    /** The options by name. */
    public Map<String, String> optionsByName() {
        return options.stream()
                .map(option -> option.split("=", 2))
                .collect(Collectors.toUnmodifiableMap(
                        option -> option[0], option -> option[1], (first, second) -> second));
    }
}
