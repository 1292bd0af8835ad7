// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.job.EnvironmentVariable;
import org.jspecify.annotations.Nullable;

/** The runtime environments that the site has: software that a job asks for by a name like {@code APPS/BIO/BLAST-2.16}. */
@FunctionalInterface
public interface RuntimeEnvironments {

    /** None at all. */
    RuntimeEnvironments NONE = (name, version) -> Optional.empty();

    /**
     * What one of them does for a job.
     *
     * @param environment variables that the job gets
     * @param command a program of the site and its first arguments, run before the job's own program; the options that the job gives follow
     *     as further arguments. Empty for none
     */
    record Setup(List<EnvironmentVariable> environment, List<String> command) {

        public Setup {
            environment = List.copyOf(environment);
            command = List.copyOf(command);
        }
    }

    /** The environment of that name; empty where the site has none. */
    Optional<Setup> find(String name, @Nullable String version);

    /** Those of a map, whose keys are names, with {@code -VERSION} behind them where the version matters. Letters of either case are the same. */
    static RuntimeEnvironments of(Map<String, Setup> setups) {
        Map<String, Setup> known = new java.util.TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        known.putAll(setups);
        return (name, version) -> Optional.ofNullable(known.get(version == null ? name : name + "-" + version));
    }
}
