// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.doctor;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.config.LrmConfig;
import org.jobgate.job.Reason;

/** Whether workers can be started as the accounts of jobs. */
final class AccountFindings {

    static final int MAX_ACCOUNTS = 50;

    private static final String AREA = "accounts";
    private static final String SUDO = "sudo";
    private static final String PROBE = "0".repeat(32);

    private final JobgateConfig config;
    private final Path worker;
    private final String own;

    /** @param own the account that looks, which should be the gateway's */
    AccountFindings(JobgateConfig config, Path worker, String own) {
        this.config = config;
        this.worker = worker;
        this.own = own;
    }

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        if (own.equals("root")) {
            findings.add(Finding.warning(
                    AREA,
                    "this runs as root, and so would the gateway",
                    "make an account without rights for it, and run this as that account"));
        }
        NavigableSet<String> accounts;
        try {
            accounts = MappedAccounts.of(config);
        } catch (IOException e) {
            findings.add(
                    Finding.bad(AREA, "the accounts cannot be found out: " + Reason.of(e), "make the file readable"));
            return findings;
        }
        findings.add(Finding.good(AREA, "people are mapped to " + accounts.size() + " accounts"));
        LrmConfig first = config.lrms().getFirst();
        if (accounts.stream().anyMatch(account -> !account.equals(own))) {
            Programs.Result version = Programs.run(List.of(first.sudo().toString(), "-V"));
            if (!version.isWell()) {
                findings.add(Finding.bad(
                        SUDO,
                        first.sudo() + " does not run: " + version.output(),
                        "install sudo, or map people to the account " + own + " only"));
                return findings;
            }
            findings.add(Finding.good(SUDO, version.output().lines().findFirst().orElse("")));
        }
        accounts.stream().limit(MAX_ACCOUNTS).forEach(account -> findings.add(one(first, account)));
        if (accounts.size() > MAX_ACCOUNTS) {
            findings.add(Finding.warning(
                    AREA, "only " + MAX_ACCOUNTS + " of " + accounts.size() + " accounts were looked at", "none"));
        }
        return findings;
    }

    /** The finding for an account that need not be in any map. */
    Finding of(String account) {
        return one(config.lrms().getFirst(), account);
    }

    private Finding one(LrmConfig lrm, String account) {
        if (!Programs.run(List.of("id", "-u", account)).isWell()) {
            return Finding.bad(AREA, "there is no local account " + account, "make it, or map nobody to it");
        }
        if (account.equals(own)) {
            return Finding.good(AREA, "jobs run as " + account + " itself, without sudo");
        }
        Programs.Result allowed = Programs.run(List.of(
                lrm.sudo().toString(),
                "-n",
                "-l",
                "-u",
                account,
                "--",
                lrm.perl().toString(),
                worker.toString(),
                PROBE));
        return allowed.isWell()
                ? Finding.good(SUDO, "a worker may be started as " + account)
                : Finding.bad(
                        SUDO,
                        "no worker may be started as " + account + " by " + own + ": "
                                + allowed.output().lines().findFirst().orElse("not allowed"),
                        "as root: jobgate doctor --sudoers " + own + " --install");
    }

    /** The rules that would let it. */
    Sudoers sudoers(String serviceAccount) {
        if (!MappedAccounts.isAccount(serviceAccount)) {
            throw new ConfigurationException(List.of("--sudoers " + serviceAccount.replaceAll("\\p{Cntrl}", "?")
                    + ": that cannot be the name of the gateway's account"));
        }
        LrmConfig first = config.lrms().getFirst();
        boolean expressions = Sudoers.hasExpressions(
                Programs.run(List.of(first.sudo().toString(), "-V")).output());
        return new Sudoers(serviceAccount, first.perl(), worker, config.state().directory(), expressions);
    }
}
