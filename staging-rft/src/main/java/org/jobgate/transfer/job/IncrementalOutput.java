// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.job;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import org.jobgate.limits.Limit;

/**
 * Whose output files are sent while the job runs, by the site's rule.
 *
 * @param files the most of one job
 */
public record IncrementalOutput(Rule rule, Limit files) {

    /** The option of one of the files to send. */
    static final String OPTION = "incremental";

    /** The jobs whose output is sent while they run. */
    public enum Rule {
        /** For none; those that ask for it are refused. */
        NEVER,
        /** For those that ask for it. */
        ASKED,
        /** For those too whose stdout or stderr is a URL that can be appended to, unless they say no. */
        ALWAYS
    }

    public IncrementalOutput {
        requireNonNull(rule, "rule is null");
        requireNonNull(files, "files is null");
    }

    /** For the jobs that ask for it, up to 16 files of each. */
    public static IncrementalOutput asked() {
        return new IncrementalOutput(Rule.ASKED, new Limit("staging.incrementalFiles", 16));
    }

    static boolean isAsked(Map<String, String> options) {
        return "true".equals(options.get(OPTION));
    }
}
