// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.config.MessageSecurityConfig;
import org.jobgate.job.Reason;
import org.jobgate.wssecurity.Passwords;
import org.jspecify.annotations.Nullable;

/** Whether those who come with a name and a password can be known: the list, and what PAM needs for passwords of local accounts. */
final class PasswordFindings {

    private static final String AREA = "passwords";
    private static final List<String> PLACES = List.of("/etc/pam.d", "/usr/lib/pam.d", "/usr/etc/pam.d");

    private final JobgateConfig config;
    private final AccountFindings accounts;

    PasswordFindings(JobgateConfig config, AccountFindings accounts) {
        this.config = config;
        this.accounts = accounts;
    }

    /** Nothing where no password is taken. */
    List<Finding> all() {
        MessageSecurityConfig messages = config.messageSecurity();
        Path file = messages.passwordFile();
        List<Finding> findings = new ArrayList<>();
        if (!messages.isUsed() || file == null) {
            return findings;
        }
        List<String> named;
        try {
            named = Passwords.read(file, (account, password) -> false).accounts();
        } catch (IllegalArgumentException e) {
            return List.of(Finding.bad(AREA, file + ": " + e.getMessage(), "mend it"));
        } catch (IOException e) {
            return List.of(Finding.bad(
                    AREA, file + " cannot be read: " + Reason.of(e), "make it readable for the gateway's account"));
        }
        findings.add(Finding.good(AREA, file + " can be read, and is its owner's alone"));
        if (!named.isEmpty()) {
            pam(findings, messages.pamService(), named);
        }
        return findings;
    }

    private void pam(List<Finding> findings, @Nullable String service, List<String> named) {
        if (service == null) {
            findings.add(Finding.bad(
                    AREA,
                    "the list names passwords of " + named.size() + " local accounts, and no service of PAM is given",
                    "set messageSecurity.pamService"));
            return;
        }
        findings.add(
                PLACES.stream().anyMatch(place -> Files.exists(Path.of(place, service)))
                        ? Finding.good(AREA, "there is a PAM service " + service)
                        : Finding.bad(
                                AREA,
                                "there is no PAM service " + service,
                                "write /etc/pam.d/" + service + ", or name another in messageSecurity.pamService"));
        String perl = config.lrms().getFirst().perl().toString();
        findings.add(
                Programs.run(List.of(perl, "-MAuthen::PAM", "-e1")).isWell()
                        ? Finding.good(AREA, "Perl has the module Authen::PAM")
                        : Finding.bad(
                                AREA,
                                "Perl's module Authen::PAM is missing",
                                "on Debian: apt-get install libauthen-pam-perl"));
        unmapped(findings, named);
    }

    /** Those to which somebody is mapped are looked at anyway. */
    private void unmapped(List<Finding> findings, List<String> named) {
        Set<String> left = new TreeSet<>(named);
        try {
            left.removeAll(MappedAccounts.of(config));
        } catch (IOException e) {
            return; // said already
        }
        for (String account : left.stream().limit(AccountFindings.MAX_ACCOUNTS).toList()) {
            findings.add(
                    config.authorization().deniedAccounts().contains(account)
                            ? Finding.bad(
                                    AREA,
                                    "the list names the password of " + account + ", as which nothing may be done",
                                    "take it out of the list")
                            : accounts.of(account));
        }
    }
}
