// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.files.AccountFiles;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.JobDirectories;
import org.jspecify.annotations.Nullable;

/** Files in memory, which can be told to misbehave. */
final class TrialFiles implements AccountFiles, JobDirectories {

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Content(String file, byte[] bytes) {}

    private final Map<String, Content> files = new ConcurrentHashMap<>();
    private final Map<String, FileAnswer.Refused> refusals = new ConcurrentHashMap<>();
    volatile @Nullable Runnable afterRead;
    volatile boolean areAway;
    volatile int longestRead;

    void put(String name, String file, byte[] bytes) {
        files.put(name, new Content(file, bytes.clone()));
    }

    void refuse(String name, FileAnswer.Reason reason) {
        refusals.put(name, new FileAnswer.Refused(reason, name + " cannot be had."));
    }

    boolean has(String name) {
        return files.containsKey(name);
    }

    private static String name(FilePlace place) {
        return switch (place) {
            case FilePlace.Named named -> named.path();
            case FilePlace.Below below -> "below " + String.join("/", below.names());
            case FilePlace.InTree inTree -> "in tree " + String.join("/", inTree.names());
        };
    }

    @Override
    public FileAnswer read(String account, FilePlace place, long offset, int length) throws FilesUnavailableException {
        if (areAway || !account.equals("alice")) {
            throw new FilesUnavailableException("the disk of " + account + " is away");
        }
        longestRead = Math.max(longestRead, length);
        String name = name(place);
        FileAnswer.Refused refused = refusals.get(name);
        if (refused != null) {
            return refused;
        }
        Content content = files.get(name);
        if (content == null) {
            return new FileAnswer.Refused(FileAnswer.Reason.NOT_FOUND, "There is no file " + name + ".");
        }
        int size = content.bytes().length;
        int from = (int) Math.min(offset, size);
        byte[] part = Arrays.copyOfRange(content.bytes(), from, (int) Math.min(size, (long) from + length));
        Runnable then = afterRead;
        if (then != null) {
            then.run();
        }
        return new FileAnswer.Part(size, content.file(), part);
    }

    @Override
    public FileAnswer remove(String account, FilePlace place) {
        FileAnswer.Refused refused = refusals.get(name(place));
        files.remove(name(place));
        return refused != null ? refused : new FileAnswer.Removed();
    }

    private final Map<String, byte[]> parts = new ConcurrentHashMap<>();
    volatile int longestPiece;
    volatile boolean forgetsPieces;
    volatile long forgotten;
    volatile @Nullable String made;
    volatile int room = Integer.MAX_VALUE;

    byte @Nullable [] content(String name) {
        Content content = files.get(name);
        return content == null ? null : content.bytes();
    }

    int parts() {
        return parts.size();
    }

    @Override
    public long kept(String account, FilePlace place, String part) {
        return parts.getOrDefault(part, new byte[0]).length;
    }

    @Override
    public void put(String account, FilePlace place, String part, Piece piece) throws FileRefusedException {
        longestPiece = Math.max(longestPiece, piece.bytes().length);
        if (forgetsPieces) {
            forgotten = piece.offset() + piece.bytes().length;
            return;
        }
        if (piece.offset() + piece.bytes().length > room) {
            throw new FileRefusedException(FileAnswer.Reason.NO_SPACE, "There is no room for the file.");
        }
        byte[] before = parts.getOrDefault(part, new byte[0]);
        byte[] now = Arrays.copyOf(before, (int) piece.offset() + piece.bytes().length);
        System.arraycopy(piece.bytes(), 0, now, (int) piece.offset(), piece.bytes().length);
        parts.put(part, now);
    }

    @Override
    public void finish(String account, FilePlace place, String part, long size, boolean program) {
        byte[] bytes = parts.remove(part);
        files.put(name(place), new Content(part + (program ? "-program" : ""), bytes == null ? new byte[0] : bytes));
    }

    @Override
    public void finishNew(String account, FilePlace place, String part, long size, boolean program)
            throws FileRefusedException {
        if (has(name(place))) {
            throw new FileRefusedException(FileAnswer.Reason.EXISTS, "There is a file already.");
        }
        finish(account, place, part, size, program);
    }

    @Override
    public void drop(String account, FilePlace place, String part) {
        parts.remove(part);
    }

    @Override
    public void makeDirectory(String account, String path) {
        made = path;
    }

    @Override
    public boolean delete(String account, FilePlace place) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Listed> list(String account, String path, @Nullable String after) {
        throw new UnsupportedOperationException();
    }

    /** What {@link #browse} answers where it is set, whether more follows, and what it was asked with last. */
    volatile @Nullable List<Entry> entries;

    volatile boolean isMore;
    volatile @Nullable String after;

    @Override
    public Page browse(String account, @Nullable String directory, List<String> names, @Nullable String after)
            throws FileRefusedException {
        if (entries == null && !names.isEmpty() && !names.equals(List.of("sub"))) {
            throw new FileRefusedException(FileAnswer.Reason.NOT_FOUND, "There is no directory.");
        }
        this.after = after;
        List<Entry> own = entries;
        if (own != null) {
            return new Page(own, isMore);
        }
        return names.isEmpty() && after == null
                ? new Page(List.of(new Entry("a\nb\"%ä", "file", 5, 0), new Entry("sub", "directory", 0, 1)), true)
                : new Page(List.of(new Entry("z", "link", 1, 2)), false);
    }

    @Override
    public void close() {}
}
