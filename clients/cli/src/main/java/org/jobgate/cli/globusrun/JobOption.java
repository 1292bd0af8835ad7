// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.util.List;
import org.jobgate.cli.command.Described;

/** Options of globus-job-run-ws and globus-job-submit-ws: those of GT2's globus-job-run as far as they can be kept. */
enum JobOption implements Described {
    FACTORY("CONTACT", "Where to; then no CONTACT stands before the program", "-F", "-factory"),
    FACTORY_TYPE("TYPE", "The LRM; default Fork", "-Ft", "-factory-type"),
    COUNT("N", "So many processes; default 1", "-np", "-count"),
    HOST_COUNT("N", "On so many nodes", "-host-count"),
    JOB_TYPE("TYPE", "single, multiple, mpi or condor", "-type", "-job-type"),
    MAX_TIME("MINUTES", "End it after that time", "-m", "-maxtime"),
    QUEUE("QUEUE", "The LRM's queue", "-q", "-queue"),
    PROJECT("PROJECT", "The account to charge", "-p", "-project"),
    DIRECTORY("DIRECTORY", "Where it starts; default the home directory", "-d", "-dir", "-directory"),
    ENVIRONMENT("NAME=VALUE", "Set a variable; may be repeated", "-env"),
    STDIN("FILE", "Its input, a file on the service's side", "-stdin"),
    STDOUT("FILE", "Its output stays there, on the service's side", "-stdout"),
    STDERR("FILE", "The same for its messages", "-stderr"),
    TERMINATION("TIME", "+HH:MM (default +24:00) or \"mm/dd/yyyy HH:MM\" in GMT", "-term", "-termination"),
    DUMP("", "Show the job description; submit nothing", "-dumpjdd", "-dumprsl"),
    EPR_OUTPUT("FILE", "Write the job's endpoint reference there", "-o", "-job-epr-output-file"),
    VERBOSE("", "Show each state on stderr", "-verbose"),
    LOCAL("", "Changes nothing: the program is always on the service's side", "-l"),
    STAGE("", "Bring the program along", "-s", "-stage"),
    CLAUSE("RSL", "Add an RSL clause", "-x"),
    TIMEOUT("MILLISECONDS", "For each step on the network; default 120000", "-T", "-http-timeout"),
    SELF("", "Expect a service that runs as yourself", "-self", "-self-authz"),
    SUBJECT("DN", "Expect this subject", "-subject", "-subject-authz"),
    DEBUG("", "Show the SOAP messages on stderr", "-dbg", "-debug"),
    HELP("", "Show this", "-help", "--help", "-usage"),
    VERSION("", "Show the version", "-version", "-versions", "--version");

    private final String argument;
    private final String text;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable; its type does not say so
    private final List<String> names;

    JobOption(String argument, String text, String... names) {
        this.argument = argument;
        this.text = text;
        this.names = List.of(names);
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public String argument() {
        return argument;
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public String refusal() {
        return switch (this) {
            case STAGE -> "staging is not in this version; put the program on the service's side";
            case CLAUSE -> "RSL is not understood here; write a job description and use globusrun-ws -f";
            default -> "";
        };
    }
}
