// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jobgate.authz.CombiningRule;

/** The settings that say who may submit, and as which account. */
@Section("Who may submit jobs, and as which local account they run.")
public record AuthorizationConfig(
        @Setting(
                description =
                        "File that maps subjects to accounts: `\"/O=Grid/CN=Alice\" alice,project1`, the default account first.",
                byDefault = "/etc/grid-security/grid-mapfile",
                tier = Tier.ESSENTIAL)
        Path gridMapfile,

        @Setting(description = "Accounts that no job may ever run as.", byDefault = "root", tier = Tier.ESSENTIAL)
        List<String> deniedAccounts,

        @Setting(
                description =
                        "How long a change of the grid-mapfile, or of another file that decides, may go unnoticed.",
                byDefault = "2s",
                min = "0s",
                max = "10m",
                tier = Tier.RARE)
        Duration gridMapfileCheck,

        @Setting(
                description =
                        "How one decision is made of what the decision points say: one denial denies, one permit permits, the first that has"
                                + " an opinion decides, or one permit permits if it is given in a name that the site trusts.",
                byDefault = "deny-overrides")
        CombiningRule combiningRule,

        @Setting(
                description =
                        "Subjects such as `/O=Grid/CN=Alice` who may look at what is others' and change it over the network, where a door"
                                + " offers that (docs/operate/accounting.md). A ban, or a bearer token that may not look or change, holds for"
                                + " them too. The administrator's socket needs no name.",
                byDefault = "")
        List<String> administrators) {

    public AuthorizationConfig {
        administrators = List.copyOf(administrators);
        for (String subject : administrators) {
            if (subject.isBlank() || subject.length() > 1024) {
                throw new IllegalArgumentException(
                        "administrators must each be a subject such as /O=Grid/CN=Alice: " + subject);
            }
        }
    }
}
