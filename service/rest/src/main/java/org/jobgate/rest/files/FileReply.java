// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import org.jobgate.files.AccountFiles;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.packing.CodecLevel;
import org.jobgate.packing.Packing;
import org.jspecify.annotations.Nullable;

/**
 * Writes a file, or a part of it, as the answer. Of a file that is still being written as much is sent as there was when its size was
 * told, and {@code Content-Range} says {@code *} for the size of the whole. If the file is cut or replaced while it is sent, the answer
 * ends early, which every client sees by its length.
 */
final class FileReply {

    /** Whether nothing comes after what is answered. */
    static final String COMPLETE_HEADER = "Jobgate-Complete";

    private final AccountFiles files;
    private final HttpServletResponse response;
    private final FileRequest request;
    private final boolean isHead;
    private final @Nullable CodecLevel coding;

    /** @param coding what the client wants the bytes packed with ({@link PackedPiece}); null for as they are */
    FileReply(
            AccountFiles files,
            HttpServletResponse response,
            FileRequest request,
            boolean isHead,
            @Nullable CodecLevel coding) {
        this.files = requireNonNull(files, "files is null");
        this.response = requireNonNull(response, "response is null");
        this.request = requireNonNull(request, "request is null");
        this.isHead = isHead;
        this.coding = coding;
    }

    void write(String account, FilePlace place, Following.Found found) throws IOException, FilesUnavailableException {
        FileAnswer.Part part = found.part();
        if (part == null) {
            nothingYet(false);
            return;
        }
        long size = part.size();
        long begin = request.range().begin(size);
        long end = request.range().end(size);
        response.setHeader("Accept-Ranges", "bytes");
        Validators.tell(response, part);
        if (begin > size || (begin == size && !request.range().isWhole() && request.patience() == null)) {
            notThere(size, found.isFinal());
            return;
        }
        if (begin == size && request.patience() != null) {
            nothingYet(found.isFinal());
            return;
        }
        response.setHeader(COMPLETE_HEADER, Boolean.toString(found.isFinal() && end == size));
        if (!request.range().isWhole()) {
            response.setStatus(206);
            response.setHeader(
                    "Content-Range", "bytes " + begin + "-" + (end - 1) + "/" + (found.isFinal() ? size : "*"));
        }
        response.setContentType("application/octet-stream");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Content-Disposition", "attachment");
        PackedPiece.Packer packer = isHead || coding == null
                ? null
                : PackedPiece.packer(coding, account).orElse(null);
        if (packer == null) {
            response.setContentLengthLong(end - begin);
            if (!isHead) {
                send(response.getOutputStream(), account, place, part, begin, end);
            }
            return;
        }
        response.setHeader(PackedPiece.HEADER, packer.coding().codec().word());
        try (packer;
                Packing out = packer.to(response.getOutputStream())) {
            send(out, account, place, part, begin, end);
            out.finish();
        }
    }

    /** The client waited, and there is nothing more; the header says whether something may come. */
    private void nothingYet(boolean isFinal) {
        response.setHeader(COMPLETE_HEADER, Boolean.toString(isFinal));
        response.setStatus(204);
    }

    /** The part begins at the end of the file, or behind it: then the file was cut. */
    private void notThere(long size, boolean isFinal) throws IOException {
        response.setHeader(COMPLETE_HEADER, Boolean.toString(isFinal));
        response.setHeader("Content-Range", "bytes */" + size);
        FileErrors.write(
                response,
                new FileRefusal(
                        416,
                        "FILE_SHORTER",
                        "The file has " + size + " bytes; a part from byte "
                                + request.range().first() + " on was asked for.",
                        "If more was read of it before, it was cut meanwhile: read it from the beginning."));
    }

    private void send(OutputStream out, String account, FilePlace place, FileAnswer.Part first, long begin, long end)
            throws IOException, FilesUnavailableException {
        long at = begin;
        FileAnswer.Part part = first;
        // of the last bytes of a file, the first look only told the size
        byte[] bytes = request.range().first() < 0 ? new byte[0] : first.bytes();
        while (true) {
            int length = (int) Math.min(bytes.length, end - at);
            out.write(bytes, 0, length);
            at += length;
            if (at >= end) {
                return;
            }
            part = next(account, place, part, at, end);
            bytes = part.bytes();
        }
    }

    private FileAnswer.Part next(String account, FilePlace place, FileAnswer.Part before, long at, long end)
            throws IOException, FilesUnavailableException {
        int length = (int) Math.min(JobFilesServlet.CHUNK, end - at);
        FileAnswer answer = files.read(account, place, at, length);
        if (answer instanceof FileAnswer.Part part && part.file().equals(before.file()) && part.bytes().length > 0) {
            return part;
        }
        // too late for another status: the missing bytes tell the client
        throw new IOException("the file was cut, replaced or removed while it was sent, at byte " + at);
    }
}
