// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.List;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.JobDirectories;
import org.jobgate.rest.files.FileRefusal;
import org.jspecify.annotations.Nullable;

/** One directory of a session, read a page at a time: a job may have made millions of files in it. */
final class SessionPages {

    private final JobDirectories directories;
    private final Session session;
    private final List<String> names;

    /** @param names of the directories on the way to it; none for the session directory itself */
    SessionPages(JobDirectories directories, Session session, List<String> names) {
        this.directories = requireNonNull(directories, "directories is null");
        this.session = requireNonNull(session, "session is null");
        this.names = List.copyOf(names);
    }

    /** Takes an entry. */
    @FunctionalInterface
    interface Taker {
        void take(JobDirectories.Entry entry) throws IOException, FileRefusal;
    }

    /** The first page: what refuses it can still be answered with a status of its own. */
    JobDirectories.Page first() throws FileRefusal {
        return page(null);
    }

    /** Hands over all entries, from the first page on. */
    void each(JobDirectories.Page first, Taker taker) throws IOException, FileRefusal {
        JobDirectories.Page page = first;
        while (true) {
            for (JobDirectories.Entry entry : page.entries()) {
                taker.take(entry);
            }
            if (!page.isMore() || page.entries().isEmpty()) {
                return;
            }
            page = page(page.entries().getLast().name());
        }
    }

    private JobDirectories.Page page(@Nullable String after) throws FileRefusal {
        try {
            return directories.browse(session.account(), session.directory(), names, after);
        } catch (FileRefusedException e) {
            throw FileRefusal.of(e);
        } catch (FilesUnavailableException e) {
            throw FileRefusal.of(new FileRefusedException(
                    FileAnswer.Reason.FAILED, "The files cannot be reached now: " + e.getMessage() + "."));
        }
    }
}
