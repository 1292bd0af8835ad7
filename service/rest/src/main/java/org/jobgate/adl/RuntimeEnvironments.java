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

    /** One that needs nothing of the site: the job gets the credential that its client has delegated. */
    String PROXY = "ENV/PROXY";

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

    /**
     * One that clients are told of.
     *
     * @param name with {@code -VERSION} behind it where it has one
     * @param runsProgram whether a program of the site runs before the job, which not each LRM can do
     */
    record Offered(String name, boolean runsProgram) {}

    /** The environment of that name; empty where the site has none. */
    Optional<Setup> find(String name, @Nullable String version);

    /** Those that clients are told of, by name: brokers send a job that asks for one only to where it is listed. */
    default List<Offered> offered() {
        return List.of();
    }

    /** Those of a map, whose keys are names, with {@code -VERSION} behind them where the version matters. Letters of either case are the same. */
    static RuntimeEnvironments of(Map<String, Setup> setups) {
        Map<String, Setup> known = new java.util.TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        known.putAll(setups);
        return new RuntimeEnvironments() {
            @Override
            public Optional<Setup> find(String name, @Nullable String version) {
                return Optional.ofNullable(known.get(version == null ? name : name + "-" + version));
            }

            @Override
            public List<Offered> offered() {
                return known.entrySet().stream()
                        .map(entry -> new Offered(
                                entry.getKey(), !entry.getValue().command().isEmpty()))
                        .toList();
            }
        };
    }
}
