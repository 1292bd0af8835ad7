// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.util.List;

/** OGSA-BES. */
@Section("OGSA-BES (`/bes`). What each operation does: [bes.md](bes.md).")
public record BesConfig(
        @Setting(
                description =
                        "The subjects who may stop and start the acceptance of new activities by BESManagement, each as in the grid-mapfile, e.g."
                                + " `/O=Grid/CN=Alice`. It is the same switch as that of `jobgate drain`, for all doors. If none is given, nobody may.",
                byDefault = "")
        List<String> administrators,

        @Setting(
                description =
                        "What becomes of the `JobProject` of a JSDL document, at every door: `lrm` makes it the project of the job in the LRM (an account of"
                                + " Slurm, an accounting group of HTCondor), which fails the job where the LRM has none of that name; `note` keeps it, and all"
                                + " further ones, in the job's document only.",
                byDefault = "lrm")
        JobProject jobProject,

        @Setting(description = "Activity identifiers in one request.", byDefault = "2000", min = "1", max = "10000")
        long maxIdentifiers,

        @Setting(
                description = "Activities of the caller that the factory's attributes list; the newest are listed.",
                byDefault = "100",
                min = "0",
                max = "10000",
                tier = Tier.RARE)
        long maxActivityReferences,

        @Setting(
                description = "Points of a sweep that the answer to its creation lists.",
                byDefault = "1000",
                min = "0",
                max = "100000",
                tier = Tier.RARE)
        long maxListedPoints) {

    /** Where the projects of documents go. */
    public enum JobProject {
        LRM,
        NOTE
    }

    public BesConfig {
        administrators = List.copyOf(administrators);
        for (String subject : administrators) {
            if (!subject.startsWith("/")) {
                throw new IllegalArgumentException(
                        "administrators must each be a subject such as /O=Grid/CN=Alice: " + subject);
            }
        }
    }
}
