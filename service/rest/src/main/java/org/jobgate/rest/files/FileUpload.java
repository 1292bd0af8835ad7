// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.ZipException;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FileNames;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.WritableFiles;
import org.jobgate.job.Job;
import org.jobgate.limits.Places;
import org.jobgate.packing.Codec;
import org.jspecify.annotations.Nullable;

/**
 * Puts the body of one request into a file below a job's directory: into a part beside it, which takes its place when it is whole. What
 * came of a body that broke off is kept in the part, and the next request may go on there. Holds {@link JobFilesServlet#CHUNK} bytes at a
 * time.
 */
final class FileUpload {

    /** How many bytes of the unfinished file there are: where the next part begins. */
    static final String OFFSET_HEADER = "Upload-Offset";

    /** So many bytes of a body without a length are taken before they are counted again. */
    private static final long UNCOUNTED = 16L * 1024 * 1024;

    private final FileUploads door;
    private final Job job;
    private final FilePlace.Below place;
    private final String file;
    private final String part;

    FileUpload(FileUploads door, Job job, FilePlace.Below place) {
        this.door = requireNonNull(door, "door is null");
        this.job = requireNonNull(job, "job is null");
        this.place = requireNonNull(place, "place is null");
        this.file = digest(String.join("/", place.names()));
        this.part = "put-" + job.id() + "-" + file;
    }

    /** The same for the same name, of characters that every file name may have. */
    private static String digest(String name) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(FileNames.bytes(name));
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private String account() {
        return job.owner().account();
    }

    /** Says how much there is of the unfinished file, and what its parts may be packed with. */
    void tell(HttpServletResponse response) throws FilesUnavailableException, FileRefusal {
        try {
            response.setHeader(OFFSET_HEADER, Long.toString(door.files().kept(account(), place, part)));
        } catch (FileRefusedException e) {
            throw FileRefusal.of(e);
        }
        response.setHeader(PackedPiece.HEADER, Codec.words());
        response.setStatus(204);
    }

    /** Removes the stored part of the unfinished file; the file itself stays. */
    void drop() throws FilesUnavailableException, FileRefusal {
        try {
            door.files().drop(account(), place, part);
        } catch (FileRefusedException e) {
            throw FileRefusal.of(e);
        }
        door.records().forget(job, file);
    }

    /** Whether nothing may be put into its directory any more: it is over, or is about to be because its owner has given it up. */
    static boolean isClosed(Job job) {
        return job.state().isTerminal() || job.destroyed() || job.outcome() != null;
    }

    /** @param isProgram whether those who may read the file may run it */
    void put(HttpServletRequest request, HttpServletResponse response, boolean isProgram)
            throws IOException, FileRefusal, FilesUnavailableException {
        if (isClosed(job)) {
            throw FileRefusal.over();
        }
        ContentRange range = ContentRange.of(request.getHeader("Content-Range"));
        long length = request.getContentLengthLong();
        Codec coding = PackedPiece.ofBody(request).orElse(null);
        if (coding != null && range == null) {
            throw FileRefusal.badRequest("A packed body needs Content-Range, which says how much is in it.");
        }
        if (range != null && coding == null && length >= 0 && length != range.length()) {
            throw FileRefusal.badRequest(
                    "The body has " + length + " bytes, and Content-Range speaks of " + range.length() + ".");
        }
        FileAnswer.@Nullable Part before =
                Validators.check(request, door.reader().now(account(), place));
        long total = range == null ? length : range.total();
        if (total >= 0) {
            door.records().count(job, file, total);
        }
        try (UploadTurns.Turn turn = door.turns().take(part)) {
            long begin = range == null ? 0 : range.first();
            requireKept(begin, response);
            RefusedBody.begin(request);
            long end;
            if (coding == null || range == null) {
                end = receive(turn, request.getInputStream(), begin, total < 0, response);
            } else {
                Places.Place unpacker = PackedPiece.placeForBody(coding, account());
                try (InputStream unpacked = PackedPiece.unpacking(coding, request.getInputStream(), range.length())) {
                    end = receive(turn, unpacked, begin, false, response);
                } finally {
                    unpacker.close();
                }
            }
            boolean isWhole = range == null ? length < 0 || end == length : end == range.last() + 1 && range.isEnd();
            if (!isWhole) {
                partOnly(range, end, response);
                return;
            }
            door.records().count(job, file, end);
            finish(turn, end, request, isProgram);
        } catch (FileRefusedException e) {
            throw FileRefusal.of(e);
        } catch (ZipException e) {
            throw FileRefusal.badRequest(
                    "The body is not what " + PackedPiece.HEADER + " says: " + e.getMessage() + ".");
        }
        response.setStatus(before == null ? 201 : 204);
        FileAnswer.Part now = door.reader().now(account(), place);
        if (now != null) {
            Validators.tell(response, now);
        }
    }

    private void requireKept(long begin, HttpServletResponse response)
            throws FileRefusedException, FilesUnavailableException, FileRefusal {
        if (begin == 0) {
            return;
        }
        long kept = door.files().kept(account(), place, part);
        if (kept < begin) {
            response.setHeader(OFFSET_HEADER, Long.toString(kept));
            throw FileRefusal.shorter(kept, begin);
        }
    }

    /** Answers where the bytes that came end. */
    private long receive(
            UploadTurns.Turn turn, InputStream body, long begin, boolean isUncounted, HttpServletResponse response)
            throws IOException, FileRefusal, FileRefusedException, FilesUnavailableException {
        byte[] buffer = new byte[JobFilesServlet.CHUNK];
        long at = begin;
        long counted = begin;
        boolean isFirst = true;
        while (true) {
            int got = body.readNBytes(buffer, 0, buffer.length);
            if (got == 0 && !isFirst) {
                return at;
            }
            if (isUncounted && at + got - counted > UNCOUNTED) {
                counted = at + got;
                countOrDrop(counted);
            }
            write(turn, at, got == buffer.length ? buffer : Arrays.copyOf(buffer, got), response);
            at += got;
            isFirst = false;
            if (got < buffer.length) {
                return at;
            }
        }
    }

    private void countOrDrop(long bytes) throws FileRefusal, FilesUnavailableException {
        try {
            door.records().count(job, file, bytes);
        } catch (FileRefusal e) {
            drop();
            throw e;
        }
    }

    private void write(UploadTurns.Turn turn, long at, byte[] bytes, HttpServletResponse response)
            throws FileRefusal, FileRefusedException, FilesUnavailableException {
        try {
            turn.run(() -> door.files().put(account(), place, part, new WritableFiles.Piece(at, bytes, false)));
        } catch (FileRefusedException e) {
            response.setHeader(OFFSET_HEADER, Long.toString(at));
            throw e;
        }
    }

    private static void partOnly(@Nullable ContentRange range, long end, HttpServletResponse response)
            throws FileRefusal {
        response.setHeader(OFFSET_HEADER, Long.toString(end));
        if (range == null || end != range.last() + 1) {
            throw FileRefusal.badRequest("The body ended at byte " + end + " of the file, before its announced end.");
        }
        response.setStatus(202);
    }

    private void finish(UploadTurns.Turn turn, long size, HttpServletRequest request, boolean isProgram)
            throws FileRefusal, FileRefusedException, FilesUnavailableException {
        boolean mustBeNew = Validators.mustBeNew(request);
        turn.run(() -> {
            if (mustBeNew) {
                door.files().finishNew(account(), place, part, size, isProgram);
            } else {
                door.files().finish(account(), place, part, size, isProgram);
            }
        });
    }
}
