// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import org.jobgate.adapter.LeftWorkers;
import org.jobgate.address.OwnPorts;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.gram.service.AccountHomes;

/**
 * What every part is made with.
 *
 * @param state the state directory
 * @param home where Jobgate is installed: the Perl adapters are below it
 * @param homes where local accounts have their home directories
 * @param ports at which this gateway answers, known once they are open
 * @param left processes of accounts that could not be ended
 * @param kept takes what must be closed
 */
record Base(
        JobgateConfig config,
        Path state,
        Path home,
        AccountHomes homes,
        OwnPorts ports,
        LeftWorkers left,
        Clock clock,
        SecureRandom random,
        KeptParts kept) {

    static Base of(JobgateConfig config, Path state, Path home, AccountHomes homes) {
        return new Base(
                config,
                state,
                home,
                homes,
                new OwnPorts(config.server().publicName()),
                new LeftWorkers(),
                Clock.systemUTC(),
                new SecureRandom(),
                new KeptParts());
    }

    <T extends AutoCloseable> T keep(T part) {
        return kept.keep(part);
    }
}
