// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import static org.jobgate.cli.cream.CreamClient.TYPES;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/** The commands for jobs that are there: glite-ce-job-status, -list, -cancel, -suspend, -resume and -purge. */
final class JobCommands {

    private static final Set<String> STATES = Set.of(
            "REGISTERED",
            "PENDING",
            "IDLE",
            "RUNNING",
            "REALLY-RUNNING",
            "CANCELLED",
            "HELD",
            "DONE-OK",
            "DONE-FAILED",
            "PURGED",
            "ABORTED");

    private JobCommands() {}

    /** States between colons. */
    static List<String> states(@Nullable String text) throws CreamException {
        List<String> states = text == null || text.isEmpty() ? List.of() : List.of(text.split(":", -1));
        for (String state : states) {
            if (!STATES.contains(state)) {
                throw new CreamException("Invalid status [" + state + "]. Stop");
            }
        }
        return states;
    }

    static int status(CreamRun run) throws CreamException {
        run.requireJobs();
        String level = run.words().value(CreamOption.LEVEL);
        level = level == null ? run.config().level() : level;
        if (!level.matches("[0-2]")) {
            throw new CreamException("Specified output level is wrong: must be a number between 0 and 2. Stop.");
        }
        int verbosity = Integer.parseInt(level);
        String operation = verbosity == 0 ? "JobStatus" : "JobInfo";
        StatusPrinter printer = new StatusPrinter(run.out());
        for (Map.Entry<Endpoint, List<String>> each : wanted(run).entrySet()) {
            for (XmlElement result : run.client().jobs(each.getKey(), operation, filter(run, each.getValue()))) {
                if (verbosity == 0) {
                    printer.status(each.getKey(), result);
                } else {
                    printer.info(each.getKey(), result, verbosity);
                }
            }
        }
        return 0;
    }

    /** The jobs to ask for at each service; an empty list stands for all jobs. */
    private static Map<Endpoint, List<String>> wanted(CreamRun run) throws CreamException {
        return run.has(CreamOption.ALL) ? Map.of(run.endpoint(), List.of()) : run.jobs();
    }

    private static CreamClient.Filter filter(CreamRun run, List<String> ids) throws CreamException {
        String from = run.words().value(CreamOption.FROM);
        String to = run.words().value(CreamOption.TO);
        return new CreamClient.Filter(
                ids,
                states(run.words().value(CreamOption.STATES)),
                from == null ? null : CreamTime.given("from", from),
                to == null ? null : CreamTime.given("to", to),
                null,
                null);
    }

    static int list(CreamRun run) throws CreamException {
        Endpoint endpoint = run.endpointOperand();
        List<String> ids = run.client().list(endpoint).stream()
                .map(job -> CreamFaults.plain(CreamClient.fullId(endpoint, job)))
                .toList();
        String file = run.words().value(CreamOption.OUTPUT);
        if (file == null) {
            ids.forEach(run.out()::println);
            return 0;
        }
        JobIdFile output = new JobIdFile(file);
        if (output.isForeign()
                && !run.isConfirmed("\nWARNING: file [" + file
                        + "] already exists and is not a CREAM job list file. Overwrite it (y/n) ? ")) {
            run.out().println("\nListing aborted. Bye!");
            return 0;
        }
        output.add(ids);
        return 0;
    }

    /** @param verb as the question says it */
    static int order(CreamRun run, String operation, String verb) throws CreamException {
        run.requireJobs();
        Map<Endpoint, List<String>> jobs = wanted(run);
        String question = run.has(CreamOption.ALL)
                ? "\nGoing to " + verb + " all job from CE [" + run.endpoint() + "]. Do you want to proceed [y/n]? "
                : "\nAre you sure you want to " + verb + " specified job(s) [y/n]: ";
        if (!run.isConfirmed(question)) {
            run.out().println(capital(verb) + " aborted. Bye.");
            return 1;
        }
        List<String> faults = new ArrayList<>();
        for (Map.Entry<Endpoint, List<String>> each : jobs.entrySet()) {
            for (XmlElement result :
                    run.client().jobs(each.getKey(), operation, CreamClient.Filter.of(each.getValue()))) {
                XmlElement fault = CreamFaults.in(result);
                if (fault != null) {
                    String id = CreamClient.fullId(each.getKey(), result.child(TYPES, "jobId"));
                    faults.add("JobID=[" + id + "] " + CreamFaults.text(fault));
                }
            }
        }
        faults.forEach(run::error);
        return faults.isEmpty() ? 0 : 1;
    }

    private static String capital(String verb) {
        return Character.toUpperCase(verb.charAt(0)) + verb.substring(1);
    }
}
