// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jobgate.access.Jobs;
import org.jobgate.files.FileNames;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.JobDirectories;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.rest.files.FileRefusal;
import org.jobgate.rest.files.JobFileAccess;

/** The files of jobs below {@code /jobs/ID/session/}, as the account of the job and on ways without symbolic links. */
final class SessionOperations {

    private final Jobs jobs;
    private final OwnJobs own;
    private final JobFileAccess files;
    private final JobDirectories directories;
    private final Uploads uploads;
    private final WebDavListing webDav;

    SessionOperations(
            Jobs jobs, OwnJobs own, JobFileAccess files, JobDirectories directories, Uploads uploads, String url) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.own = requireNonNull(own, "own is null");
        this.files = requireNonNull(files, "files is null");
        this.directories = requireNonNull(directories, "directories is null");
        this.uploads = requireNonNull(uploads, "uploads is null");
        this.webDav = new WebDavListing(directories, url);
    }

    void answer(ArcCall call) throws IOException, ArcRefusal, FileRefusal, FilesUnavailableException {
        OwnJobs.Found found = own.find(call);
        List<String> encoded = call.path().subList(3, call.path().size());
        boolean endsWithSlash = !encoded.isEmpty() && encoded.getLast().isEmpty();
        List<String> names = names(encoded.subList(0, encoded.size() - (endsWithSlash ? 1 : 0)));
        boolean isDirectory = endsWithSlash || names.isEmpty();
        files.as(call.caller(), found.job(), () -> {
            try {
                act(call, found, names, isDirectory);
            } catch (FileRefusedException e) {
                throw FileRefusal.of(e);
            }
        });
    }

    private static List<String> names(List<String> encoded) throws ArcRefusal {
        List<String> names = new ArrayList<>(encoded.size());
        try {
            for (String one : encoded) {
                names.add(FileNames.decoded(one));
            }
            if (!names.isEmpty()) {
                // judged here, where a refusal can say so
                new FilePlace.Below("/", names);
            }
            return names;
        } catch (IllegalArgumentException e) {
            throw ArcRefusal.badRequest("The path cannot be used: " + e.getMessage() + ".", "");
        }
    }

    private void act(ArcCall call, OwnJobs.Found found, List<String> names, boolean isDirectory)
            throws IOException, FileRefusal, FilesUnavailableException, FileRefusedException {
        switch (call.method()) {
            case "GET", "HEAD" -> {
                if (isDirectory) {
                    list(call, found, names);
                } else {
                    read(call, found, names);
                }
            }
            case "PUT" -> put(call, found, names, isDirectory);
            case "DELETE" -> delete(call, found, names);
            case "PROPFIND" -> webDav.write(call, found.session(), names, isDirectory);
            default -> call.text(405, "text/plain", "Use GET, HEAD, PUT, DELETE or PROPFIND.\n");
        }
    }

    /** A directory is also listed where its address does not end with a slash, as clients ask for it. */
    private void read(ArcCall call, OwnJobs.Found found, List<String> names)
            throws IOException, FileRefusal, FilesUnavailableException, FileRefusedException {
        FilePlace.Below place = Uploads.place(found.session(), names);
        try {
            files.read(call.request(), call.response(), call.caller(), found.job(), place);
        } catch (FileRefusal e) {
            if (e.status() == 404 && isOutputOfEnded(call, found.job(), names)) {
                call.text(200, "application/octet-stream", "");
                return;
            }
            if (e.code().equals("NOT_A_FILE") && isDirectory(found.session(), names)) {
                list(call, found, names);
                return;
            }
            throw e;
        }
    }

    /** The standard output and error of a job that never ran are there all the same, and empty: HTCondor would otherwise show its user that they are missing, and not why. */
    private boolean isOutputOfEnded(ArcCall call, Job job, List<String> names) {
        // what a job has written can come late through a network file system, and would be lost to a client that is
        // told that it is empty
        boolean hasRun =
                job.started() != null || (job.outcome() != null && job.outcome().exitCode() != null);
        if (!job.state().isTerminal() || hasRun) {
            return false;
        }
        String path = String.join("/", names);
        return jobs.description(call.caller(), job.id())
                .filter(description -> isStandard(description, path))
                .isPresent();
    }

    private static boolean isStandard(JobDescription description, String path) {
        return path.equals(description.stdout()) || path.equals(description.stderr());
    }

    private boolean isDirectory(Session session, List<String> names) throws FilesUnavailableException {
        try {
            directories.browse(session.account(), session.directory(), names, null);
            return true;
        } catch (FileRefusedException e) {
            return false;
        }
    }

    private void list(ArcCall call, OwnJobs.Found found, List<String> names) throws IOException, FileRefusal {
        SessionPages pages = new SessionPages(directories, found.session(), names);
        JobDirectories.Page first = pages.first();
        call.lists(
                200,
                "list",
                List.of("file", "dir"),
                (list, sink) -> pages.each(first, entry -> {
                    String name = FileNames.shown(entry.name());
                    if (list.equals("file") && entry.kind().equals("file")) {
                        sink.put(new Element("file", Map.of("size", Long.toString(entry.size())), name, List.of()));
                    } else if (list.equals("dir") && entry.kind().equals("directory")) {
                        sink.put(Element.leaf("dir", name));
                    }
                }));
    }

    private void put(ArcCall call, OwnJobs.Found found, List<String> names, boolean isDirectory)
            throws IOException, FileRefusal, FilesUnavailableException, FileRefusedException {
        HttpServletResponse response = call.response();
        if (isDirectory) {
            if (!found.job().state().isTerminal()) {
                String below = names.isEmpty() ? "" : "/" + String.join("/", names);
                directories.makeDirectory(
                        found.session().account(), found.session().directory() + below);
            }
            call.text(200, "text/plain", "");
            return;
        }
        String name = String.join("/", names);
        if (CleanedJobs.hasRunByKey(found.job()) && found.session().isUpload(name)) {
            // who submits by a key again brings its files again: this job has had them
            files.readAndForget(call.request());
            call.text(200, "text/plain", "");
            return;
        }
        boolean isWhole = files.put(
                call.request(),
                response,
                found.job(),
                Uploads.place(found.session(), names),
                found.session().isProgram(name));
        if (isWhole) {
            uploads.arrived(call.caller(), found.job(), found.session(), name);
        }
        response.setStatus(200);
        response.setContentLength(0);
    }

    private void delete(ArcCall call, OwnJobs.Found found, List<String> names)
            throws FileRefusal, FilesUnavailableException, FileRefusedException {
        if (names.isEmpty()) {
            throw FileRefusal.of(new FileRefusedException(
                    org.jobgate.files.FileAnswer.Reason.NOT_PERMITTED,
                    "The session directory itself is removed when the job is cleaned."));
        }
        FilePlace.Below place = Uploads.place(found.session(), names);
        boolean wasThere;
        try {
            wasThere = directories.delete(found.session().account(), place);
            files.forget(found.job(), place);
        } finally {
            // also where some of it may be gone
            uploads.removed(found.job().id(), String.join("/", names));
        }
        if (!wasThere) {
            throw FileRefusal.of(
                    new FileRefusedException(org.jobgate.files.FileAnswer.Reason.NOT_FOUND, "There is no such file."));
        }
        call.response().setStatus(204);
    }
}
