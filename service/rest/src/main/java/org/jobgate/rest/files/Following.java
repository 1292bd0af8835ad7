// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jobgate.access.Caller;
import org.jobgate.access.Jobs;
import org.jobgate.files.AccountFiles;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.job.Job;
import org.jobgate.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Finds the part of a file that a request asks for, and waits for it where the request does. Looks grow rarer from
 * {@link #FIRST_LOOK} to {@link #SLOWEST_LOOK}, and a change of the job is looked at once.
 */
final class Following {

    static final Duration FIRST_LOOK = Duration.ofMillis(40);
    static final Duration SLOWEST_LOOK = Duration.ofMillis(400);

    private final Jobs jobs;
    private final AccountFiles files;
    private final LongSupplier nanoTime;

    Following(Jobs jobs, AccountFiles files, LongSupplier nanoTime) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.files = requireNonNull(files, "files is null");
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
    }

    /**
     * How a file stands.
     *
     * @param isFinal whether the job was over before this was read: then nothing comes any more
     * @param part absent where the file is not there yet
     */
    record Found(boolean isFinal, FileAnswer.@Nullable Part part) {}

    /** @param length how much of the file to bring at once */
    Found find(Caller caller, Job first, FileRequest request, FilePlace place, Duration atMost, int length)
            throws FileRefusal, FilesUnavailableException {
        long deadline = nanoTime.getAsLong() + atMost.toNanos();
        Duration pause = FIRST_LOOK;
        Job job = first;
        while (true) {
            Found found = look(job, request, place, length);
            long left = deadline - nanoTime.getAsLong();
            if (found.isFinal() || hasNews(found, request) || left <= 0 || jobs.isStopping()) {
                return found;
            }
            Duration now = Duration.ofNanos(Math.min(left, pause.toNanos()));
            job = jobs.awaitChange(caller, job.id(), job.version(), now)
                    .orElseThrow(() -> FileRefusal.unknownJob(first.id().toString()));
            FileRefusal.unlessPermitted(caller, job.owner().account());
            pause = pause.multipliedBy(3).dividedBy(2);
            pause = pause.compareTo(SLOWEST_LOOK) < 0 ? pause : SLOWEST_LOOK;
        }
    }

    private static boolean hasNews(Found found, FileRequest request) {
        FileAnswer.Part part = found.part();
        return part != null && part.size() != request.range().begin(part.size());
    }

    /** Once. The job is judged before the file is read: only so can its end be the file's. */
    private Found look(Job job, FileRequest request, FilePlace place, int length)
            throws FileRefusal, FilesUnavailableException {
        boolean isOver = isOver(job);
        if (request.isOutput() && !isOver && job.started() == null) {
            return new Found(false, null);
        }
        long offset = Math.max(0, request.range().first());
        FileAnswer answer = files.read(job.owner().account(), place, offset, length);
        if (answer instanceof FileAnswer.Refused refused) {
            boolean mayCome = refused.reason() == FileAnswer.Reason.NOT_FOUND && !isOver;
            if (mayCome && request.patience() != null && offset == 0 && request.file() == null) {
                return new Found(false, null);
            }
            throw FileRefusal.of(refused);
        }
        if (!(answer instanceof FileAnswer.Part part)) {
            throw new FilesUnavailableException("a read was answered with " + answer);
        }
        if (request.file() != null && !request.file().equals(part.file())) {
            throw FileRefusal.replaced();
        }
        return new Found(isOver, part);
    }

    /** Whether its processes are over, and with them what they write. */
    static boolean isOver(Job job) {
        return job.state().isTerminal() || job.state() == JobState.STAGE_OUT || job.state() == JobState.CLEAN_UP;
    }
}
