// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Who may submit, and as which account. */
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
                description = "How long a change of the grid-mapfile may go unnoticed.",
                byDefault = "2s",
                min = "0s",
                max = "10m",
                tier = Tier.RARE)
        Duration gridMapfileCheck) {}
