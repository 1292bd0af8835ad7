// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.bes;

import java.util.List;
import org.jobgate.cli.command.CommandPage;

/** What the command says of itself. */
public final class BesPages {
    static final String NAME = "bes";

    private BesPages() {}

    /** All names, as the commands are called. */
    public static List<String> names() {
        return List.of(NAME);
    }

    public static CommandPage page(String name) {
        if (!name.equals(NAME)) {
            throw new IllegalArgumentException("no command " + name);
        }
        return new CommandPage(
                NAME,
                "Run activities by OGSA-BES",
                List.of(
                        "create [-F CONTACT] [-o FILE] [-w] [OPTION ...] {-f FILE | FILE}",
                        "{status [-w] | terminate | document | destroy} [OPTION ...] {-j FILE ... | FILE ...}",
                        "factory [-F CONTACT] [OPTION ...]",
                        "accepting {on | off} [-F CONTACT] [OPTION ...]"),
                List.of(
                        "create sends a JSDL document and prints the activity's identifier, or writes it to the file of -o. With -w it waits for"
                                + " the end. A request that got no answer is sent again under the same id, so that it makes one activity.",
                        "status shows the state of each activity, and of a sweep how many of its points stand how. terminate ends them. document"
                                + " prints their JSDL. destroy ends them and has them forgotten.",
                        "factory shows what the gateway is, and its queues. accepting off stops the gateway from taking new jobs, at all of its"
                                + " doors; it is for its administrators.",
                        "Exit status with -w: that of the activity's program; 0 for a sweep of which every point succeeded."),
                List.copyOf(BesOption.table()),
                List.of(
                        "bes create -F gate.example.org -o job.epr job.jsdl",
                        "bes status -w job.epr",
                        "bes terminate job.epr"));
    }
}
