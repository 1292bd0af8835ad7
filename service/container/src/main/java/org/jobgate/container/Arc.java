// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.UnaryOperator;
import org.jobgate.adl.ActivityRules;
import org.jobgate.adl.RuntimeEnvironments;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.gram.service.AccountHomes;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.limits.Limit;
import org.jobgate.rest.arc.ArcSettings;

/** The settings of the door of ARC's REST interface, read from the configuration. */
final class Arc {

    private Arc() {}

    static ArcSettings settings(JobgateConfig config) {
        return new ArcSettings(
                Version.current(),
                config.arc().sessions(),
                config.arc().inputWait(),
                config.arc().keepCleaned(),
                new Limit("arc.maxIdList", config.arc().maxIdList().bytes()),
                (int) config.limits().jobLimits().jobsAtOnce().value(),
                FileDoor.settings(config.files()));
    }

    static ActivityRules rules(JobgateConfig config) {
        Path environments = config.arc().runtimeEnvironments();
        return new ActivityRules(
                config.limits().jobLimits(),
                config.arc().memoryFloor(),
                config.arc().sendsMail(),
                true,
                environments == null ? RuntimeEnvironments.NONE : new RuntimeEnvironmentFiles(environments),
                InstantSource.system());
    }

    /** Where accounts have their session directories. */
    static UnaryOperator<String> homes(AccountHomes homes) {
        return account -> homes.home(account)
                .orElseThrow(
                        () -> new FaultException(
                                Fault.of(
                                        FaultCode.INTERNAL,
                                        "The account " + account + " has no home directory.",
                                        "Tell the site's administrator: jobs that come by ARC's interface have their files below it.")));
    }
}
