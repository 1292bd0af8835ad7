// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.protocol;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.jobgate.files.FileNames;

/** One attempt failed. The message says what and why, in one sentence; the remedy what to do. Neither holds anything secret. Bytes of names that are not UTF-8 are written %XX. */
public final class TransferException extends Exception {

    private static final long serialVersionUID = 1L;

    /** What a failure means for the next attempt. */
    public enum Kind {
        /** Another attempt would fail as well: no such file, not permitted. */
        PERMANENT,
        /** Another attempt may succeed. */
        TRANSIENT,
        /** The same, and the server itself is in trouble: others that need it had better wait. */
        SERVER
    }

    private final Kind kind;
    private final String remedy;

    public TransferException(Kind kind, String sentence, String remedy) {
        super(FileNames.shown(sentence));
        this.kind = requireNonNull(kind, "kind is null");
        this.remedy = requireNonNull(remedy, "remedy is null");
    }

    public TransferException(Kind kind, String sentence, String remedy, Throwable cause) {
        super(FileNames.shown(sentence), cause);
        this.kind = requireNonNull(kind, "kind is null");
        this.remedy = requireNonNull(remedy, "remedy is null");
    }

    /**
     * What a broken stream means: the reason that it carries, or that it is worth another attempt.
     *
     * @param what was being done, e.g. {@code "reading https://host/file"}
     */
    public static TransferException of(IOException broken, String what) {
        for (Throwable cause = broken; cause != null; cause = cause.getCause()) {
            if (cause instanceof TransferException known) {
                return known;
            }
        }
        return new TransferException(
                Kind.TRANSIENT,
                what + " broke off: " + broken,
                "Try again later; ask the server's administrator.",
                broken);
    }

    public Kind kind() {
        return kind;
    }

    public String remedy() {
        return remedy;
    }

    public String sentence() {
        return String.valueOf(getMessage());
    }
}
