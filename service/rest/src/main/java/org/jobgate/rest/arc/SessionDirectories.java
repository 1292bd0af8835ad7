// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.JobDirectories;

/** Makes session directories, all by a few calls of the account's worker: one call for each job would be most of what a submission of many takes. */
final class SessionDirectories {

    private final JobDirectories directories;

    SessionDirectories(JobDirectories directories) {
        this.directories = requireNonNull(directories, "directories is null");
    }

    /**
     * Makes them.
     *
     * @param places all below the same directory, each with one name
     * @return why some were not made, by their names
     * @throws FilesUnavailableException if the account's worker does not answer
     */
    Map<String, FileRefusedException> make(String account, List<FilePlace.Below> places)
            throws FilesUnavailableException {
        Map<String, FileRefusedException> refused = new LinkedHashMap<>();
        if (places.isEmpty()) {
            return refused;
        }
        String parent = requireNonNull(places.getFirst().directory());
        List<String> names = places.stream()
                .map(place -> place.names().getFirst())
                .distinct()
                .toList();
        for (int from = 0; from < names.size(); from += JobDirectories.MAX_MADE) {
            List<String> some = names.subList(from, Math.min(names.size(), from + JobDirectories.MAX_MADE));
            try {
                refused.putAll(directories.makeDirectories(account, parent, some));
            } catch (FileRefusedException e) {
                some.forEach(name -> refused.put(name, e));
            }
        }
        return refused;
    }
}
