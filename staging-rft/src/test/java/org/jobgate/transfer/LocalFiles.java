// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jobgate.files.AccountFiles;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.WritableFiles;
import org.jspecify.annotations.Nullable;

/** The files of this process, in the place of an account's: what the account's own worker does is tested with the worker. */
public final class LocalFiles implements AccountFiles, WritableFiles {

    private static Path path(FilePlace place) {
        return Path.of(((FilePlace.Named) place).path());
    }

    private static Path part(FilePlace place, String part) {
        return path(place).resolveSibling(".jobgate-" + part + ".part");
    }

    private static boolean isThere(Path file) {
        Path directory = file.getParent();
        return directory != null && Files.isDirectory(directory);
    }

    @Override
    public FileAnswer read(String account, FilePlace place, long offset, int length) {
        Path file = path(place);
        if (!Files.isRegularFile(file)) {
            return new FileAnswer.Refused(FileAnswer.Reason.NOT_FOUND, "There is no file " + file + ".");
        }
        try (FileChannel channel = FileChannel.open(file)) {
            int count = (int) Math.max(0, Math.min(length, channel.size() - offset));
            ByteBuffer bytes = ByteBuffer.allocate(count);
            while (bytes.hasRemaining() && channel.read(bytes, offset + bytes.position()) >= 0) {}
            String changed = Long.toString(Files.getLastModifiedTime(file).toMillis());
            return new FileAnswer.Part(channel.size(), "f", changed, bytes.array());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public FileAnswer remove(String account, FilePlace place) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long kept(String account, FilePlace place, String part) {
        try {
            Path file = part(place, part);
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void put(String account, FilePlace place, String part, Piece piece) throws FileRefusedException {
        Path file = part(place, part);
        if (!isThere(file)) {
            throw new FileRefusedException(FileAnswer.Reason.NOT_FOUND, "There is no file " + file + ".");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            if (channel.size() < piece.offset()) {
                throw new FileRefusedException(FileAnswer.Reason.FAILED, "It is short.");
            }
            channel.truncate(piece.offset());
            channel.write(ByteBuffer.wrap(piece.bytes()), piece.offset());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void finish(String account, FilePlace place, String part, long size, boolean program)
            throws FileRefusedException {
        Path file = part(place, part);
        try {
            if (!isThere(file)) {
                throw new FileRefusedException(FileAnswer.Reason.NOT_FOUND, "There is no file " + file + ".");
            }
            if (size == 0) {
                Files.write(file, new byte[0]);
            }
            if (Files.size(file) != size) {
                throw new FileRefusedException(FileAnswer.Reason.FAILED, "It has " + Files.size(file) + " bytes.");
            }
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
            Files.move(file, path(place), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
        Path file = path(place);
        if (!Files.exists(file)) {
            return false;
        }
        try (Stream<Path> tree = Files.walk(file)) {
            for (Path one : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<Listed> list(String account, String path, @Nullable String after) throws FileRefusedException {
        if (!Files.isDirectory(Path.of(path))) {
            throw new FileRefusedException(FileAnswer.Reason.NOT_FOUND, "There is no file " + path + ".");
        }
        try (Stream<Path> entries = Files.list(Path.of(path))) {
            return entries.filter(
                            one -> after == null || one.getFileName().toString().compareTo(after) > 0)
                    .sorted()
                    .limit(2) // small pages, so that there are several
                    .map(one ->
                            new Listed(one.getFileName().toString(), Files.isDirectory(one) ? "directory" : "file", 0))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {}
}
