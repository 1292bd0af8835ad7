// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.file;

import java.util.Locale;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;

/** What an account's refusal means for a transfer. */
final class Refusals {

    private Refusals() {}

    static TransferException of(FileRefusedException refused) {
        return of(refused.reason(), refused.sentence());
    }

    static TransferException of(FileAnswer.Reason reason, String sentence) {
        return switch (reason) {
            case NOT_FOUND ->
                new TransferException(Kind.PERMANENT, lower(sentence), "Correct the file's name in the job.");
            case NOT_PERMITTED ->
                new TransferException(
                        Kind.PERMANENT, lower(sentence), "Use files and directories that the job's account may use.");
            case NOT_A_DIRECTORY, NOT_EMPTY ->
                new TransferException(Kind.PERMANENT, lower(sentence), "Name an empty directory, or another one.");
            case NOT_A_FILE ->
                new TransferException(
                        Kind.PERMANENT, lower(sentence), "Name a regular file; a directory ends with a slash.");
            case EXISTS ->
                new TransferException(Kind.PERMANENT, lower(sentence), "Name another file, or delete that one first.");
            case FAILED, NO_SPACE, QUOTA ->
                new TransferException(
                        Kind.TRANSIENT,
                        lower(sentence),
                        "Look at the file system's free space and the account's quota.");
        };
    }

    static TransferException of(FilesUnavailableException unavailable) {
        return new TransferException(
                Kind.TRANSIENT,
                "the account's files cannot be reached: " + unavailable.getMessage(),
                "Try again later; tell the site's administrator.",
                unavailable);
    }

    /** As a part of a longer sentence. */
    private static String lower(String sentence) {
        String text = sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
        boolean isWord = text.length() > 1 && Character.isLowerCase(text.charAt(1));
        return isWord ? text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1) : text;
    }
}
