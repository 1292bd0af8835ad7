// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.bes;

import java.util.ArrayList;
import java.util.List;
import org.jobgate.cli.command.CommandOption;
import org.jobgate.cli.command.ServiceOptions;

/** Options of the command, spelled as those of globusrun-ws where they mean the same. */
final class BesOption {
    static final CommandOption FACTORY = CommandOption.of(
            "CONTACT", "The gateway: [https://]HOST[:PORT][/SERVICE]; default localhost:8443", "-F", "-factory");
    static final CommandOption FILE =
            CommandOption.of("FILE", "The JSDL document of the activity", "-f", "-job-description-file");
    static final CommandOption OUTPUT =
            CommandOption.of("FILE", "Write the activity's identifier there", "-o", "-job-epr-output-file");
    static final CommandOption IDENTIFIER = CommandOption.of(
            "FILE", "The activity: its identifier in a file; may be given several times", "-j", "-job-epr-file");
    static final CommandOption WAIT =
            CommandOption.of("", "Wait for the end, and exit with the activity's exit code", "-w", "-wait", "--wait");
    static final CommandOption SUBMISSION = CommandOption.of(
            "ID", "Your own id of the submission: the same id again is the same activity", "-I", "-submission-id");
    static final CommandOption QUIET = CommandOption.of("", "Say nothing but errors", "-q", "-quiet");

    private BesOption() {}

    static List<CommandOption> table() {
        List<CommandOption> table =
                new ArrayList<>(List.of(FACTORY, FILE, OUTPUT, IDENTIFIER, WAIT, SUBMISSION, QUIET));
        for (CommandOption option : ServiceOptions.ALL) {
            if (!option.equals(ServiceOptions.PROTOCOL)) {
                table.add(option);
            }
        }
        return table;
    }
}
