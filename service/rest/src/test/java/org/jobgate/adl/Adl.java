// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.limits.JobLimits;

/** Short descriptions for tests. */
public final class Adl {

    /** What the tests hold as the present time. */
    public static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

    /** A site with mail and two runtime environments. */
    public static final ActivityRules SITE = new ActivityRules(
            JobLimits.defaults(),
            64,
            true,
            true,
            RuntimeEnvironments.of(Map.of(
                    "APPS/X",
                            new RuntimeEnvironments.Setup(
                                    List.of(new EnvironmentVariable("X_HOME", "/opt/x")), List.of()),
                    "APPS/Y-2.0", new RuntimeEnvironments.Setup(List.of(), List.of("/opt/y/setup", "two")))),
            InstantSource.fixed(NOW));

    /** A site that has set nothing. */
    public static final ActivityRules BARE = new ActivityRules(
            JobLimits.defaults(), 64, false, false, RuntimeEnvironments.NONE, InstantSource.fixed(NOW));

    private Adl() {}

    static Activity read(String text) {
        return new AdlReader(SITE).read(text);
    }

    /** A whole description with these parts beside the program. */
    static String of(String inApplication, String inResources, String inStaging) {
        return """
                <ActivityDescription xmlns="http://www.eu-emi.eu/es/2010/12/adl" xmlns:ng="http://www.nordugrid.org/es/2011/12/nordugrid-adl">
                <Application><Executable><Path>/bin/date</Path></Executable>%s</Application>
                <Resources>%s</Resources><DataStaging>%s</DataStaging></ActivityDescription>
                """.formatted(inApplication, inResources, inStaging);
    }
}
