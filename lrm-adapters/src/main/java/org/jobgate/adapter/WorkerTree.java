// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.util.List;
import java.util.Map;
import org.jobgate.adapter.WireValue.Bytes;
import org.jobgate.adapter.WireValue.Fields;
import org.jobgate.files.AccountFiles;
import org.jobgate.files.AccountTree;
import org.jobgate.files.ExportedTree;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FileChecksum;
import org.jobgate.files.FileNames;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.TreeEntry;
import org.jobgate.files.WritableFiles;
import org.jobgate.lrm.JobSideText;
import org.jspecify.annotations.Nullable;

/** A tree that the site exports, as one account. What the worker answers is the account's word: it is checked, and bounded. */
record WorkerTree(ExportedTree tree, String account, FileWorkers workers) implements AccountTree {

    private static final int MAX_MODE = 0777;
    static final int MAX_OWNER = 256;

    @Override
    public TreeEntry stat(List<String> way) throws FileRefusedException, FilesUnavailableException {
        Fields answer = workers.change(account, "tree_stat", Map.of("place", fields(way)));
        return entry(answer, way);
    }

    @Override
    public Page list(List<String> way, @Nullable String after, int limit)
            throws FileRefusedException, FilesUnavailableException {
        requirePossible(limit);
        byte[] last = after == null ? new byte[0] : FileNames.bytes(after);
        Fields answer =
                workers.change(account, "tree_list", Map.of("place", fields(way), "after", last, "limit", limit));
        return page(answer, limit);
    }

    private Page page(Fields answer, int limit) throws FilesUnavailableException {
        if (!(answer.values().get("packed") instanceof Bytes packed)) {
            throw new FilesUnavailableException("the worker of account " + account + " did not tell what it listed");
        }
        return new Page(new PackedEntries(account, packed.bytes()).read(limit), answer.number("more", 0) > 0);
    }

    @Override
    public View view(List<String> way, int limit) throws FileRefusedException, FilesUnavailableException {
        requirePossible(limit);
        Fields answer = workers.change(account, "tree_view", Map.of("place", fields(way), "limit", limit));
        TreeEntry entry = entry(answer, way);
        boolean isListed = entry.kind() == TreeEntry.Kind.DIRECTORY && answer.has("packed");
        return new View(entry, isListed ? page(answer, limit) : null);
    }

    private static void requirePossible(int limit) {
        if (limit < 1 || limit > MAX_LISTED) {
            throw new IllegalArgumentException("a page of " + limit + " entries; 1 to " + MAX_LISTED + " are possible");
        }
    }

    private TreeEntry entry(Fields answer, List<String> way) throws FilesUnavailableException {
        if (answer.values().get("entry") instanceof Fields entry) {
            return entry(entry, way.isEmpty() ? "." : way.getLast());
        }
        throw new FilesUnavailableException("the worker of account " + account + " did not tell what a file is");
    }

    private TreeEntry entry(Fields entry, String name) throws FilesUnavailableException {
        String target = entry.values().get("target") instanceof Bytes bytes ? target(bytes.bytes()) : null;
        return new TreeEntry(
                name,
                TreeEntry.Kind.of(entry.text("kind", "")),
                Math.max(0, entry.number("size", 0)),
                entry.number("modified", 0),
                (int) entry.number("mode", 0) & 07777,
                JobSideText.line(entry.text("owner", "?"), MAX_OWNER),
                JobSideText.line(entry.text("group", "?"), MAX_OWNER),
                target);
    }

    private String target(byte[] target) throws FilesUnavailableException {
        if (target.length > PackedEntries.MAX_TARGET) {
            throw new FilesUnavailableException("the worker of account " + account + " told what no link can hold");
        }
        return FileNames.text(target);
    }

    @Override
    public FileAnswer.Part read(List<String> way, long offset, int length)
            throws FileRefusedException, FilesUnavailableException {
        return switch (workers.read(account, place(way), offset, length)) {
            case FileAnswer.Part part -> part;
            case FileAnswer.Refused refused -> throw new FileRefusedException(refused.reason(), refused.sentence());
            case FileAnswer.Removed removed ->
                throw new FilesUnavailableException("the worker of account " + account + " answered " + removed);
        };
    }

    @Override
    public String checksum(List<String> way, FileChecksum algorithm, long mostBytes)
            throws FileRefusedException, FilesUnavailableException {
        FileChecksum.Running running = algorithm.begin();
        FileAnswer.Part first = read(way, 0, AccountFiles.MAX_LENGTH);
        if (first.size() > mostBytes) {
            throw new FileRefusedException(
                    FileAnswer.Reason.NOT_PERMITTED,
                    "The file " + shown(way) + " has " + first.size() + " bytes; of at most " + mostBytes
                            + " a checksum can be made.");
        }
        long read = 0;
        FileAnswer.Part part = first;
        while (part.bytes().length > 0) {
            running.update(part.bytes());
            read += part.bytes().length;
            if (Thread.currentThread().isInterrupted()) {
                throw new FilesUnavailableException("interrupted while " + shown(way) + " was read");
            }
            part = read(way, read, AccountFiles.MAX_LENGTH);
            requireSame(way, first, part);
            if (read > first.size()) {
                throw changed(way);
            }
        }
        if (read != first.size()) {
            throw changed(way);
        }
        return running.end();
    }

    private static void requireSame(List<String> way, FileAnswer.Part first, FileAnswer.Part part)
            throws FileRefusedException {
        boolean isSame = part.size() == first.size()
                && part.file().equals(first.file())
                && part.changed().equals(first.changed());
        if (!isSame) {
            throw changed(way);
        }
    }

    private static FileRefusedException changed(List<String> way) {
        return new FileRefusedException(
                FileAnswer.Reason.FAILED, "The file " + shown(way) + " was changed while it was read.");
    }

    @Override
    public boolean makeDirectory(List<String> way, boolean parents)
            throws FileRefusedException, FilesUnavailableException {
        Fields answer = change("tree_make", Map.of("place", fields(way), "parents", parents ? 1 : 0));
        return answer.number("made", 0) > 0;
    }

    @Override
    public void rename(List<String> from, List<String> to, boolean replace)
            throws FileRefusedException, FilesUnavailableException {
        requireWritable();
        workers.changeOnce(
                account,
                "tree_rename",
                Map.of(
                        "from", fields(from),
                        "to", fields(to),
                        "replace", replace ? 1 : 0));
    }

    @Override
    public boolean remove(List<String> way, boolean recursive) throws FileRefusedException, FilesUnavailableException {
        requireWritable();
        if (recursive) {
            return workers.delete(account, place(way));
        }
        Fields answer = change("delete", Map.of("place", fields(way), "empty", 1));
        return answer.number("removed", 0) > 0;
    }

    @Override
    public void chmod(List<String> way, int mode) throws FileRefusedException, FilesUnavailableException {
        if (mode < 0 || mode > MAX_MODE) {
            throw new IllegalArgumentException("not permissions: " + mode);
        }
        change("tree_chmod", Map.of("place", fields(way), "mode", mode));
    }

    @Override
    public long kept(List<String> way, String part) throws FileRefusedException, FilesUnavailableException {
        requireWritable();
        return workers.kept(account, place(way), part);
    }

    @Override
    public void put(List<String> way, String part, WritableFiles.Piece piece)
            throws FileRefusedException, FilesUnavailableException {
        requireWritable();
        workers.put(account, place(way), part, piece);
    }

    @Override
    public void finish(List<String> way, String part, long size, boolean onlyNew)
            throws FileRefusedException, FilesUnavailableException {
        requireWritable();
        if (onlyNew) {
            workers.finishNew(account, place(way), part, size, false);
        } else {
            workers.finish(account, place(way), part, size, false);
        }
    }

    @Override
    public void drop(List<String> way, String part) throws FileRefusedException, FilesUnavailableException {
        requireWritable();
        workers.drop(account, place(way), part);
    }

    private Fields change(String operation, Map<String, ?> fields)
            throws FileRefusedException, FilesUnavailableException {
        requireWritable();
        return workers.change(account, operation, fields);
    }

    private void requireWritable() throws FileRefusedException {
        if (!tree.isWritable()) {
            throw new FileRefusedException(
                    FileAnswer.Reason.NOT_PERMITTED, "The tree " + tree.name() + " can only be read.");
        }
    }

    private FilePlace place(List<String> way) {
        return tree.place(account, way);
    }

    private Map<String, Object> fields(List<String> way) {
        return FileWorkers.fields(place(way));
    }

    private static String shown(List<String> way) {
        return FileNames.shown(String.join("/", way));
    }
}
