// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jobgate.files.AccountFiles;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.JobDirectories;
import org.jspecify.annotations.Nullable;

/** The files of every account, on the disk of the test. A symbolic link is never followed. */
class DiskFiles implements AccountFiles, JobDirectories {

    private static Path path(FilePlace place) {
        return switch (place) {
            case FilePlace.Below below ->
                Path.of(String.valueOf(below.directory()), below.names().toArray(String[]::new));
            case FilePlace.Named named ->
                Path.of(String.valueOf(named.directory())).resolve(named.path());
            case FilePlace.InTree tree -> throw new UnsupportedOperationException("no trees: " + tree);
        };
    }

    private static Path part(FilePlace place, String part) {
        return path(place).resolveSibling("." + part + ".part");
    }

    @Override
    public FileAnswer read(String account, FilePlace place, long offset, int length) throws FilesUnavailableException {
        Path file = path(place);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return new FileAnswer.Refused(FileAnswer.Reason.NOT_FOUND, "There is no file " + file.getFileName() + ".");
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return new FileAnswer.Refused(FileAnswer.Reason.NOT_A_FILE, file.getFileName() + " is no regular file.");
        }
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            long size = in.length();
            byte[] bytes = new byte[(int) Math.max(0, Math.min(length, size - offset))];
            in.seek(offset);
            in.readFully(bytes);
            return new FileAnswer.Part(size, file.toString(), bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public FileAnswer remove(String account, FilePlace place) {
        delete(account, place);
        return new FileAnswer.Removed();
    }

    @Override
    public long kept(String account, FilePlace place, String part) {
        Path file = part(place, part);
        try {
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void put(String account, FilePlace place, String part, Piece piece) {
        Path file = part(place, part);
        try {
            Files.createDirectories(file.getParent());
            try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
                out.setLength(piece.offset());
                out.seek(piece.offset());
                out.write(piece.bytes());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void finish(String account, FilePlace place, String part, long size, boolean program) {
        try {
            Path file = path(place);
            Files.move(part(place, part), file, StandardCopyOption.REPLACE_EXISTING);
            if (!file.toFile().setExecutable(program)) {
                throw new IllegalStateException("permissions of " + file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void finishNew(String account, FilePlace place, String part, long size, boolean program)
            throws FileRefusedException {
        if (Files.exists(path(place))) {
            throw new FileRefusedException(FileAnswer.Reason.EXISTS, "The file is there already.");
        }
        finish(account, place, part, size, program);
    }

    @Override
    public void drop(String account, FilePlace place, String part) {
        try {
            Files.deleteIfExists(part(place, part));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void makeDirectory(String account, String path) {
        try {
            Files.createDirectories(Path.of(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean delete(String account, FilePlace place) {
        Path top = path(place);
        if (!Files.exists(top, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (Stream<Path> all = Files.walk(top)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return true;
    }

    @Override
    public List<Listed> list(String account, String path, @Nullable String after) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Page browse(String account, @Nullable String directory, List<String> names, @Nullable String after)
            throws FileRefusedException, FilesUnavailableException {
        Path top = Path.of(String.valueOf(directory), names.toArray(String[]::new));
        if (!Files.isDirectory(top, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileRefusedException(FileAnswer.Reason.NOT_FOUND, "There is no directory.");
        }
        try (Stream<Path> all = Files.list(top)) {
            return new Page(all.sorted().map(DiskFiles::entry).toList(), false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Entry entry(Path file) {
        try {
            String kind = Files.isSymbolicLink(file) ? "link" : Files.isDirectory(file) ? "directory" : "file";
            return new Entry(file.getFileName().toString(), kind, kind.equals("file") ? Files.size(file) : 0, 1_000);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The names in a directory. */
    static List<String> names(Path directory) {
        String[] names = directory.toFile().list();
        return names == null ? List.of() : Arrays.stream(names).sorted().toList();
    }

    @Override
    public void close() {
        // it holds nothing
    }
}
