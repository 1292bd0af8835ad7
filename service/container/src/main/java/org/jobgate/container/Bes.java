// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jobgate.bes.Acceptance;
import org.jobgate.bes.BesSettings;
import org.jobgate.container.admin.ServiceControl;
import org.jobgate.container.config.BesConfig;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.limits.Limit;

/** The settings of the BES door, read from the configuration. */
final class Bes {

    private Bes() {}

    static BesSettings settings(JobgateConfig config) {
        BesConfig bes = config.bes();
        return new BesSettings(
                Set.copyOf(bes.administrators()),
                new Limit("bes.maxIdentifiers", bes.maxIdentifiers()),
                new Limit("bes.maxActivityReferences", bes.maxActivityReferences()),
                new Limit("bes.maxListedPoints", bes.maxListedPoints()),
                config.limits().jobLimits(),
                GramLimits.xml(config.gram()));
    }

    /** The administrator's switch, by which the whole service drains. */
    static Acceptance acceptance(ServiceControl control, BooleanSupplier isDraining) {
        return new Acceptance() {
            @Override
            public boolean isOn() {
                return !isDraining.getAsBoolean();
            }

            @Override
            public void stop() {
                control.drain();
            }

            @Override
            public void start() {
                control.resume();
            }
        };
    }
}
