// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes, lists and deletes files with the rights of a local account, never with our own. Every call may be repeated.
 *
 * <p>A file is written into a <em>part</em> beside its place, and takes the place when it is whole: until then there is what was there
 * before. The writer names the part: letters, digits and hyphens, at most {@value #MAX_PART_NAME}.
 *
 * <p>All methods throw {@link FileRefusedException} where the account may not or the file system cannot, and
 * {@link FilesUnavailableException} where the account cannot be asked.
 */
public interface WritableFiles {

    int MAX_PART_NAME = 128;

    /** How many bytes were written into the part so far; 0 where there is none. */
    long kept(String account, FilePlace place, String part) throws FileRefusedException, FilesUnavailableException;

    /**
     * Bytes of a part.
     *
     * @param offset of the first; what was behind it is cut off
     * @param bytes at most {@link AccountFiles#MAX_LENGTH}
     * @param sync whether all of the part must be on disk when the call returns
     */
    @SuppressWarnings("ArrayRecordComponent") // made once, sent once, never compared
    record Piece(long offset, byte[] bytes, boolean sync) {
        public Piece {
            if (offset < 0 || bytes.length > AccountFiles.MAX_LENGTH) {
                throw new IllegalArgumentException("no piece: " + bytes.length + " bytes at " + offset);
            }
        }
    }

    /** Writes bytes into a part. Refused ({@code FAILED}) where it is shorter than the offset. */
    void put(String account, FilePlace place, String part, Piece piece)
            throws FileRefusedException, FilesUnavailableException;

    /**
     * Puts the part in its place; it is on disk then.
     *
     * @param size that it must have
     * @param program whether those who may read it may run it
     */
    void finish(String account, FilePlace place, String part, long size, boolean program)
            throws FileRefusedException, FilesUnavailableException;

    /** Removes a part, if there is one. */
    void drop(String account, FilePlace place, String part) throws FileRefusedException, FilesUnavailableException;

    /** Makes a directory and those on the way; that it is there is good. */
    void makeDirectory(String account, String path) throws FileRefusedException, FilesUnavailableException;

    /**
     * Deletes a file, or a directory with all that is in it; no symbolic link is followed.
     *
     * @return whether there was anything
     */
    boolean delete(String account, FilePlace place) throws FileRefusedException, FilesUnavailableException;

    /**
     * What is in a directory.
     *
     * @param name as {@link FileNames#text} has it
     * @param kind {@code file}, {@code directory} or {@code other}
     */
    record Listed(String name, String kind, long size) {}

    /**
     * Lists a directory in the order of its names.
     *
     * @param after the last name of the page before; absent for the first
     * @return at most 1000, none after the last
     */
    List<Listed> list(String account, String path, @Nullable String after)
            throws FileRefusedException, FilesUnavailableException;
}
