// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.util.ArrayList;
import java.util.List;
import org.jobgate.cli.command.CommandOption;
import org.jobgate.cli.command.ServiceOptions;

/** Options of globus-job-get-output-ws and globus-job-clean-ws. */
final class HandleOption {
    static final CommandOption OUT = CommandOption.of("", "Show stdout (the default)", "-out");
    static final CommandOption ERR = CommandOption.of("", "Show stderr", "-err");
    static final CommandOption FORCE = CommandOption.of("", "Do not ask before cleaning", "-f", "-force");
    static final CommandOption QUIET = CommandOption.of("", "Say nothing but errors", "-q", "-quiet");

    static final List<CommandOption> TABLE = table();

    private HandleOption() {}

    private static List<CommandOption> table() {
        List<CommandOption> all = new ArrayList<>(List.of(OUT, ERR, FORCE, QUIET));
        all.addAll(ServiceOptions.ALL);
        return List.copyOf(all);
    }
}
