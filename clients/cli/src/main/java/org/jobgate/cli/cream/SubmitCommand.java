// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import static org.jobgate.cli.cream.CreamClient.TYPES;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/** glite-ce-job-submit: registers jobs, brings the files of this machine, starts the jobs, and prints their ids. */
final class SubmitCommand {

    private static final int STREAMS_MAX = 64;

    private final CreamRun run;

    SubmitCommand(CreamRun run) {
        this.run = run;
    }

    /** A JDL that is ready to be sent, and the files to be brought for it. */
    private record Ready(String file, String jdl, List<Path> files) {}

    int call() throws CreamException, CommandException {
        List<String> names = run.named(CreamOption.JDL);
        if (names.isEmpty()) {
            throw new CreamException("JDL file not specified in the command line arguments. Stop.");
        }
        String ceid = run.words().value(CreamOption.RESOURCE);
        if (ceid == null) {
            throw new CreamException("CEId not specified in the command line arguments. Stop.");
        }
        String delegation = run.words().value(CreamOption.DELEGATION);
        requireOneDelegation(delegation);
        Endpoint.Queue queue = Endpoint.queue(ceid, run.config().port());
        List<Ready> jobs = new ArrayList<>();
        for (String name : names) {
            jobs.add(ready(name, queue));
        }
        if (run.has(CreamOption.FAKE)) {
            jobs.forEach(job -> run.out().println(job.jdl()));
            return 0;
        }
        JobIdFile output = output();
        if (delegation == null) {
            delegation = CreamDelegation.newId(new SecureRandom());
            ServiceCommands.delegation(run).delegate(queue.endpoint(), delegation);
        }
        int status = 0;
        for (Ready job : jobs) {
            status |= submit(queue.endpoint(), job, delegation, output);
        }
        return status;
    }

    private void requireOneDelegation(@Nullable String delegation) throws CreamException {
        if (delegation != null && run.has(CreamOption.AUTOMATIC)) {
            throw new CreamException(
                    "Cannot specify both --autm-delegation and --delegationId options, they're mutually exclusive. Stop.");
        }
        if (delegation == null && !run.has(CreamOption.AUTOMATIC)) {
            throw new CreamException(
                    "Must specify one (and only one) of the two options --autm-delegation --delegationId. Stop.");
        }
    }

    /** The file for the ids; asked for before anything is submitted. */
    private @Nullable JobIdFile output() throws CreamException {
        String name = run.words().value(CreamOption.OUTPUT);
        if (name == null) {
            return null;
        }
        JobIdFile file = new JobIdFile(name);
        if (file.isForeign()
                && !run.isQuiet()
                && !run.isConfirmed("\nWARNING: file [" + name
                        + "] already exists and is not a CREAM job list file. Overwrite it (y/n) ? ")) {
            throw new CreamException("Submission aborted: nothing was submitted.");
        }
        return file;
    }

    private int submit(Endpoint endpoint, Ready job, String delegation, @Nullable JobIdFile output)
            throws CreamException, CommandException {
        CreamClient.Description description = new CreamClient.Description(
                // a Jobgate knows a repeated request by it
                UUID.randomUUID().toString(),
                job.jdl(),
                delegation,
                run.words().value(CreamOption.LEASE),
                job.files().isEmpty());
        List<XmlElement> results = run.client().register(endpoint, List.of(description));
        XmlElement result = results.isEmpty() ? null : results.getFirst();
        XmlElement id = result == null ? null : result.child(TYPES, "jobId");
        if (result == null || id == null) {
            XmlElement fault = result == null ? null : CreamFaults.in(result);
            run.error(job.file() + ": "
                    + (fault == null ? "the service gave no job and no reason" : CreamFaults.text(fault)));
            return 1;
        }
        String full = CreamFaults.plain(CreamClient.fullId(endpoint, id));
        if (!job.files().isEmpty()) {
            try {
                start(endpoint, job, id);
            } catch (CreamException e) {
                run.error("JobID [" + full + "] is registered and not started: " + e.getMessage());
                return 1;
            }
        }
        run.out().println(full);
        if (output != null) {
            output.add(List.of(full));
        }
        return 0;
    }

    private void start(Endpoint endpoint, Ready job, XmlElement id) throws CreamException, CommandException {
        int streams = run.words().number(CreamOption.STREAMS, 4, 1, STREAMS_MAX);
        SandboxFiles files = new SandboxFiles(run.session().http(), run.environment(), streams);
        String sandbox = property(id, "CREAMInputSandboxURI");
        for (Path file : job.files()) {
            run.note("Sending file [" + file + "]");
            files.bring(file, sandbox, endpoint);
        }
        String own = String.valueOf(id.childText(TYPES, "id"));
        for (XmlElement started : run.client().jobs(endpoint, "JobStart", CreamClient.Filter.of(List.of(own)))) {
            XmlElement fault = CreamFaults.in(started);
            if (fault != null) {
                throw new CreamException(CreamFaults.text(fault));
            }
        }
    }

    private static String property(XmlElement id, String name) throws CreamException {
        for (XmlElement child : id.children()) {
            if (child.is(TYPES, "property") && name.equals(child.childText(TYPES, "name"))) {
                return String.valueOf(child.childText(TYPES, "value"));
            }
        }
        throw new CreamException("the service does not say where the files of the InputSandbox are to go");
    }

    private Ready ready(String name, Endpoint.Queue queue) throws CreamException {
        LocalJdl own = LocalJdl.read(Path.of(name), run.config().jdlAttributes());
        return new Ready(name, own.at(queue), own.files());
    }
}
