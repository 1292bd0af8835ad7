// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import java.util.List;
import org.jobgate.cli.command.CommandPage;

/** What the command says of itself. */
public final class IcePages {
    static final String NAME = "ice";

    private IcePages() {}

    /** All names, as the commands are called. */
    public static List<String> names() {
        return List.of(NAME);
    }

    /** The page of one of them. */
    public static CommandPage page(String name) {
        if (!name.equals(NAME)) {
            throw new IllegalArgumentException("no command " + name);
        }
        return new CommandPage(
                NAME,
                "Bring jobs from a queue of your own to CREAM computing elements",
                List.of(
                        "submit [-q DIRECTORY] [-r CEID ...] [-p FILE] [-m SERVER] [-o FILE] JDL-FILE ...",
                        "run [-q DIRECTORY] [OPTION ...]",
                        "status [-q DIRECTORY] [-a | -s STATE:... | -i FILE | ID ...]",
                        "log [-q DIRECTORY] [-i FILE | ID ...]",
                        "cancel [-q DIRECTORY] {-i FILE | ID ...}"),
                List.of(
                        "submit puts jobs into the queue and prints an id for each; it asks no service. With several -r a job goes to one of these"
                                + " queues that can be reached. The attributes RetryCount and ShallowRetryCount of the JDL say how often it is"
                                + " submitted once more where it failed.",
                        "run is the manager: it submits what is in the queue, renews delegated proxies and leases, and learns by events what becomes"
                                + " of the jobs. One manager works on a queue. It may be killed at any moment: when it is started again, no job is"
                                + " lost and none runs twice.",
                        "Scripts may also write NAME.jdl, with ce_id and X509UserProxy in it, into DIRECTORY/spool, and ids into NAME.cancel: write"
                                + " under another name, then rename.",
                        "status without ids says how many jobs are in each state. A line of status has id, state, attempt, exit code, address and"
                                + " reason, one of log time, id, attempt, step and detail, with tabulators between."),
                List.copyOf(IceOption.table()),
                List.of(
                        "ice submit -r ce1.example.org/cream-slurm-short -r ce2.example.org/cream-pbs-long job.jdl",
                        "ice run --threads 20",
                        "ice status"));
    }
}
