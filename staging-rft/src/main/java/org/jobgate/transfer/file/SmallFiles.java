// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.file;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.util.Optional;
import org.jobgate.files.AccountFiles;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Small files in an account's home that say who it is to other servers: keys, known hosts. They are read whole, with the account's
 * rights, each time they are needed; nothing of them is kept or logged.
 */
public final class SmallFiles {

    /** The most bytes of such a file. */
    public static final int MAX_BYTES = 1024 * 1024;

    private final AccountFiles files;

    public SmallFiles(AccountFiles files) {
        this.files = requireNonNull(files, "files is null");
    }

    /**
     * Reads one.
     *
     * @param path below the account's home; its last name must not be a symbolic link
     * @return its bytes; empty if there is none
     * @throws TransferException if the account may not read it, or it is larger than {@link #MAX_BYTES}
     */
    public Optional<byte[]> read(String account, String path) throws TransferException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (true) {
            FileAnswer.Part part = part(account, path, bytes.size());
            if (part == null) {
                return Optional.empty();
            }
            if (part.size() > MAX_BYTES) {
                throw new TransferException(
                        Kind.PERMANENT,
                        "the file ~" + account + "/" + path + " has " + part.size() + " bytes, which is too much",
                        "Make it smaller: at most " + MAX_BYTES + " bytes are read.");
            }
            bytes.writeBytes(part.bytes());
            if (bytes.size() >= part.size() || part.bytes().length == 0) {
                return Optional.of(bytes.toByteArray());
            }
        }
    }

    private FileAnswer.@Nullable Part part(String account, String path, int offset) throws TransferException {
        try {
            FileAnswer answer = files.read(account, new FilePlace.Named(null, path), offset, AccountFiles.MAX_LENGTH);
            return switch (answer) {
                case FileAnswer.Part part -> part;
                case FileAnswer.Refused refused -> {
                    if (refused.reason() == FileAnswer.Reason.NOT_FOUND) {
                        yield null;
                    }
                    throw Refusals.of(refused.reason(), refused.sentence());
                }
                case FileAnswer.Removed removed -> throw new IllegalStateException("a read removed " + path);
            };
        } catch (FilesUnavailableException e) {
            throw Refusals.of(e);
        }
    }
}
