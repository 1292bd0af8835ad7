// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.jobgate.access.Caller;
import org.jobgate.door.DoorContext;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.identity.Identity;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.packing.Codec;

/**
 * The files of jobs, for their owners: GET and HEAD with a range, waiting for more with {@code wait=SECONDS}, PUT, DELETE, and the names
 * in a directory. Each is done as the account that the job ran as, and only while its owner is still mapped to that account.
 */
public final class JobFilesServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    /** Bytes of one file that one request holds in memory. */
    static final int CHUNK = 256 * 1024;

    private final transient DoorContext door;
    private final transient JobFileAccess access;
    private final transient FileUploads uploads;
    private final transient FileListing listing;

    /** @param nanoTime a monotonic clock, e.g. {@code System::nanoTime} */
    public JobFilesServlet(DoorContext door, FileDoorSettings settings, LongSupplier nanoTime) {
        this.door = requireNonNull(door, "door is null");
        this.access = new JobFileAccess(door, settings, nanoTime);
        this.uploads = access.uploads();
        this.listing = new FileListing(door.directories());
    }

    /** Requests that are being answered or that wait. */
    public long readers() {
        return access.readers();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("Cache-Control", "no-store");
        try {
            Caller caller = caller(request);
            FileRequest wanted = FileRequest.of(request);
            ReaderCount.Reader reader = access.enter(caller.subject());
            try {
                answer(request, caller, wanted, response);
            } finally {
                reader.close();
            }
        } catch (FilesUnavailableException e) {
            refuse(request, response, FileRefusal.unavailable(String.valueOf(e.getMessage())));
        } catch (FaultException e) {
            refuse(request, response, FileRefusal.of(e.fault()));
        } catch (FileRefusal e) {
            refuse(request, response, e);
        }
    }

    private Caller caller(HttpServletRequest request) throws FileRefusal {
        Caller caller = door.access().caller((Identity) request.getAttribute(Identity.REQUEST_ATTRIBUTE));
        if (caller.isAnonymous()) {
            throw FileRefusal.anonymous();
        }
        return caller;
    }

    private void answer(HttpServletRequest request, Caller caller, FileRequest wanted, HttpServletResponse response)
            throws IOException, FileRefusal, FilesUnavailableException {
        String method = request.getMethod();
        Job job = door.jobs()
                .find(caller, wanted.job())
                .orElseThrow(() -> FileRefusal.unknownJob(wanted.job().toString()));
        FileRefusal.unlessPermitted(caller, job.owner().account());
        JobDescription description = door.jobs()
                .running(caller, job.id())
                .orElseThrow(() -> FileRefusal.unknownJob(wanted.job().toString()));
        if (wanted.isDirectory()) {
            directory(job, description, wanted, request, response);
            return;
        }
        FilePlace place = wanted.place(description);
        boolean isUpload = Query.value(request, "upload") != null || method.equals("PUT");
        if (isUpload) {
            upload(job, place, request, response);
            return;
        }
        switch (method) {
            case "GET", "HEAD" -> access.read(request, caller, job, place, wanted, response);
            case "DELETE" -> {
                access.remove(job, place);
                response.setStatus(204);
            }
            default -> throw FileRefusal.notAllowed(method);
        }
    }

    private void directory(
            Job job,
            JobDescription description,
            FileRequest wanted,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException, FileRefusal, FilesUnavailableException {
        String method = request.getMethod();
        if (method.equals("PUT") && wanted.names().isEmpty()) {
            make(job, description, response);
            return;
        }
        if (!method.equals("GET") && !method.equals("HEAD")) {
            throw FileRefusal.notAllowed(method);
        }
        listing.write(job.owner().account(), description.directory(), wanted, request, response);
    }

    /** The job's own directory; those below it are made with the files that are put there. */
    private void make(Job job, JobDescription description, HttpServletResponse response)
            throws FileRefusal, FilesUnavailableException {
        if (FileUpload.isClosed(job)) {
            throw FileRefusal.over();
        }
        String directory = description.directory();
        try {
            if (directory != null) {
                door.directories().makeDirectory(job.owner().account(), directory);
            }
        } catch (FileRefusedException e) {
            throw FileRefusal.of(e);
        }
        // what a client may send the files in
        response.setHeader(PackedPiece.HEADER, Codec.words());
        response.setStatus(204);
    }

    /** Only the job itself writes its output. */
    private void upload(Job job, FilePlace place, HttpServletRequest request, HttpServletResponse response)
            throws IOException, FileRefusal, FilesUnavailableException {
        String method = request.getMethod();
        if (!(place instanceof FilePlace.Below below)) {
            throw FileRefusal.notAllowed(method);
        }
        FileUpload upload = new FileUpload(uploads, job, below);
        switch (method) {
            case "PUT" -> upload.put(request, response, "true".equals(Query.value(request, "program")));
            case "GET", "HEAD" -> upload.tell(response);
            case "DELETE" -> {
                upload.drop();
                response.setStatus(204);
            }
            default -> throw FileRefusal.notAllowed(method);
        }
    }

    /** Too late once the answer has begun; then it just ends early. */
    private static void refuse(HttpServletRequest request, HttpServletResponse response, FileRefusal refusal)
            throws IOException {
        if (response.isCommitted()) {
            throw new IOException(refusal.sentence());
        }
        response.resetBuffer();
        FileErrors.write(response, refusal);
        RefusedBody.drop(request, response);
    }
}
