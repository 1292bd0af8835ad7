// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.util.List;
import org.jobgate.cli.command.CommandPage;

/** What there is to say of the globus-job-*-ws commands. */
public final class GlobusJobPages {
    private static final String ABOUT_OUTPUT = "Output goes to files in the job's home directory whose names are the"
            + " submission's id, and is read through the gateway. At a GT4 service, which gives no access to files, they"
            + " are read as files of this machine; where they are not here, the command says where they are.";
    private static final String ABOUT_CONTACT = "CONTACT is HOST[:PORT], with /jobmanager-TYPE (fork, pbs, condor, lsf,"
            + " sge or an LRM's own name) or a service's path after it.";

    private GlobusJobPages() {}

    /** All names, as the commands are called. */
    public static List<String> names() {
        return List.of("globus-job-run-ws", "globus-job-submit-ws", "globus-job-get-output-ws", "globus-job-clean-ws");
    }

    public static CommandPage page(String name) {
        return switch (name) {
            case "globus-job-run-ws" ->
                new CommandPage(
                        name,
                        "Run a program by a GRAM4 service, wait, and show what it wrote",
                        List.of("[OPTION ...] CONTACT [OPTION ...] PROGRAM [ARGUMENT ...]"),
                        List.of(
                                ABOUT_CONTACT,
                                ABOUT_OUTPUT,
                                "Output is shown when the job has ended, not while it runs. The exit status is the"
                                        + " job's own. An interrupt cancels the job."),
                        List.copyOf(JobOption.TABLE),
                        List.of(
                                "globus-job-run-ws ce.example.org /bin/hostname",
                                "globus-job-run-ws ce.example.org/jobmanager-pbs -np 4 -q short -m 10 /bin/hostname -f"));
            case "globus-job-submit-ws" ->
                new CommandPage(
                        name,
                        "Submit a program to a GRAM4 service and print the job's handle",
                        List.of("[OPTION ...] CONTACT [OPTION ...] PROGRAM [ARGUMENT ...]"),
                        List.of(
                                ABOUT_CONTACT,
                                "The handle is for globus-job-get-output-ws, globus-job-clean-ws, the wsrf commands and"
                                        + " globusrun-ws -j."),
                        List.copyOf(JobOption.TABLE),
                        List.of(
                                "job=$(globus-job-submit-ws ce.example.org /bin/hostname)",
                                "globusrun-ws -status -j $job"));
            case "globus-job-get-output-ws" ->
                new CommandPage(
                        name,
                        "Show what a job of globus-job-submit-ws has written so far",
                        List.of("[-out | -err] {HANDLE | EPRFILE}"),
                        List.of(ABOUT_OUTPUT),
                        List.copyOf(HandleOption.TABLE),
                        List.of("globus-job-get-output-ws $job"));
            case "globus-job-clean-ws" ->
                new CommandPage(
                        name,
                        "End a job, remove it and its output",
                        List.of("[-f] {HANDLE | EPRFILE}"),
                        List.of("It asks first, unless -f is given. Output that cannot be reached from here stays"
                                + " where it is."),
                        List.copyOf(HandleOption.TABLE),
                        List.of("globus-job-clean-ws -f $job"));
            default -> throw new IllegalArgumentException("no command " + name);
        };
    }
}
