// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.nio.file.Path;
import java.util.List;
import org.jobgate.adl.ActivityRules;
import org.jobgate.adl.AdlLanguage;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.door.DoorContext;
import org.jobgate.jdl.JdlLanguage;
import org.jobgate.language.JobLanguages;
import org.jobgate.xrsl.XrslLanguage;

/** The languages in which jobs can be described at this gateway: the one list to which a new language is added. */
final class Languages {

    private Languages() {}

    /**
     * Those for one door.
     *
     * @param home where Jobgate is installed
     */
    static JobLanguages of(JobgateConfig config, Path home, DoorContext door) {
        return new JobLanguages(List.of(
                Gram.language(config, home, door),
                new AdlLanguage(ActivityRules::of),
                new XrslLanguage(ActivityRules::of),
                new JdlLanguage(),
                Jsdl.language(config, door)));
    }
}
