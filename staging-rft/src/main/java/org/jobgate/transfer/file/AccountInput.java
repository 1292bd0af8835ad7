// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.file;

import java.io.IOException;
import java.util.Optional;
import org.jobgate.files.AccountFiles;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.transfer.protocol.BlockInputStream;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;

/** A file of an account as a stream: so much of it as there was when it was opened. */
final class AccountInput extends BlockInputStream {

    private static final int PIECE = 512 * 1024;

    private final AccountFiles files;
    private final String account;
    private final FilePlace place;
    private final FileAnswer.Part first;
    private long offset;
    private byte[] piece;
    private int at;

    /** @param first that was read, at this offset */
    AccountInput(AccountFiles files, String account, FilePlace place, FileAnswer.Part first, long offset) {
        this.files = files;
        this.account = account;
        this.place = place;
        this.first = first;
        this.piece = first.bytes();
        this.offset = offset;
    }

    static FileAnswer.Part read(AccountFiles files, String account, FilePlace place, long offset)
            throws TransferException {
        try {
            return part(files.read(account, place, offset, PIECE), place);
        } catch (FilesUnavailableException e) {
            throw Refusals.of(e);
        }
    }

    /** The same; empty where there is no such file. */
    static Optional<FileAnswer.Part> readIfThere(AccountFiles files, String account, FilePlace place, long offset)
            throws TransferException {
        try {
            FileAnswer answer = files.read(account, place, offset, PIECE);
            boolean isMissing =
                    answer instanceof FileAnswer.Refused refused && refused.reason() == FileAnswer.Reason.NOT_FOUND;
            return isMissing ? Optional.empty() : Optional.of(part(answer, place));
        } catch (FilesUnavailableException e) {
            throw Refusals.of(e);
        }
    }

    private static FileAnswer.Part part(FileAnswer answer, FilePlace place) throws TransferException {
        return switch (answer) {
            case FileAnswer.Part part -> part;
            case FileAnswer.Refused refused -> throw Refusals.of(refused.reason(), refused.sentence());
            case FileAnswer.Removed removed -> throw new IllegalStateException("a read removed " + place);
        };
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (at == piece.length && !next()) {
            return -1;
        }
        int count = Math.min(length, piece.length - at);
        System.arraycopy(piece, at, into, from, count);
        at += count;
        return count;
    }

    private boolean next() throws IOException {
        offset += piece.length;
        if (offset >= first.size()) {
            return false;
        }
        FileAnswer.Part part;
        try {
            part = read(files, account, place, offset);
        } catch (TransferException e) {
            throw new IOException(e);
        }
        if (!part.file().equals(first.file()) || part.bytes().length == 0) {
            throw new IOException(new TransferException(
                    Kind.TRANSIENT,
                    "another file was put in its place, or it was cut, while it was read",
                    "Let nothing change the file until it is sent."));
        }
        int wanted = (int) Math.min(part.bytes().length, first.size() - offset);
        piece = wanted == part.bytes().length ? part.bytes() : java.util.Arrays.copyOf(part.bytes(), wanted);
        at = 0;
        return true;
    }
}
