// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jobgate.cli.command.CommandOption;
import org.jobgate.cli.command.ServiceOptions;

/** Options of globus-job-submit-many-ws and globus-job-list-ws. */
final class BulkOption {
    static final CommandOption FACTORY =
            CommandOption.of("CONTACT", "[https://]HOST[:PORT][/SERVICE]; default localhost:8443", "-F", "-factory");
    static final CommandOption FACTORY_TYPE = CommandOption.of("TYPE", "The LRM; default Fork", "-Ft", "-factory-type");
    static final CommandOption DESCRIPTION_FILE =
            CommandOption.of("FILE", "The job description that all jobs are made of", "-f", "-job-description-file");
    static final CommandOption COUNT = CommandOption.of("N", "So many jobs; ${INDEX} is 0 to N-1", "-n", "-count");
    static final CommandOption VARIABLES =
            CommandOption.of("FILE", "A job for each line, which is NAME=VALUE with tabs between", "-v", "-variables");
    static final CommandOption SUBMISSION_ID = CommandOption.of(
            "UUID", "The same id again gives the same jobs and starts nothing", "-I", "-submission-id");
    static final CommandOption TERMINATION =
            CommandOption.of("TIME", "+HH:MM (default +24:00) or \"mm/dd/yyyy HH:MM\" in GMT", "-term", "-termination");
    static final CommandOption STATE = CommandOption.of("STATE", "Only jobs in it; may be repeated", "-state");
    static final CommandOption LRM = CommandOption.of("NAME", "Only jobs of this LRM", "-lrm");
    static final CommandOption SINCE =
            CommandOption.of("TIME", "Only jobs submitted then or later, e.g. 2026-11-20T14:00:00Z", "-since");
    static final CommandOption EXPLAIN = CommandOption.of("", "Show why jobs failed", "-x", "-explain");

    static final List<CommandOption> OF_SUBMIT = withServiceOptions(
            List.of(FACTORY, FACTORY_TYPE, DESCRIPTION_FILE, COUNT, VARIABLES, SUBMISSION_ID, TERMINATION));

    static final List<CommandOption> OF_LIST = withServiceOptions(List.of(FACTORY, STATE, LRM, SINCE, EXPLAIN));

    /** All of them: one that belongs to the other command is refused by name. */
    static final List<CommandOption> TABLE = table();

    private BulkOption() {}

    private static List<CommandOption> withServiceOptions(List<CommandOption> own) {
        List<CommandOption> all = new ArrayList<>(own);
        all.addAll(ServiceOptions.ALL);
        return List.copyOf(all);
    }

    private static List<CommandOption> table() {
        Set<CommandOption> all = new LinkedHashSet<>(OF_SUBMIT);
        all.addAll(OF_LIST);
        return List.copyOf(all);
    }
}
