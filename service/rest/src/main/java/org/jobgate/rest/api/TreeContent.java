// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import org.jobgate.files.AccountTree;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.UploadPart;
import org.jobgate.files.WritableFiles;
import org.jobgate.limits.Limit;
import org.jobgate.limits.Places;
import org.jobgate.packing.Codec;
import org.jobgate.packing.CodecLevel;
import org.jobgate.packing.Packing;
import org.jobgate.rest.files.ByteRange;
import org.jobgate.rest.files.FileRefusal;
import org.jobgate.rest.files.PackedPiece;
import org.jspecify.annotations.Nullable;

/** Brings and takes what is in files of a tree, piece by piece: one request holds {@value #PIECE} bytes. */
final class TreeContent {

    /** How many bytes of an unfinished file there are: where the next part begins. */
    private static final String OFFSET = "Upload-Offset";

    /** Which of several uploads of one file it is: each has a part of its own. An answer to {@code ?upload} says it again. */
    private static final String UPLOAD = "Jobgate-Upload";

    private static final Pattern UPLOAD_FORM = Pattern.compile("[0-9A-Za-z-]{1,128}");

    private static final int PIECE = 256 * 1024;
    private static final Pattern RANGE = Pattern.compile("bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})");

    private final Limit fileBytes;
    private final Places places;
    private final Set<String> beingPut = ConcurrentHashMap.newKeySet();

    TreeContent(Limit fileBytes, Places places) {
        this.fileBytes = requireNonNull(fileBytes, "fileBytes is null");
        this.places = requireNonNull(places, "places is null");
    }

    /** Something that may be refused. */
    @FunctionalInterface
    interface Task<T> {
        T run() throws IOException, Problem;
    }

    /** Whose files they are, as at the door of jobs' files. */
    private static String account(ApiCall call) {
        return call.caller().filesAccount(Optional.empty());
    }

    /** Does it while there is a place for the caller. */
    <T> T inPlace(ApiCall call, Task<T> task) throws IOException, Problem {
        Places.Entry entry = places.enter(call.caller().subject());
        if (entry.full() != null) {
            throw FaultProblems.full(entry.full(), "requests for files at once");
        }
        Places.Place place = requireNonNull(entry.place(), "neither a place nor a limit");
        try {
            return task.run();
        } finally {
            place.close();
        }
    }

    void read(ApiCall call, AccountTree tree, List<String> way) throws IOException, Problem {
        if (call.query("upload").text("upload").isPresent()) {
            String part = part(call, tree, way);
            call.response().setHeader(OFFSET, Long.toString(TreeProblems.of(() -> tree.kept(way, part))));
            if (call.request().getHeader(UPLOAD) != null) {
                call.response().setHeader(UPLOAD, upload(call));
            }
            call.response().setHeader(PackedPiece.HEADER, Codec.words());
            call.response().setStatus(204);
            return;
        }
        CodecLevel coding = PackedPiece.wanted(call.request()).orElse(null);
        inPlace(call, () -> send(call, tree, way, coding));
    }

    private static @Nullable Codec ofBody(HttpServletRequest request) throws Problem {
        try {
            return PackedPiece.ofBody(request).orElse(null);
        } catch (FileRefusal e) {
            throw Problem.badRequest(String.valueOf(e.getMessage()), "Name one of them, or send no such header.");
        }
    }

    private static boolean send(ApiCall call, AccountTree tree, List<String> way, @Nullable CodecLevel coding)
            throws IOException, Problem {
        boolean isHead = call.request().getMethod().equals("HEAD");
        ByteRange asked = ByteRange.of(call.request().getHeader("Range"));
        long from = Math.max(0, asked.first());
        FileAnswer.Part first = TreeProblems.of(() -> tree.read(way, from, isHead ? 0 : PIECE));
        ByteRange range = isUnchanged(call.request(), first) ? asked : ByteRange.WHOLE;
        if (range.isWhole() && from > 0 && !isHead) {
            first = TreeProblems.of(() -> tree.read(way, 0, PIECE));
        }
        long begin = range.begin(first.size());
        long end = range.end(first.size());
        call.response().setHeader("Accept-Ranges", "bytes");
        call.response().setHeader("ETag", tag(first));
        if (!range.isWhole() && begin >= first.size()) {
            throw new Problem(
                            416,
                            "FILE_SHORTER",
                            "The file has " + first.size() + " bytes; a part from byte " + begin + " on was asked for.",
                            "Ask for a part that is in it.")
                    .header("Content-Range", "bytes */" + first.size());
        }
        if (!range.isWhole()) {
            call.response().setStatus(206);
            call.response().setHeader("Content-Range", "bytes " + begin + "-" + (end - 1) + "/" + first.size());
        }
        call.response().setContentType("application/octet-stream");
        call.response().setHeader("Content-Disposition", "attachment");
        long[] places = {from, begin, end};
        PackedPiece.Packer packer = isHead || coding == null
                ? null
                : PackedPiece.packer(coding, account(call)).orElse(null);
        if (packer == null) {
            call.response().setContentLengthLong(end - begin);
            if (!isHead) {
                send(call.response().getOutputStream(), tree, way, first, places);
            }
            return true;
        }
        call.response().setHeader(PackedPiece.HEADER, packer.coding().codec().word());
        try (packer;
                Packing out = packer.to(call.response().getOutputStream())) {
            send(out, tree, way, first, places);
            out.finish();
        }
        return true;
    }

    /** A part is only of use to who asks for it if the file is still the one that they have the rest of (RFC 9110 section 13.1.5). */
    private static boolean isUnchanged(HttpServletRequest request, FileAnswer.Part part) {
        String wanted = request.getHeader("If-Range");
        return wanted == null || wanted.strip().equals(tag(part));
    }

    /** @param places where the first part begins, and where the answer begins and ends */
    private static void send(OutputStream out, AccountTree tree, List<String> way, FileAnswer.Part first, long[] places)
            throws IOException, Problem {
        long at = places[1];
        long end = places[2];
        byte[] bytes = places[0] == at ? first.bytes() : new byte[0];
        while (true) {
            int length = (int) Math.min(bytes.length, end - at);
            out.write(bytes, 0, length);
            at += length;
            if (at >= end) {
                return;
            }
            long offset = at;
            int wanted = (int) Math.min(PIECE, end - at);
            FileAnswer.Part next = TreeProblems.of(() -> tree.read(way, offset, wanted));
            if (!next.file().equals(first.file()) || next.bytes().length == 0) {
                // too late for another status: the missing bytes tell the client
                throw new IOException("the file was cut or replaced while it was sent, at byte " + at);
            }
            bytes = next.bytes();
        }
    }

    private static String tag(FileAnswer.Part part) {
        return "\"" + part.file() + "-" + part.size() + "-" + part.changed() + "\"";
    }

    void write(ApiCall call, AccountTree tree, List<String> way) throws IOException, Problem {
        call.query();
        if (way.isEmpty()) {
            throw Problem.badRequest("The top of a tree is no file.", "Name a file in it.");
        }
        Target target = new Target(tree, way, part(call, tree, way));
        String lock = account(call) + " " + target.part();
        if (!beingPut.add(lock)) {
            throw new Problem(
                    409, "UPLOAD_RUNS", "Another request puts the same file just now.", "Send a file once at a time.");
        }
        try {
            inPlace(call, () -> receive(call, target));
        } finally {
            beingPut.remove(lock);
        }
    }

    /** Where a body goes to: the file, and the part that it is kept in until it is whole. */
    private record Target(AccountTree tree, List<String> way, String part) {}

    /** Which bytes of the file a request brings, and how many the file has; -1 where that is not known. */
    private record Piece(long begin, long end, long size) {}

    private Piece piece(HttpServletRequest request, boolean isPacked) throws Problem {
        String header = request.getHeader("Content-Range");
        long length = request.getContentLengthLong();
        if (header == null && isPacked) {
            throw Problem.badRequest("A packed body needs Content-Range, which says how much is in it.", "Add it.");
        }
        if (header == null) {
            return new Piece(0, length, length);
        }
        Matcher range = RANGE.matcher(header.strip());
        boolean isGood = range.matches()
                && Long.parseLong(range.group(1)) <= Long.parseLong(range.group(2))
                && Long.parseLong(range.group(2)) < Long.parseLong(range.group(3));
        if (!isGood) {
            throw Problem.badRequest(
                    "The header Content-Range cannot be read: " + Problem.told(header) + ".",
                    "Write it as bytes FIRST-LAST/SIZE.");
        }
        long begin = Long.parseLong(range.group(1));
        long end = Long.parseLong(range.group(2)) + 1;
        if (!isPacked && length >= 0 && length != end - begin) {
            throw Problem.badRequest(
                    "The body has " + length + " bytes, and Content-Range speaks of " + (end - begin) + ".",
                    "Make them the same.");
        }
        return new Piece(begin, end, Long.parseLong(range.group(3)));
    }

    private boolean receive(ApiCall call, Target target) throws IOException, Problem {
        Codec coding = ofBody(call.request());
        Piece piece = piece(call.request(), coding != null);
        checkSize(piece.size());
        if (piece.begin() > 0) {
            long kept = TreeProblems.of(() -> target.tree().kept(target.way(), target.part()));
            if (kept < piece.begin()) {
                throw new Problem(
                                409,
                                "UPLOAD_SHORTER",
                                "Of the unfinished file there are " + kept + " bytes; byte " + piece.begin()
                                        + " cannot come next.",
                                "Go on at byte " + kept + ", or send the whole file.")
                        .header(OFFSET, Long.toString(kept));
            }
        }
        long end = received(call, coding, target, piece);
        if (piece.end() >= 0 && end != piece.end()) {
            throw Problem.badRequest(
                            "The body ended at byte " + end + " of the file, before its announced end.",
                            "Go on at byte " + end + ".")
                    .header(OFFSET, Long.toString(end));
        }
        if (piece.size() >= 0 && end < piece.size()) {
            call.response().setHeader(OFFSET, Long.toString(end));
            call.response().setStatus(202);
            return true;
        }
        boolean onlyNew = "*".equals(call.request().getHeader("If-None-Match"));
        TreeProblems.does(() -> finish(target, end, onlyNew));
        call.response().setStatus(204);
        return true;
    }

    private static void finish(Target target, long end, boolean onlyNew)
            throws FileRefusedException, FilesUnavailableException {
        try {
            target.tree().finish(target.way(), target.part(), end, onlyNew);
        } catch (FileRefusedException e) {
            if (e.reason() == FileAnswer.Reason.EXISTS) {
                // it is whole and is not wanted: it would lie beside the file until somebody removed it
                target.tree().drop(target.way(), target.part());
            }
            throw e;
        }
    }

    private long received(ApiCall call, @Nullable Codec coding, Target target, Piece piece)
            throws IOException, Problem {
        HttpServletRequest request = call.request();
        if (coding == null) {
            return copy(request.getInputStream(), target, piece.begin());
        }
        Places.Place unpacker = unpacker(coding, call);
        try (InputStream body = PackedPiece.unpacking(coding, request.getInputStream(), piece.end() - piece.begin())) {
            return copy(body, target, piece.begin());
        } catch (ZipException e) {
            throw Problem.badRequest(
                    "The body is not what " + PackedPiece.HEADER + " says: "
                            + Problem.plain(String.valueOf(e.getMessage())) + ".",
                    "Pack it as the header says.");
        } finally {
            unpacker.close();
        }
    }

    private static Places.Place unpacker(Codec coding, ApiCall call) throws Problem {
        try {
            return PackedPiece.placeForBody(coding, account(call));
        } catch (FileRefusal e) {
            throw new Problem(e.status(), e.code(), e.sentence(), e.remedy());
        }
    }

    private void checkSize(long size) throws Problem {
        if (size > fileBytes.value()) {
            throw new Problem(
                            413,
                            "LIMIT_EXCEEDED",
                            "The file has " + size + " bytes or more; the limit is " + fileBytes.name() + " = "
                                    + fileBytes.value() + ".",
                            "Send a smaller file, or ask the site's administrator.")
                    .with("limit", fileBytes.name())
                    .with("limitValue", fileBytes.value())
                    .with("use", size);
        }
    }

    /** Answers where the bytes that came end. */
    private long copy(InputStream body, Target target, long begin) throws IOException, Problem {
        byte[] buffer = new byte[PIECE];
        long at = begin;
        boolean isFirst = true;
        while (true) {
            int got = body.readNBytes(buffer, 0, buffer.length);
            if (got == 0 && !isFirst) {
                return at;
            }
            checkSize(at + got);
            long offset = at;
            byte[] bytes = Arrays.copyOf(buffer, got);
            TreeProblems.does(() ->
                    target.tree().put(target.way(), target.part(), new WritableFiles.Piece(offset, bytes, false)));
            at += got;
            isFirst = false;
            if (got < buffer.length) {
                return at;
            }
        }
    }

    /** Removes the stored part of an unfinished file. */
    void drop(ApiCall call, AccountTree tree, List<String> way) throws Problem {
        String part = part(call, tree, way);
        TreeProblems.does(() -> tree.drop(way, part));
    }

    private static String part(ApiCall call, AccountTree tree, List<String> way) throws Problem {
        return UploadPart.of(tree.tree(), way, upload(call));
    }

    /** Empty where the client does not say it. */
    private static String upload(ApiCall call) throws Problem {
        String said = call.request().getHeader(UPLOAD);
        if (said == null) {
            return "";
        }
        if (!UPLOAD_FORM.matcher(said).matches()) {
            throw Problem.badRequest(
                    "The header " + UPLOAD + " cannot be read.", "Use at most 128 letters, digits and hyphens.");
        }
        return said;
    }
}
