// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jobgate.files.FileAnswer.Reason;
import org.jspecify.annotations.Nullable;

/** Two trees below a directory of the test, one of them for reading only, each with a directory for each account. */
public final class TrialTrees implements AccountTrees {

    private static final List<ExportedTree> TREES = List.of(
            new ExportedTree("work", "/work/${account}", true), new ExportedTree("data", "/data/${account}", false));

    private final Path folder;
    /** Whether no account answers. */
    public boolean isDown;

    /** Why nothing can be written, renamed or made now; absent where it can. */
    public @Nullable Reason noChanges;

    /** What each page of the directory {@code endless} holds; absent where that is one as others. */
    public @Nullable List<String> endless;

    public TrialTrees(Path folder) {
        this.folder = folder;
    }

    /** That of one account. */
    public Path directory(String tree, String account) throws IOException {
        return Files.createDirectories(folder.resolve(tree).resolve(account));
    }

    @Override
    public List<ExportedTree> all() {
        return TREES;
    }

    @Override
    public Optional<AccountTree> find(String name, String account) {
        return TREES.stream()
                .filter(tree -> tree.name().equals(name))
                .findFirst()
                .map(tree -> new Tree(tree, account));
    }

    /** An operation of the file system. */
    private interface Work<T> {
        T run(Path path) throws IOException, FileRefusedException;
    }

    private final class Tree implements AccountTree {
        private final ExportedTree tree;
        private final String account;

        Tree(ExportedTree tree, String account) {
            this.tree = tree;
            this.account = account;
        }

        @Override
        public ExportedTree tree() {
            return tree;
        }

        private <T> T at(List<String> way, Work<T> work) throws FileRefusedException, FilesUnavailableException {
            List<String> names = new FilePlace.InTree("/", way, List.of(), List.of()).names();
            if (isDown) {
                throw new FilesUnavailableException("the account does not answer");
            }
            try {
                return work.run(directory(tree.name(), account).resolve(String.join("/", names)));
            } catch (NoSuchFileException e) {
                throw new FileRefusedException(Reason.NOT_FOUND, "There is no " + names + ".");
            } catch (FileAlreadyExistsException e) {
                throw new FileRefusedException(Reason.EXISTS, "There is " + names + " already.");
            } catch (IOException e) {
                throw new FileRefusedException(Reason.FAILED, "The disk failed.");
            }
        }

        private <T> T change(List<String> way, Work<T> work) throws FileRefusedException, FilesUnavailableException {
            Reason why = noChanges;
            if (why != null) {
                throw new FileRefusedException(why, "There is no room: " + why + ".");
            }
            return removal(way, work);
        }

        /** A change that needs no room. */
        private <T> T removal(List<String> way, Work<T> work) throws FileRefusedException, FilesUnavailableException {
            if (!tree.isWritable()) {
                throw new FileRefusedException(Reason.NOT_PERMITTED, "The tree is for reading only.");
            }
            return at(way, work);
        }

        @Override
        public TreeEntry stat(List<String> way) throws FileRefusedException, FilesUnavailableException {
            return at(way, path -> entry(way.isEmpty() ? "." : way.getLast(), path));
        }

        private TreeEntry entry(String name, Path path) throws IOException {
            TreeEntry.Kind kind = Files.isDirectory(path) ? TreeEntry.Kind.DIRECTORY : TreeEntry.Kind.FILE;
            long modified = Files.getLastModifiedTime(path).toInstant().getEpochSecond();
            int mode = (int) Files.getAttribute(path, "unix:mode") & 07777;
            return new TreeEntry(name, kind, Files.size(path), modified, mode, account, "users", null);
        }

        @Override
        public View view(List<String> way, int limit) throws FileRefusedException, FilesUnavailableException {
            TreeEntry entry = stat(way);
            return new View(entry, entry.kind() == TreeEntry.Kind.DIRECTORY ? list(way, null, limit) : null);
        }

        @Override
        public Page list(List<String> way, @Nullable String after, int limit)
                throws FileRefusedException, FilesUnavailableException {
            return at(way, path -> {
                List<String> always = endless;
                if (always != null && path.endsWith("endless")) {
                    return new Page(
                            always.stream()
                                    .map(name ->
                                            new TreeEntry(name, TreeEntry.Kind.FILE, 0, 0, 0, account, "users", null))
                                    .toList(),
                            true);
                }
                if (!Files.isDirectory(path)) {
                    throw new FileRefusedException(Reason.NOT_A_DIRECTORY, "It is no directory.");
                }
                try (Stream<Path> names = Files.list(path)) {
                    List<Path> all = names.sorted()
                            .filter(one -> after == null
                                    || one.getFileName().toString().compareTo(after) > 0)
                            .toList();
                    List<TreeEntry> entries = new java.util.ArrayList<>();
                    for (Path one : all.stream().limit(limit).toList()) {
                        entries.add(entry(one.getFileName().toString(), one));
                    }
                    return new Page(entries, all.size() > limit);
                }
            });
        }

        @Override
        public FileAnswer.Part read(List<String> way, long offset, int length)
                throws FileRefusedException, FilesUnavailableException {
            return at(way, path -> {
                if (Files.isDirectory(path)) {
                    throw new FileRefusedException(Reason.NOT_A_FILE, "It is a directory.");
                }
                byte[] all = Files.readAllBytes(path);
                int from = (int) Math.min(offset, all.length);
                byte[] part = Arrays.copyOfRange(all, from, Math.min(all.length, from + length));
                return new FileAnswer.Part(
                        all.length, Files.getAttribute(path, "unix:ino").toString(), "1", part);
            });
        }

        @Override
        public String checksum(List<String> way, FileChecksum algorithm, long mostBytes)
                throws FileRefusedException, FilesUnavailableException {
            return at(way, path -> {
                FileChecksum.Running running = algorithm.begin();
                running.update(Files.readAllBytes(path));
                return running.end();
            });
        }

        @Override
        public boolean makeDirectory(List<String> way, boolean parents)
                throws FileRefusedException, FilesUnavailableException {
            return change(way, path -> {
                if (Files.isDirectory(path)) {
                    return false;
                }
                if (parents) {
                    Files.createDirectories(path);
                } else {
                    Files.createDirectory(path);
                }
                return true;
            });
        }

        @Override
        public void rename(List<String> from, List<String> to, boolean replace)
                throws FileRefusedException, FilesUnavailableException {
            change(from, path -> {
                Path target = directory(tree.name(), account).resolve(String.join("/", to));
                if (!replace && Files.exists(target)) {
                    throw new FileRefusedException(Reason.EXISTS, "It is there.");
                }
                return Files.move(path, target, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
            });
        }

        @Override
        public boolean remove(List<String> way, boolean recursive)
                throws FileRefusedException, FilesUnavailableException {
            return removal(way, path -> {
                if (Files.isDirectory(path) && path.toFile().list().length > 0 && !recursive) {
                    throw new FileRefusedException(Reason.NOT_EMPTY, "It has entries.");
                }
                try (Stream<Path> all = Files.exists(path) ? Files.walk(path) : Stream.of()) {
                    for (Path one :
                            all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                        Files.delete(one);
                        if (one.equals(path)) {
                            return true;
                        }
                    }
                }
                return false;
            });
        }

        @Override
        public void chmod(List<String> way, int mode) throws FileRefusedException, FilesUnavailableException {
            change(way, path -> {
                int kind = (int) Files.getAttribute(path, "unix:mode") & ~07777;
                return Files.setAttribute(path, "unix:mode", kind | mode);
            });
        }

        private Path part(String part) throws IOException {
            return Files.createDirectories(folder.resolve("parts")).resolve(account + part);
        }

        @Override
        public long kept(List<String> way, String part) throws FileRefusedException, FilesUnavailableException {
            return change(way, path -> Files.exists(part(part)) ? Files.size(part(part)) : 0L);
        }

        @Override
        public void put(List<String> way, String part, WritableFiles.Piece piece)
                throws FileRefusedException, FilesUnavailableException {
            change(way, path -> {
                try (RandomAccessFile file = new RandomAccessFile(part(part).toFile(), "rw")) {
                    file.setLength(piece.offset());
                    file.seek(piece.offset());
                    file.write(piece.bytes());
                }
                return true;
            });
        }

        @Override
        public void finish(List<String> way, String part, long size, boolean onlyNew)
                throws FileRefusedException, FilesUnavailableException {
            change(way, path -> {
                if (onlyNew && Files.exists(path)) {
                    throw new FileRefusedException(Reason.EXISTS, "The file is there already.");
                }
                return Files.move(part(part), path, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            });
        }

        @Override
        public void drop(List<String> way, String part) throws FileRefusedException, FilesUnavailableException {
            removal(way, path -> Files.deleteIfExists(part(part)));
        }
    }
}
