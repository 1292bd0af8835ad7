// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jobgate.access.Caller;
import org.jobgate.access.Jobs;
import org.jobgate.adl.Activity;
import org.jobgate.adl.AdlWriter;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobOutcome;
import org.jobgate.rest.files.FileRefusal;
import org.jobgate.store.Change;
import org.jspecify.annotations.Nullable;

/** What A-REX keeps about a job in files of its control directory, made of what this gateway knows. */
final class Diagnoses {

    private final Jobs jobs;
    private final OwnJobs own;
    private final ActivityInfo info;
    private final Uploads uploads;

    Diagnoses(Jobs jobs, OwnJobs own, ActivityInfo info, Uploads uploads) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.own = requireNonNull(own, "own is null");
        this.info = requireNonNull(info, "info is null");
        this.uploads = requireNonNull(uploads, "uploads is null");
    }

    void answer(ArcCall call) throws IOException, ArcRefusal, FileRefusal, FilesUnavailableException {
        OwnJobs.Found found = own.find(call);
        JobDescription description =
                jobs.description(call.caller(), found.job().id()).orElseThrow(ArcRefusal::unknownJob);
        String name = call.path().size() == 4 ? call.path().get(3) : "";
        if (name.equals("xml")) {
            StringBuilder xml = new StringBuilder();
            new XmlForm(xml).document(info.of(found.job(), description, found.session()), List.of());
            call.text(200, "application/xml", xml.toString());
            return;
        }
        String text = text(name, call.caller(), found.job(), found.session(), description);
        if (text == null) {
            throw ArcRefusal.notFound("Of this job there is no '" + name + "'.");
        }
        call.text(200, "text/plain", text);
    }

    private @Nullable String text(String name, Caller caller, Job job, Session session, JobDescription description)
            throws FileRefusal, FilesUnavailableException {
        return switch (name) {
            case "failed" ->
                ActivityInfo.error(job, session).map(error -> error + "\n").orElse(null);
            case "errors" -> history(caller, job);
            case "status" -> ActivityInfo.state(job, session).internal() + "\n";
            case "local" -> local(job, session, description);
            case "description" -> AdlWriter.write(Activity.of(description));
            case "diag" -> diag(job);
            case "input" ->
                session.uploads().stream().map(upload -> upload.name() + "\n").collect(Collectors.joining());
            case "output" ->
                session.kept().stream().map(file -> "/" + file + "\n").collect(Collectors.joining());
            case "input_status" -> came(session);
            case "statistics" -> "";
            default -> null;
        };
    }

    private String history(Caller caller, Job job) {
        List<Change> changes = jobs.history(caller, job.id()).orElse(List.of());
        StringBuilder out = new StringBuilder();
        for (Change change : changes) {
            out.append(change.at()).append(" Job state change ");
            out.append(change.from() == null ? "UNDEFINED" : change.from())
                    .append(" -> ")
                    .append(change.to());
            if (change.note() != null) {
                out.append("   Reason: ").append(change.note());
            }
            out.append('\n');
        }
        return out.toString();
    }

    private static String local(Job job, Session session, JobDescription description) {
        StringBuilder out = new StringBuilder();
        line(out, "globalid", job.id().toString());
        line(out, "interface", "org.nordugrid.arcrest");
        line(out, "lrms", job.lrm());
        line(out, "queue", description.queue());
        line(out, "localid", String.join(" ", job.localIds()));
        line(out, "subject", job.owner().subject());
        line(out, "jobname", session.name());
        line(out, "sessiondir", session.directory());
        line(out, "delegationid", ActivityInfo.delegation(description).orElse(null));
        return out.toString();
    }

    private static void line(StringBuilder out, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            out.append(name)
                    .append('=')
                    .append(value.replaceAll("\\p{Cntrl}", "?"))
                    .append('\n');
        }
    }

    private static @Nullable String diag(Job job) {
        // as the LRM has it, also of a job that it broke off
        Optional<Integer> code =
                job.state().isTerminal() ? job.settledOutcome().map(JobOutcome::exitCode) : Optional.empty();
        if (code.isEmpty()) {
            return null;
        }
        StringBuilder out = new StringBuilder();
        line(out, "LRMSStartTime", job.started() == null ? null : job.started().toString());
        line(out, "LRMSEndTime", job.ended() == null ? null : job.ended().toString());
        line(out, "exitcode", code.get().toString());
        return out.toString();
    }

    /** The files of the client that are there. */
    private String came(Session session) throws FileRefusal, FilesUnavailableException {
        StringBuilder out = new StringBuilder();
        for (Session.Upload upload : session.uploads()) {
            if (uploads.isThere(session, upload.name())) {
                out.append('/').append(upload.name()).append('\n');
            }
        }
        return out.toString();
    }
}
