// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import org.jobgate.job.JobDescription;
import org.jobgate.limits.JobLimits;

/** JDL as the tests write it. */
final class JdlTexts {

    static final JdlPlaces PLACES = new JdlPlaces("/scratch/work", "/scratch/in", "/scratch/out");

    private JdlTexts() {}

    static Jdl read(String text) {
        return new JdlReader(JobLimits.defaults()).read(text);
    }

    static JobDescription job(String text) {
        return read(text).description(PLACES);
    }

    /** A job with a program, and these attributes. */
    static JobDescription with(String attributes) {
        return job("[ Executable = \"/bin/true\"; " + attributes + " ]");
    }
}
