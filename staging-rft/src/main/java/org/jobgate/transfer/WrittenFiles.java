// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.jobgate.transfer.protocol.End;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;

/** Local files that a job writes, or has written, as they are in this moment. */
final class WrittenFiles {

    /** An offset behind the end of any file: opening a file there tells its size and reads nothing. */
    private static final long BEHIND = 1L << 50;

    private WrittenFiles() {}

    /**
     * What a file is.
     *
     * @param version another one for another file of the name
     */
    record Known(long size, String version) {}

    /** Empty where there is no such file, or it cannot be read. */
    static Optional<Known> look(URI file, Protocols protocols, TransferContext context)
            throws TransferException, InterruptedException {
        Optional<Source> opened;
        try {
            opened = protocols.of(file).follow(file, BEHIND, context.at(End.SOURCE));
        } catch (TransferException e) {
            if (e.kind() == Kind.PERMANENT) {
                return Optional.empty();
            }
            throw e;
        }
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        try (Source source = opened.get()) {
            return Optional.of(new Known(source.size(), source.version()));
        } catch (IOException e) {
            throw TransferException.of(e, "reading " + file);
        }
    }

    /** Sends a part of a file as a file of its own. */
    static void send(
            URI file,
            long from,
            long length,
            URI destination,
            Protocols protocols,
            TransferContext here,
            TransferContext there)
            throws TransferException, InterruptedException {
        try (Source opened = protocols
                .of(file)
                .follow(file, from, here.at(End.SOURCE))
                .filter(source -> source.size() >= from + length)
                .orElseThrow(() -> new TransferException(
                        Kind.TRANSIENT, "the file " + file + " became shorter meanwhile", "Let nothing cut it."))) {
            TransferContext context = there.at(End.DESTINATION);
            protocols
                    .of(destination)
                    .store(
                            new Source(0, length, "", new FirstBytes(opened.bytes(), length)),
                            destination,
                            context.with(null, new Appending.Counting(context.progress())));
        } catch (IOException e) {
            throw TransferException.of(e, "reading " + file);
        }
    }
}
