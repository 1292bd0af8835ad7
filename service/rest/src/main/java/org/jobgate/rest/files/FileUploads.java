// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import static java.util.Objects.requireNonNull;

import org.jobgate.files.FileAnswer;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.JobDirectories;
import org.jspecify.annotations.Nullable;

/**
 * What all uploads share.
 *
 * @param reader tells how a file stands now
 */
record FileUploads(JobDirectories files, Reader reader, UploadRecords records, UploadTurns turns) {
    FileUploads {
        requireNonNull(files, "files is null");
        requireNonNull(reader, "reader is null");
        requireNonNull(records, "records is null");
        requireNonNull(turns, "turns is null");
    }

    /** Tells how a file stands, without its bytes. */
    @FunctionalInterface
    interface Reader {
        /**
         * Nothing where there is no such file.
         *
         * @throws FileRefusal something else than a regular file lies there
         */
        FileAnswer.@Nullable Part now(String account, FilePlace place) throws FileRefusal, FilesUnavailableException;
    }
}
