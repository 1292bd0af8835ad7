// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jobgate.files.AccountFiles;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FilePlace;

/** A directory as the home of every account. It answers at most 100 bytes at once, as an account's worker may. */
public record HomeFiles(Path home) implements AccountFiles {

    private static final int MOST = 100;

    @Override
    public FileAnswer read(String account, FilePlace place, long offset, int length) {
        Path file = home.resolve(((FilePlace.Named) place).path());
        if (!Files.exists(file)) {
            return new FileAnswer.Refused(FileAnswer.Reason.NOT_FOUND, "There is no file " + file + ".");
        }
        if (!Files.isRegularFile(file)) {
            return new FileAnswer.Refused(FileAnswer.Reason.NOT_A_FILE, "It is no file.");
        }
        try {
            byte[] all = Files.readAllBytes(file);
            int end = (int) Math.min(all.length, offset + MOST);
            return new FileAnswer.Part(all.length, "f", Arrays.copyOfRange(all, (int) offset, end));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public FileAnswer remove(String account, FilePlace place) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
