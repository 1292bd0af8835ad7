// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files in a tree that the site exports, with the rights of one local account, never with our own. {@link FilePlace.InTree} says
 * which symbolic links are followed.
 *
 * <p>A way is the list of the names from the top of the tree, as {@link FileNames#text} makes them; none stands for the top itself,
 * which can be looked at and listed, and not be changed. Ways that no file can have (more than {@link FilePlace#MAX_NAMES} names, a name
 * such as {@code ..}) are refused with {@link IllegalArgumentException}.
 *
 * <p>All methods throw {@link FileRefusedException} where the account may not, the file system cannot, or the tree is exported for
 * reading only ({@link FileAnswer.Reason#NOT_PERMITTED}), and {@link FilesUnavailableException} where the account cannot be asked. They
 * wait for the account's answer. Every call but {@link #rename} may be repeated.
 */
public interface AccountTree {

    /** The most entries of a page of a listing. */
    int MAX_LISTED = 1000;

    /** The tree itself. */
    ExportedTree tree();

    /** What there is under a name; a symbolic link there is told as one, and not followed. */
    TreeEntry stat(List<String> way) throws FileRefusedException, FilesUnavailableException;

    /**
     * A part of a directory's entries.
     *
     * @param isMore whether others come after the last of them
     */
    record Page(List<TreeEntry> entries, boolean isMore) {
        public Page {
            entries = List.copyOf(entries);
        }
    }

    /**
     * What there is under a name, and the beginning of what is in it.
     *
     * @param inside the first page of a directory; absent of anything else
     */
    record View(TreeEntry entry, @Nullable Page inside) {}

    /**
     * As {@link #stat}, and where that is a directory {@link #list} of its first entries, by one question to the account.
     *
     * @param limit how many at most, 1 to {@link #MAX_LISTED}
     */
    View view(List<String> way, int limit) throws FileRefusedException, FilesUnavailableException;

    /**
     * Lists a directory in the order of the bytes of its names. A directory of more than a million entries is refused.
     *
     * @param after the last name of the page before; absent for the first
     * @param limit how many at most, 1 to {@link #MAX_LISTED}
     */
    Page list(List<String> way, @Nullable String after, int limit)
            throws FileRefusedException, FilesUnavailableException;

    /**
     * Reads a part of a regular file.
     *
     * @param offset of the first byte; behind the end no bytes are answered, but the size is
     * @param length of the part, at most {@link AccountFiles#MAX_LENGTH}; fewer bytes may come
     */
    FileAnswer.Part read(List<String> way, long offset, int length)
            throws FileRefusedException, FilesUnavailableException;

    /**
     * The checksum of a regular file, in lower-case hexadecimal. All of the file is read for it, part by part, so that other requests of
     * the account have their turn meanwhile; it ends early where the thread is interrupted. A file that is changed or replaced while it
     * is read is refused ({@link FileAnswer.Reason#FAILED}).
     *
     * @param mostBytes a larger file is refused ({@link FileAnswer.Reason#NOT_PERMITTED})
     */
    String checksum(List<String> way, FileChecksum algorithm, long mostBytes)
            throws FileRefusedException, FilesUnavailableException;

    /**
     * Makes a directory, with the permissions that the account's umask leaves.
     *
     * @param parents whether those on the way are made too where they are not there
     * @return whether it was made; false where it was there already. Something else of that name is refused ({@code EXISTS})
     */
    boolean makeDirectory(List<String> way, boolean parents) throws FileRefusedException, FilesUnavailableException;

    /**
     * Gives a file, a directory or a link another name or another directory, on the same file system. Not repeatable: after a
     * {@link FilesUnavailableException} it may have happened or not.
     *
     * @param replace whether a file or link that has the new name goes away (at once: the name is never free in between); else it is
     *     refused ({@code EXISTS}). A directory is never replaced
     */
    void rename(List<String> from, List<String> to, boolean replace)
            throws FileRefusedException, FilesUnavailableException;

    /**
     * Removes what has the name, whatever it is; a link is removed itself.
     *
     * @param recursive whether a directory goes with all that is in it; no link in it is followed. Else one with entries is refused
     *     ({@code NOT_EMPTY})
     * @return whether there was anything
     */
    boolean remove(List<String> way, boolean recursive) throws FileRefusedException, FilesUnavailableException;

    /**
     * Sets the permissions of a regular file or a directory. A directory keeps its set-group-id and sticky bits, a file loses them.
     *
     * @param mode 0 to 0777
     */
    void chmod(List<String> way, int mode) throws FileRefusedException, FilesUnavailableException;

    /** As {@link WritableFiles#kept}. */
    long kept(List<String> way, String part) throws FileRefusedException, FilesUnavailableException;

    /** As {@link WritableFiles#put}; the directory must be there. */
    void put(List<String> way, String part, WritableFiles.Piece piece)
            throws FileRefusedException, FilesUnavailableException;

    /**
     * Puts the part in its place; it is on disk then. A regular file that has the name is replaced, and its permissions stay; anything
     * else that has it is refused.
     *
     * @param size that it must have
     * @param onlyNew whether a file that has the name is refused too ({@code EXISTS}); no other can come in between
     */
    void finish(List<String> way, String part, long size, boolean onlyNew)
            throws FileRefusedException, FilesUnavailableException;

    /** As {@link WritableFiles#drop}. */
    void drop(List<String> way, String part) throws FileRefusedException, FilesUnavailableException;
}
