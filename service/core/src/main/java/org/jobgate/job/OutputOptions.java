// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

/** Options of files to send ({@link TransferList#stageOut}) that are our own, beside RFT's: what writes a description and what moves the files name them alike. */
public final class OutputOptions {

    /**
     * Of a transfer between two directories: it sends no files, but while the job runs what files of the first directory have got, piece by piece,
     * each piece as a file of its own in the second. The value is the number of seconds between two looks, at least 1. It needs {@link #SLICES_LIST}.
     */
    public static final String SLICES = "slices";

    /** The URL of the list of the files whose slices are sent: one name on each line, relative to the first directory or absolute. */
    public static final String SLICES_LIST = "slicesList";

    /** The subject that the certificate of the list's server must have, where it is not that of its host. */
    public static final String SLICES_LIST_SUBJECT = "slicesListSubjectName";

    /**
     * Of all files to send together: how many bytes they may have. The file that passes the bound is cut to its last bytes, and is sent with the ending
     * {@code .tail}.
     */
    public static final String MOST_BYTES = "maxTotalBytes";

    private OutputOptions() {}
}
