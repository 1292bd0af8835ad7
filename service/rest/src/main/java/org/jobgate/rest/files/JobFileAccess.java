// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jobgate.access.Caller;
import org.jobgate.door.DoorContext;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.job.Job;
import org.jobgate.limits.Limit;
import org.jspecify.annotations.Nullable;

/**
 * Reads, puts and removes the files of jobs by requests of HTTP, within the bounds of one door. The door finds the job, and says which of
 * its files a request means; that its owner is still mapped to the job's account is asked here.
 */
public final class JobFileAccess {

    /** The kind of the records that a door keeps which lets clients put files. */
    public static final String RECORDS = UploadRecords.KIND;

    private static final int PART_ONLY = 202;

    private final DoorContext door;
    private final FileDoorSettings settings;
    private final ReaderCount readers;
    private final Following following;
    private final FileUploads uploads;

    /** @param nanoTime a monotonic clock, e.g. {@code System::nanoTime} */
    public JobFileAccess(DoorContext door, FileDoorSettings settings, LongSupplier nanoTime) {
        this.door = requireNonNull(door, "door is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.readers = new ReaderCount(settings.readers(), settings.readersPerOwner());
        this.following = new Following(door.jobs(), door.files(), nanoTime);
        this.uploads = new FileUploads(
                door.directories(),
                this::now,
                new UploadRecords(door.records(), settings.uploads(), door.clock()),
                new UploadTurns());
    }

    FileUploads uploads() {
        return uploads;
    }

    /** Requests that are being answered or that wait. */
    public long readers() {
        return readers.readers();
    }

    ReaderCount.Reader enter(String subject) throws FileRefusal {
        return readers.enter(subject);
    }

    /** What is done for one request while it has one of the places that there are for requests for files. */
    @FunctionalInterface
    public interface Work {
        void run() throws IOException, FileRefusal, FilesUnavailableException;
    }

    /**
     * Does the work for the caller, as the account of the job.
     *
     * @throws FileRefusal too many requests at once, or the caller may not use the account's files
     */
    public void as(Caller caller, Job job, Work work) throws IOException, FileRefusal, FilesUnavailableException {
        ReaderCount.Reader reader = readers.enter(caller.subject());
        try {
            FileRefusal.unlessPermitted(caller, job.owner().account());
            work.run();
        } finally {
            reader.close();
        }
    }

    /**
     * Answers with a file, or the part of it that the request's {@code Range} asks for.
     *
     * @param place of the file below the job's directory
     */
    public void read(
            HttpServletRequest request, HttpServletResponse response, Caller caller, Job job, FilePlace.Below place)
            throws IOException, FileRefusal, FilesUnavailableException {
        FileRequest wanted = new FileRequest(
                job.id(),
                FileRequest.Kind.FILES,
                place.names(),
                false,
                ByteRange.of(request.getHeader("Range")),
                null,
                request.getHeader(FileRequest.FILE_HEADER));
        read(request, caller, job, place, wanted, response);
    }

    /**
     * Puts the request's body into a file, or the part of one that its {@code Content-Range} tells.
     *
     * @param isProgram whether the file is to be executable
     * @return whether the file is whole now
     */
    public boolean put(
            HttpServletRequest request, HttpServletResponse response, Job job, FilePlace.Below place, boolean isProgram)
            throws IOException, FileRefusal, FilesUnavailableException {
        new FileUpload(uploads, job, place).put(request, response, isProgram);
        return response.getStatus() != PART_ONLY;
    }

    /**
     * Reads the request's body to its end and keeps nothing of it, for a file that the job has had: its client sends all of it before it reads
     * the answer.
     *
     * @throws FileRefusal it is larger than a file may be
     */
    public void readAndForget(HttpServletRequest request) throws IOException, FileRefusal {
        Limit limit = settings.uploads().fileBytes();
        InputStream body = request.getInputStream();
        byte[] buffer = new byte[JobFilesServlet.CHUNK];
        long bytes = 0;
        for (int got = body.read(buffer); got >= 0; got = body.read(buffer)) {
            bytes += got;
            if (bytes > limit.value()) {
                throw FileRefusal.tooLarge(bytes, limit);
            }
        }
    }

    /** Removes a file, if there is one. */
    public void remove(Job job, FilePlace.Below place) throws FileRefusal, FilesUnavailableException {
        remove(job, (FilePlace) place);
    }

    /** Forgets a file that the door has removed itself: it is not counted any more, and the stored part of an unfinished upload is removed. */
    public void forget(Job job, FilePlace.Below place) throws FileRefusal, FilesUnavailableException {
        new FileUpload(uploads, job, place).drop();
    }

    /** Whether there is a regular file. */
    public boolean exists(String account, FilePlace place) throws FileRefusal, FilesUnavailableException {
        return now(account, place) != null;
    }

    /** Reads and drops what the client of a refused request still sends, so that it sees the answer. */
    public static void dropBody(HttpServletRequest request, HttpServletResponse response) throws IOException {
        RefusedBody.drop(request, response);
    }

    /** How a file stands, without its bytes; nothing where there is none. */
    FileAnswer.@Nullable Part now(String account, FilePlace place) throws FileRefusal, FilesUnavailableException {
        FileAnswer answer = door.files().read(account, place, 0, 0);
        if (answer instanceof FileAnswer.Refused refused) {
            if (refused.reason() == FileAnswer.Reason.NOT_FOUND) {
                return null;
            }
            throw FileRefusal.of(refused);
        }
        if (answer instanceof FileAnswer.Part part) {
            return part;
        }
        throw new FilesUnavailableException("a read was answered with " + answer);
    }

    void read(
            HttpServletRequest request,
            Caller caller,
            Job job,
            FilePlace place,
            FileRequest asked,
            HttpServletResponse response)
            throws IOException, FileRefusal, FilesUnavailableException {
        boolean isHead = request.getMethod().equals("HEAD");
        FileRequest wanted = unlessChanged(request, job, place, asked);
        Duration patience = wanted.patience() == null ? Duration.ZERO : wanted.patience();
        Duration wait = patience.compareTo(settings.maxWait()) < 0 ? patience : settings.maxWait();
        Following.Found found = following.find(caller, job, wanted, place, wait, isHead ? 0 : JobFilesServlet.CHUNK);
        if (found.part() == null && wanted.patience() == null) {
            throw FileRefusal.noFile("The job has not started, so its output is not there yet.");
        }
        new FileReply(
                        door.files(),
                        response,
                        wanted,
                        isHead,
                        PackedPiece.wanted(request).orElse(null))
                .write(job.owner().account(), place, found);
    }

    /** A part is of use only if it is from the same file as the part that the client has already (RFC 9110 section 13.1.5). */
    private FileRequest unlessChanged(HttpServletRequest request, Job job, FilePlace place, FileRequest asked)
            throws FileRefusal, FilesUnavailableException {
        String tag = request.getHeader("If-Range");
        if (tag == null || asked.range().isWhole()) {
            return asked;
        }
        FileAnswer.Part now = now(job.owner().account(), place);
        return now != null && Validators.tag(now).equals(tag.strip()) ? asked : asked.whole();
    }

    void remove(Job job, FilePlace place) throws FileRefusal, FilesUnavailableException {
        FileAnswer answer = door.files().remove(job.owner().account(), place);
        if (answer instanceof FileAnswer.Refused refused) {
            throw FileRefusal.of(refused);
        }
        if (place instanceof FilePlace.Below below) {
            new FileUpload(uploads, job, below).drop();
        }
    }
}
