// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.nio.file.Path;
import java.util.Optional;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.gram.GramSettings;
import org.jobgate.gram.notification.NotifierSettings;
import org.jobgate.gram.service.AccountVariables;
import org.jobgate.gram.service.FactoryFacts;
import org.jobgate.gram.service.WaitLimits;
import org.jobgate.gram.soap.SoapLimits;
import org.jobgate.gram.xml.XmlLimits;
import org.jobgate.limits.Limit;

/** What the GRAM4 door is told of the configuration. */
final class Gram {

    private Gram() {}

    static GramSettings settings(JobgateConfig config, String url, Path home) {
        return new GramSettings(
                url,
                FactoryFacts.ofThisHost(home.toString()),
                config.limits().jobLimits(),
                new SoapLimits(
                        new Limit(
                                "limits.maxBodyBytes",
                                config.limits().maxBodyBytes().bytes()),
                        XmlLimits.defaults()),
                new WaitLimits(
                        new Limit("limits.maxWaitingRequests", config.limits().maxWaitingRequests()),
                        config.limits().maxWait()),
                NotifierSettings.defaults());
    }

    /** The variables that every GRAM4 service has (facts/gram4.md section 2.2). */
    static AccountVariables variables(Path home) {
        return account -> name -> switch (name) {
            case "GLOBUS_USER_HOME" -> AccountHome.of(account);
            case "GLOBUS_USER_NAME" -> Optional.of(account);
            case "GLOBUS_LOCATION" -> Optional.of(home.toString());
            case "GLOBUS_SCRATCH_DIR" -> AccountHome.of(account).map(directory -> directory + "/.globus/scratch");
            default -> Optional.empty();
        };
    }
}
