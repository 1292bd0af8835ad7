// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.nio.file.Path;
import org.jobgate.container.config.BesConfig;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.door.DoorContext;
import org.jobgate.gram.service.PasswdHomes;
import org.jobgate.jsdl.FileSystems;
import org.jobgate.jsdl.JsdlLanguage;
import org.jobgate.language.JobLanguage;

/** JSDL at this gateway: the file systems of each account, and what each LRM is known to have. */
final class Jsdl {

    /** As for job descriptions of GRAM4, where the site names no place for scratch directories. */
    private static final String DEFAULT_SCRATCH = "/.globus/scratch";

    private Jsdl() {}

    static JobLanguage language(JobgateConfig config, DoorContext door) {
        PasswdHomes homes = new PasswdHomes();
        Path scratch = config.gram().scratchBaseDirectory();
        return new JsdlLanguage(
                GramLimits.xml(config.gram()),
                door.jobs()::capabilities,
                account -> homes.home(account)
                        .map(home ->
                                FileSystems.of(home, scratch == null ? home + DEFAULT_SCRATCH : scratch.toString())),
                new PrimaryGroups()::of,
                config.bes().jobProject() == BesConfig.JobProject.NOTE);
    }
}
