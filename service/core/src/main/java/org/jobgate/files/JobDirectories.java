// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client may do in the directory of its job, beside reading: {@link WritableFiles} at places {@link FilePlace.Below} it. There
 * {@link #put} makes the directories on the way, and no symbolic link is followed.
 */
public interface JobDirectories extends WritableFiles {

    /**
     * As {@link #finish}, but only where nothing has the name; else refused with {@link FileAnswer.Reason#EXISTS}. It cannot happen that
     * another file of that name comes in between.
     */
    void finishNew(String account, FilePlace place, String part, long size, boolean program)
            throws FileRefusedException, FilesUnavailableException;

    /** How many names {@link #makeDirectories} takes. */
    int MAX_MADE = 1000;

    /**
     * Makes a directory and those on the way, as {@link #makeDirectory}, and in it a directory of each name; that one is there is good, but not a
     * symbolic link to one.
     *
     * @param names at most {@value #MAX_MADE}
     * @return why, for each name of which there is no directory then; nothing where all are there
     * @throws FileRefusedException where the parent cannot be made
     */
    default Map<String, FileRefusedException> makeDirectories(String account, String parent, List<String> names)
            throws FileRefusedException, FilesUnavailableException {
        Map<String, FileRefusedException> refused = new LinkedHashMap<>();
        makeDirectory(account, parent);
        for (String name : names) {
            try {
                makeDirectory(account, parent + "/" + name);
            } catch (FileRefusedException e) {
                refused.put(name, e);
            }
        }
        return refused;
    }

    /**
     * One of the names in a directory.
     *
     * @param name as {@link FileNames#text} has it
     * @param kind {@code file}, {@code directory}, {@code link} or {@code other}
     * @param size in bytes
     * @param modified in seconds since 1970, in the years 1 to 9999 as that of {@link TreeEntry}
     */
    record Entry(String name, String kind, long size, long modified) {
        public Entry {
            requireNonNull(name, "name is null");
            requireNonNull(kind, "kind is null");
            modified = FileTimes.sayable(modified);
        }
    }

    /**
     * A part of a directory's names.
     *
     * @param isMore whether others come after the last of them
     */
    record Page(List<Entry> entries, boolean isMore) {
        public Page {
            entries = List.copyOf(entries);
        }
    }

    /**
     * Lists a directory in the order of the bytes of its names, at most 1000 at once.
     *
     * @param directory of the job; absent means the account's home
     * @param names of the directories on the way below it; none for that itself
     * @param after the last name of the page before; absent for the first
     */
    Page browse(String account, @Nullable String directory, List<String> names, @Nullable String after)
            throws FileRefusedException, FilesUnavailableException;
}
