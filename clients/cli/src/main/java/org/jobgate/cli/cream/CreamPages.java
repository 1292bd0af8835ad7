// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import java.util.List;
import org.jobgate.cli.command.CommandPage;

/** What the commands say of themselves. */
public final class CreamPages {
    static final String SUBMIT = "glite-ce-job-submit";
    static final String STATUS = "glite-ce-job-status";
    static final String LIST = "glite-ce-job-list";
    static final String CANCEL = "glite-ce-job-cancel";
    static final String SUSPEND = "glite-ce-job-suspend";
    static final String RESUME = "glite-ce-job-resume";
    static final String PURGE = "glite-ce-job-purge";
    static final String OUTPUT = "glite-ce-job-output";
    static final String LEASE = "glite-ce-job-lease";
    static final String DELEGATE = "glite-ce-delegate-proxy";
    static final String RENEW = "glite-ce-proxy-renew";
    static final String INFO = "glite-ce-service-info";
    static final String ENABLE = "glite-ce-enable-submission";
    static final String DISABLE = "glite-ce-disable-submission";
    static final String ALLOWED = "glite-ce-allowed-submission";
    static final String EVENTS = "glite-ce-event-query";

    private static final String STATUSES = "What went wrong is said on stderr.";
    private static final String IDS =
            "JOBID is https://HOST:PORT/CREAM and nine digits. A file of ids begins with the line ##CREAMJOBS##.";
    private static final String QUESTION = "Without -N the command asks before it does it.";

    private CreamPages() {}

    /** All names, as the commands are called. */
    public static List<String> names() {
        return List.of(
                SUBMIT, STATUS, LIST, CANCEL, SUSPEND, RESUME, PURGE, OUTPUT, LEASE, DELEGATE, RENEW, INFO, ENABLE,
                DISABLE, ALLOWED, EVENTS);
    }

    public static CommandPage page(String name) {
        return switch (name) {
            case SUBMIT ->
                page(
                        name,
                        "Submit jobs to a CREAM computing element",
                        "[OPTION ...] -r CEID {-a | -D ID} JDL-FILE ...",
                        List.of(
                                "Prints the id of each job on a line of its own. Files of InputSandbox on this machine are brought"
                                        + " before the job starts; names without a directory are those here.",
                                STATUSES),
                        "glite-ce-job-submit -a -r ce.example.org:8443/cream-slurm-short -o ids job.jdl");
            case STATUS ->
                page(
                        name,
                        "Show how jobs of a CREAM computing element stand",
                        "[OPTION ...] {JOBID ... | -i FILE | -a -e HOST:PORT}",
                        List.of(
                                IDS,
                                "What the service says of a job that it does not know is shown in its place.",
                                STATUSES),
                        "glite-ce-job-status -L 2 -i ids");
            case LIST ->
                page(
                        name,
                        "List your jobs at a CREAM computing element",
                        "[OPTION ...] HOST[:PORT]",
                        List.of("Prints the id of each job on a line of its own, or with -o into a file.", STATUSES),
                        "glite-ce-job-list ce.example.org");
            case CANCEL -> ordered(name, "Cancel jobs of a CREAM computing element");
            case SUSPEND -> ordered(name, "Suspend jobs of a CREAM computing element");
            case RESUME -> ordered(name, "Let suspended jobs of a CREAM computing element go on");
            case PURGE -> ordered(name, "Remove jobs that are over, and their files, from a CREAM computing element");
            case OUTPUT ->
                page(
                        name,
                        "Fetch the output that a CREAM computing element keeps",
                        "[OPTION ...] {JOBID ... | -i FILE}",
                        List.of(
                                IDS,
                                "Only of jobs that are over, and only what their OutputSandbox sends to gsiftp://localhost. The files of"
                                        + " each job go to a directory that is named after its id.",
                                STATUSES),
                        "glite-ce-job-output -D results -i ids");
            case LEASE ->
                page(
                        name,
                        "Make or prolong a lease at a CREAM computing element",
                        "[OPTION ...] -e HOST[:PORT] ID",
                        List.of("Jobs that have the lease are cancelled when it ends.", STATUSES),
                        "glite-ce-job-lease -e ce.example.org -T 7200 mine");
            case DELEGATE ->
                page(
                        name,
                        "Delegate your proxy to a CREAM computing element",
                        "[OPTION ...] -e HOST[:PORT] ID",
                        List.of("Jobs that are submitted with -D ID use it. Your private key stays here.", STATUSES),
                        "glite-ce-delegate-proxy -e ce.example.org mine");
            case RENEW ->
                page(
                        name,
                        "Renew a proxy that was delegated to a CREAM computing element",
                        "[OPTION ...] -e HOST[:PORT] ID ...",
                        List.of("The jobs that use it get the new one.", STATUSES),
                        "glite-ce-proxy-renew -e ce.example.org mine");
            default -> service(name);
        };
    }

    private static CommandPage service(String name) {
        return switch (name) {
            case INFO ->
                page(
                        name,
                        "Show what a CREAM computing element says of itself",
                        "[OPTION ...] HOST[:PORT]",
                        List.of(STATUSES),
                        "glite-ce-service-info -L 2 ce.example.org");
            case ENABLE ->
                page(
                        name,
                        "Let a CREAM computing element take jobs again",
                        "[OPTION ...] HOST[:PORT]",
                        List.of("For its administrators.", STATUSES),
                        "glite-ce-enable-submission ce.example.org");
            case DISABLE ->
                page(
                        name,
                        "Let a CREAM computing element take no more jobs",
                        "[OPTION ...] HOST[:PORT]",
                        List.of("For its administrators. Jobs that are there go on.", STATUSES),
                        "glite-ce-disable-submission ce.example.org");
            case ALLOWED ->
                page(
                        name,
                        "Say whether a CREAM computing element takes jobs",
                        "[OPTION ...] HOST[:PORT]",
                        List.of(STATUSES),
                        "glite-ce-allowed-submission ce.example.org");
            case EVENTS ->
                page(
                        name,
                        "Show the changes of your jobs at a CREAM computing element",
                        "[OPTION ...] -e HOST[:PORT] FROM-[TO]",
                        List.of("FROM and TO are numbers of events, the oldest first.", STATUSES),
                        "glite-ce-event-query -e ce.example.org 0-");
            default -> throw new IllegalArgumentException("no command " + name);
        };
    }

    private static CommandPage ordered(String name, String summary) {
        return page(
                name,
                summary,
                "[OPTION ...] {JOBID ... | -i FILE | -a -e HOST:PORT}",
                List.of(
                        IDS,
                        QUESTION,
                        "What the service refuses for a job is shown on stderr, and the exit status is 1.",
                        STATUSES),
                name + " -N -i ids");
    }

    private static CommandPage page(
            String name, String summary, String synopsis, List<String> description, String example) {
        return new CommandPage(
                name,
                summary,
                List.of(synopsis),
                description,
                List.copyOf(CreamOption.table(name)),
                List.of(example),
                true);
    }
}
