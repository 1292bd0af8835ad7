// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

import static java.util.Objects.requireNonNull;

/** What an account says of a file. */
public sealed interface FileAnswer {

    /**
     * A part of it.
     *
     * @param size of the whole file, in bytes, when it was read
     * @param file the same as long as it is the same file, whatever is written to it: another file of that name has another
     * @param changed another one when it was written to; empty where that is not known
     * @param bytes from the offset that was asked for
     */
    @SuppressWarnings("ArrayRecordComponent") // made once, written once, never compared
    record Part(long size, String file, String changed, byte[] bytes) implements FileAnswer {
        public Part {
            requireNonNull(file, "file is null");
            requireNonNull(changed, "changed is null");
            requireNonNull(bytes, "bytes is null");
            if (size < 0) {
                throw new IllegalArgumentException("a file of " + size + " bytes");
            }
        }

        /** A part of a file whose changes are not reported. */
        public Part(long size, String file, byte[] bytes) {
            this(size, file, "", bytes);
        }
    }

    /** It is gone now. */
    record Removed() implements FileAnswer {}

    /** The file cannot be read. */
    record Refused(Reason reason, String sentence) implements FileAnswer {
        public Refused {
            requireNonNull(reason, "reason is null");
            requireNonNull(sentence, "sentence is null");
        }
    }

    /** Why a file cannot be read. */
    enum Reason {
        /** There is none of that name. */
        NOT_FOUND,
        /** The account itself may not use it. */
        NOT_PERMITTED,
        /** A directory, a device, a symbolic link or the like. */
        NOT_A_FILE,
        /** It would have to be a directory, and is none. */
        NOT_A_DIRECTORY,
        /** Something has the name already. */
        EXISTS,
        /** A directory that would have to be empty has entries. */
        NOT_EMPTY,
        /** The file system is full. */
        NO_SPACE,
        /** The account has used up its share of the file system. */
        QUOTA,
        /** Its file system failed. */
        FAILED
    }
}
