// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit.usage;

import static java.util.Objects.requireNonNull;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What usage records say of the site, which no job says.
 *
 * @param site its name in the register of sites
 * @param submitHost the name of this gateway's host
 * @param benchmark the kind of the processors' benchmark, e.g. {@code HEPscore23}
 * @param benchmarkValue of one processor
 * @param unchargedFaults codes of faults for which the site does not charge: jobs that ended with one of them are in no record
 * @param withSubjects whether the subjects of jobs are told; else {@code withheld} stands for them
 */
public record UsageSettings(
        String site,
        String submitHost,
        String benchmark,
        double benchmarkValue,
        Set<String> unchargedFaults,
        boolean withSubjects) {

    /** The faults that are the site's own, and not the job's or its owner's. */
    public static final Set<String> FAULTS_OF_SITE = Set.of(
            "NODE_FAILED", "PREEMPTED", "LOST", "INTERNAL", "STORE_UNAVAILABLE", "SHUTTING_DOWN", "LRM_UNAVAILABLE");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:/-]{1,255}");

    public UsageSettings {
        requireName("site", site);
        requireName("submit host", submitHost);
        requireName("benchmark", benchmark);
        if (!Double.isFinite(benchmarkValue) || benchmarkValue <= 0) {
            throw new IllegalArgumentException(
                    "The value of the benchmark is " + benchmarkValue + "; it must be a number above 0.");
        }
        unchargedFaults = Set.copyOf(unchargedFaults);
    }

    private static void requireName(String what, String text) {
        if (!NAME.matcher(requireNonNull(text, what)).matches()) {
            throw new IllegalArgumentException(
                    "The " + what + " is no name of 1 to 255 letters, digits and . _ : / - characters.");
        }
    }

    /** Whether the rule leaves the job out. */
    boolean leavesOut(UsageRecord record) {
        return record.fault() != null && unchargedFaults.contains(record.fault());
    }

    String subjectOf(UsageRecord record) {
        return withSubjects ? record.subject() : "withheld";
    }

    /** What the records call the batch system behind this gateway. */
    static String infrastructure(String lrm) {
        return "APEL-JOBGATE-" + lrm.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", "");
    }

    /** The name of a queue of an LRM behind this gateway, as APEL tells apart where jobs came in. */
    String submitHost(String lrm, @Nullable String queue) {
        return submitHost + "/jobgate-" + lrm + (queue == null ? "" : "-" + queue);
    }
}
