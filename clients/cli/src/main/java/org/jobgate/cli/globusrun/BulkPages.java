// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.util.List;
import org.jobgate.cli.command.CommandPage;

/** What there is to say of the commands for many jobs. */
public final class BulkPages {
    static final String SUBMIT = "globus-job-submit-many-ws";
    static final String LIST = "globus-job-list-ws";
    private static final String ABOUT_SERVICE = "It needs a Jobgate service: GT4's own have no such operation.";

    private BulkPages() {}

    /** All names, as the commands are called. */
    public static List<String> names() {
        return List.of(SUBMIT, LIST);
    }

    public static CommandPage page(String name) {
        return switch (name) {
            case SUBMIT ->
                new CommandPage(
                        name,
                        "Submit many jobs of one description and print their handles",
                        List.of("[OPTION ...] -f FILE {-n N | -v FILE}"),
                        List.of(
                                "Variables stand in the description as ${NAME}; each job has ${INDEX}, from 0, too.",
                                "Each accepted job is a line: its handle, a space and its id. A job that is refused is told on"
                                        + " stderr with its reason; the others are submitted all the same.",
                                "Where the answer is lost the jobs are submitted again under the same ids, which starts nothing"
                                        + " twice; the same can be done later with -I.",
                                ABOUT_SERVICE),
                        List.copyOf(BulkOption.OF_SUBMIT),
                        List.of(
                                "globus-job-submit-many-ws -F ce.example.org -Ft Slurm -f sweep.xml -n 1000",
                                "globus-job-submit-many-ws -f convert.xml -v files.txt"));
            case LIST ->
                new CommandPage(
                        name,
                        "List your jobs at a GRAM4 service",
                        List.of("[OPTION ...]"),
                        List.of(
                                "Each job is a line: its state, the time of its submission, its LRM, its handle and the id that"
                                        + " it was submitted under (- where there was none), oldest first.",
                                ABOUT_SERVICE),
                        List.copyOf(BulkOption.OF_LIST),
                        List.of(
                                "globus-job-list-ws -F ce.example.org -state Active -state Pending",
                                "globus-job-list-ws -state Failed -x"));
            default -> throw new IllegalArgumentException("no command " + name);
        };
    }
}
