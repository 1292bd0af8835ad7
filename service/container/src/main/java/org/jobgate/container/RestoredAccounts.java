// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jobgate.adapter.PerlLrm;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.doctor.MappedAccounts;
import org.jobgate.job.Reason;
import org.jobgate.store.JobStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The local accounts that may have had jobs after a backup was taken: those that had jobs before, and those that files map people to. */
final class RestoredAccounts {

    private static final Logger LOG = LoggerFactory.getLogger(RestoredAccounts.class);

    private RestoredAccounts() {}

    static Set<String> of(JobgateConfig config, JobStore store) {
        Set<String> accounts = new TreeSet<>(PerlLrm.accountsEverWatched(store));
        List.of(config).forEach(known -> addMapped(known, accounts));
        return accounts;
    }

    private static void addMapped(JobgateConfig config, Set<String> accounts) {
        try {
            accounts.addAll(MappedAccounts.of(config));
        } catch (IOException e) {
            LOG.warn(
                    "A file that maps people to accounts cannot be read: {}. Jobs of accounts that only it names, given to LRMs after the"
                            + " backup, are not looked for",
                    Reason.of(e));
        }
    }
}
