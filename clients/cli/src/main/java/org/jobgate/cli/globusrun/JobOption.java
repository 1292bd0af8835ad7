// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.util.ArrayList;
import java.util.List;
import org.jobgate.cli.command.CommandOption;
import org.jobgate.cli.command.ServiceOptions;

/** Options of globus-job-run-ws and globus-job-submit-ws: those of GT2's globus-job-run as far as they can be kept. */
final class JobOption {
    static final CommandOption FACTORY =
            CommandOption.of("CONTACT", "Where to; then no CONTACT stands before the program", "-F", "-factory");
    static final CommandOption FACTORY_TYPE = CommandOption.of("TYPE", "The LRM; default Fork", "-Ft", "-factory-type");
    static final CommandOption COUNT = CommandOption.of("N", "So many processes; default 1", "-np", "-count");
    static final CommandOption HOST_COUNT = CommandOption.of("N", "On so many nodes", "-host-count");
    static final CommandOption JOB_TYPE =
            CommandOption.of("TYPE", "single, multiple, mpi or condor", "-type", "-job-type");
    static final CommandOption MAX_TIME = CommandOption.of("MINUTES", "End it after that time", "-m", "-maxtime");
    static final CommandOption QUEUE = CommandOption.of("QUEUE", "The LRM's queue", "-q", "-queue");
    static final CommandOption PROJECT = CommandOption.of("PROJECT", "The account to charge", "-p", "-project");
    static final CommandOption DIRECTORY =
            CommandOption.of("DIRECTORY", "Where it starts; default the home directory", "-d", "-dir", "-directory");
    static final CommandOption ENVIRONMENT = CommandOption.of("NAME=VALUE", "Set a variable; may be repeated", "-env");
    static final CommandOption STDIN = CommandOption.of("FILE", "Its input, a file on the service's side", "-stdin");
    static final CommandOption STDOUT =
            CommandOption.of("FILE", "Its output stays there, on the service's side", "-stdout");
    static final CommandOption STDERR = CommandOption.of("FILE", "The same for its messages", "-stderr");
    static final CommandOption TERMINATION =
            CommandOption.of("TIME", "+HH:MM (default +24:00) or \"mm/dd/yyyy HH:MM\" in GMT", "-term", "-termination");
    static final CommandOption DUMP =
            CommandOption.of("", "Show the job description; submit nothing", "-dumpjdd", "-dumprsl");
    static final CommandOption EPR_OUTPUT =
            CommandOption.of("FILE", "Write the job's endpoint reference there", "-o", "-job-epr-output-file");
    static final CommandOption VERBOSE = CommandOption.of("", "Show each state on stderr", "-verbose");
    static final CommandOption LOCAL =
            CommandOption.of("", "Changes nothing: the program is always on the service's side", "-l");
    static final CommandOption STAGE = CommandOption.refused(
            "this command brings no files; globusrun-ws -f does, with the program in fileStageIn",
            "",
            "Bring the program along",
            "-s",
            "-stage");
    static final CommandOption CLAUSE = CommandOption.refused(
            "RSL is not understood here; write a job description and use globusrun-ws -f",
            "RSL",
            "Add an RSL clause",
            "-x");

    static final List<CommandOption> TABLE = table();

    private JobOption() {}

    private static List<CommandOption> table() {
        List<CommandOption> all = new ArrayList<>(List.of(
                FACTORY,
                FACTORY_TYPE,
                COUNT,
                HOST_COUNT,
                JOB_TYPE,
                MAX_TIME,
                QUEUE,
                PROJECT,
                DIRECTORY,
                ENVIRONMENT,
                STDIN,
                STDOUT,
                STDERR,
                TERMINATION,
                DUMP,
                EPR_OUTPUT,
                VERBOSE,
                LOCAL,
                STAGE,
                CLAUSE));
        all.addAll(ServiceOptions.ALL);
        return List.copyOf(all);
    }
}
