// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

/**
 * Reads and removes files with the rights of a local account, never with our own. Calls wait for the account's answer; nothing is kept
 * between two of them, so that a reader who goes away leaves nothing behind.
 *
 * <p>No symbolic link is followed where a client could have put it, and only regular files are touched: see {@link FilePlace}.
 */
public interface AccountFiles extends AutoCloseable {

    /** The most bytes that one call reads. */
    int MAX_LENGTH = 1024 * 1024;

    /**
     * Reads a part of a file.
     *
     * @param offset of the first byte; behind the end no bytes are answered, but the size is
     * @param length of the part, at most {@link #MAX_LENGTH}; fewer bytes may come
     * @throws FilesUnavailableException the account cannot be asked
     */
    FileAnswer read(String account, FilePlace place, long offset, int length) throws FilesUnavailableException;

    /**
     * Removes a file; that it is not there is no refusal.
     *
     * @return {@link FileAnswer.Removed} or {@link FileAnswer.Refused}
     * @throws FilesUnavailableException the account cannot be asked
     */
    FileAnswer remove(String account, FilePlace place) throws FilesUnavailableException;

    /** Lets the processes go that act for the accounts. */
    @Override
    void close();
}
