// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.command;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.jobgate.cli.text.Sentence;

/** Writes files of this machine that come from elsewhere. */
public final class NewFile {

    private NewFile() {}

    /** Where the content comes from. */
    @FunctionalInterface
    public interface Content {
        /**
         * Writes all of it.
         *
         * @return how many bytes
         */
        long into(OutputStream out) throws IOException, CommandException, InterruptedException;
    }

    /**
     * Writes a file. The name changes from what was there before to the whole new file; of a part nothing is left. A device, or a pipe that
     * somebody reads from, is written into.
     *
     * @return its size
     * @throws CommandException it cannot be written
     */
    public static long write(Path to, Content content) throws IOException, CommandException, InterruptedException {
        try {
            return isOther(to) ? writeInto(to, content) : writeAsFile(to, content);
        } catch (FileSystemException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "The file " + to + " cannot be written: " + Sentence.reason(e) + ".", e);
        }
    }

    private static boolean isOther(Path to) {
        return Files.exists(to) && !Files.isRegularFile(to) && !Files.isDirectory(to);
    }

    private static long writeInto(Path to, Content content) throws IOException, CommandException, InterruptedException {
        try (OutputStream out = Files.newOutputStream(to, StandardOpenOption.WRITE)) {
            return content.into(out);
        }
    }

    private static long writeAsFile(Path to, Content content)
            throws IOException, CommandException, InterruptedException {
        // a name that nobody can know beforehand: where others may write, it could be a link of theirs
        Path part = to.resolveSibling(".jobgate-" + UUID.randomUUID() + ".part");
        try {
            long bytes;
            try (OutputStream out =
                    new Part(FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
                bytes = content.into(out);
            }
            Files.move(part, to, StandardCopyOption.REPLACE_EXISTING);
            return bytes;
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /**
     * Forgets what was written.
     *
     * @param to as {@link Content} gets it
     * @return false where that cannot be, for it went into a device or a pipe
     * @throws CommandException the file cannot be written
     */
    public static boolean beginAgain(OutputStream to) throws CommandException {
        if (!(to instanceof Part part)) {
            return false;
        }
        try {
            part.file.truncate(0); // which sets its position, too
            return true;
        } catch (IOException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "What was fetched cannot be written: " + Sentence.reason(e) + ".", e);
        }
    }

    /** A file that nobody else sees. */
    private static final class Part extends OutputStream {
        private final FileChannel file;
        private final OutputStream out;

        Part(FileChannel file) {
            this.file = file;
            this.out = Channels.newOutputStream(file);
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    /**
     * Writes a piece.
     *
     * @throws CommandException it cannot be written
     */
    public static void piece(byte[] bytes, int length, OutputStream to) throws CommandException {
        try {
            to.write(bytes, 0, length);
        } catch (IOException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "What was fetched cannot be written: " + Sentence.reason(e) + ".", e);
        }
        // a PrintStream keeps its failures to itself
        if (to instanceof PrintStream print && print.checkError()) {
            throw new CommandException(ExitStatus.USAGE, "What was fetched cannot be written to stdout.");
        }
    }
}
