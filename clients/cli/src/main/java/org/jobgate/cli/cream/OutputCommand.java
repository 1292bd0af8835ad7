// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import static org.jobgate.cli.cream.CreamClient.TYPES;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.wire.XmlElement;

/** glite-ce-job-output: fetches what the computing element keeps of jobs that are over. */
final class OutputCommand {

    private static final List<String> OVER = List.of("DONE-OK", "DONE-FAILED", "CANCELLED", "ABORTED");
    private static final int STREAMS_MAX = 64;

    private OutputCommand() {}

    static int call(CreamRun run) throws CreamException, CommandException {
        run.requireJobs();
        Path parent = Path.of(
                run.words().value(CreamOption.DIRECTORY) == null
                        ? "."
                        : String.valueOf(run.words().value(CreamOption.DIRECTORY)));
        int streams = run.words().number(CreamOption.NUM_STREAMS, 1, 1, STREAMS_MAX);
        SandboxFiles files = new SandboxFiles(run.session().http(), run.environment(), streams);
        int status = 0;
        for (Map.Entry<Endpoint, List<String>> each : run.jobs().entrySet()) {
            for (String id : each.getValue()) {
                status |= fetch(run, files, each.getKey(), id, parent);
            }
        }
        return status;
    }

    private static int fetch(CreamRun run, SandboxFiles files, Endpoint endpoint, String id, Path parent)
            throws CreamException {
        String job = endpoint.url(id);
        for (XmlElement result : run.client().jobs(endpoint, "JobInfo", CreamClient.Filter.of(List.of(id)))) {
            XmlElement info = result.child(TYPES, "jobInfo");
            if (info == null) {
                XmlElement fault = CreamFaults.in(result);
                run.error("JobID [" + job + "]: " + (fault == null ? "no answer" : CreamFaults.text(fault)));
                return 1;
            }
            if (!isOver(info)) {
                run.error("JobID [" + job + "] is not over: its output can be fetched then.");
                return 1;
            }
            Path into = parent.resolve(job.replaceFirst("^https?://", "").replaceAll("[/:]", "_"));
            if (!makeDirectory(run, into)) {
                return 1;
            }
            int count = files.fetch(String.valueOf(info.childText(TYPES, "CREAMOutputSandboxURI")), into, endpoint);
            run.note("For JobID [" + job + "] output will be stored in the dir " + into
                    + (count < 0 ? "" : " (" + count + " files)"));
            return 0;
        }
        run.error("JobID [" + job + "] does not exist");
        return 1;
    }

    private static boolean isOver(XmlElement info) {
        String state = info.children().stream()
                .filter(child -> child.is(TYPES, "status"))
                .reduce((one, next) -> next)
                .map(last -> String.valueOf(last.childText(TYPES, "name")))
                .orElse("");
        return OVER.contains(state);
    }

    private static boolean makeDirectory(CreamRun run, Path directory) throws CreamException {
        if (Files.exists(directory)
                && !run.isConfirmed("\nDirectory [" + directory + "] already exists. Do you want to proceed [y/n]? ")) {
            return false;
        }
        try {
            Files.createDirectories(directory);
            return true;
        } catch (IOException e) {
            throw new CreamException("Directory [" + directory + "] cannot be made: " + Sentence.reason(e), e);
        }
    }
}
