// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jobgate.cli.text.Sentence;

/** A file of this machine on its way to a service: a trouble with it must not be taken for one of the service. */
final class LocalFile implements AutoCloseable {

    private final Path file;
    private final InputStream in;
    private final long size;

    private LocalFile(Path file, InputStream in, long size) {
        this.file = file;
        this.in = in;
        this.size = size;
    }

    /**
     * Opens it to read.
     *
     * @throws CreamException it cannot be read; the cause is no {@link IOException}
     */
    static LocalFile open(Path file) throws CreamException {
        try {
            return new LocalFile(file, Files.newInputStream(file), Files.size(file));
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** Bytes that it had when it was opened. */
    long size() {
        return size;
    }

    /**
     * The next bytes.
     *
     * @throws CreamException as {@link #open}
     */
    byte[] next(int most) throws CreamException {
        try {
            return in.readNBytes(most);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static CreamException unreadable(Path file, IOException e) {
        return new CreamException(
                "The file " + file + " cannot be read: " + Sentence.of(Sentence.reason(e)),
                new UncheckedIOException(e));
    }

    @Override
    public void close() throws CreamException {
        try {
            in.close();
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }
}
