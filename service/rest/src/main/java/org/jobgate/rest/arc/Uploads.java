// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.access.Caller;
import org.jobgate.access.Jobs;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.rest.files.FileRefusal;
import org.jobgate.rest.files.JobFileAccess;
import org.jspecify.annotations.Nullable;

/**
 * Lets jobs go on when the files are there that their clients bring. What is in the session directory counts, and nothing else: a file
 * has its name only when it is whole, so neither a body that broke off nor a restart of the service can make half a file look ready.
 */
final class Uploads {

    private final Jobs jobs;
    private final JobFileAccess files;

    /** What was seen in the directories of jobs that wait, to spare looking again. */
    private final ConcurrentHashMap<JobId, Set<String>> seen = new ConcurrentHashMap<>();

    Uploads(Jobs jobs, JobFileAccess files) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.files = requireNonNull(files, "files is null");
    }

    /** Whether the job waits for files of its client. One that its owner holds later, by another door, does not: it is not ours to let it go. */
    static boolean isAwaited(Job job) {
        return !job.state().isTerminal() && job.holdAt() == JobState.STAGE_IN;
    }

    /** How many jobs are remembered here: none that does not wait. */
    int remembered() {
        return seen.size();
    }

    /** @param name of the file that was put; absent to look at all of them */
    void arrived(Caller caller, Job job, Session session, @Nullable String name)
            throws FileRefusal, FilesUnavailableException {
        // who pushes more than is named says when all is there
        if (!session.awaitsClient() || session.isPushing() || !isAwaited(job)) {
            seen.remove(job.id());
            return;
        }
        Set<String> there = seen.computeIfAbsent(job.id(), id -> ConcurrentHashMap.newKeySet());
        if (name != null) {
            there.add(name);
        }
        if (missing(session, there).isEmpty()) {
            jobs.release(caller, job.id());
            seen.remove(job.id());
        }
    }

    /** A file was removed again, or a directory with all that was in it. */
    void removed(JobId job, String name) {
        Set<String> there = seen.get(job);
        if (there != null) {
            there.removeIf(file -> file.equals(name) || file.startsWith(name + "/"));
        }
    }

    void forget(JobId job) {
        seen.remove(job);
    }

    /** The first awaited file that is not there. */
    Optional<String> missing(Session session) throws FileRefusal, FilesUnavailableException {
        return missing(session, ConcurrentHashMap.newKeySet());
    }

    private Optional<String> missing(Session session, Set<String> there) throws FileRefusal, FilesUnavailableException {
        for (Session.Upload upload : session.uploads()) {
            if (there.contains(upload.name())) {
                continue;
            }
            if (!files.exists(session.account(), place(session, upload.name()))) {
                return Optional.of(upload.name());
            }
            there.add(upload.name());
        }
        return Optional.empty();
    }

    /** Whether a file of this name is there, whole. */
    boolean isThere(Session session, String name) throws FileRefusal, FilesUnavailableException {
        return files.exists(session.account(), place(session, name));
    }

    static FilePlace.Below place(Session session, String name) {
        return new FilePlace.Below(
                session.directory(), Arrays.stream(name.split("/", -1)).toList());
    }

    static FilePlace.Below place(Session session, List<String> names) {
        return new FilePlace.Below(session.directory(), names);
    }
}
