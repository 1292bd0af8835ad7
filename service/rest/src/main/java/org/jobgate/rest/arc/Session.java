// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the door keeps with a job: where its files are, and which of them its client brings.
 *
 * @param account whose directory it is
 * @param directory the session directory: absolute
 * @param name that people gave the job; absent for none
 * @param uploads the files that the client puts before the job can start
 * @param kept the output files that stay for the client
 * @param successCode the exit code that is no failure; absent: 0
 * @param until when the client must have put its files, in seconds since 1970
 * @param late why the job was ended, where files did not come in time; absent as long as that is not so
 * @param notes what of the description has no effect here
 * @param pushing whether the client is still to say that all files are there, of which there may be more than are named; false: it has said so;
 *     absent: its job waits for those that are named, and for no word
 * @param startBefore when the job must have started, in seconds since 1970; absent: whenever it does
 * @param first the id by which the client knows the job, of which this one is a further attempt; absent where it is the first
 * @param now the newest attempt, where the job was restarted; absent for the newest
 */
record Session(
        String account,
        String directory,
        @Nullable String name,
        List<Upload> uploads,
        List<String> kept,
        @Nullable Integer successCode,
        long until,
        @Nullable String late,
        List<String> notes,
        @Nullable Boolean pushing,
        @Nullable Long startBefore,
        @Nullable String first,
        @Nullable String now) {

    /** A file that the client brings. */
    record Upload(String name, boolean program) {

        Upload {
            requireNonNull(name, "name is null");
        }
    }

    Session {
        requireNonNull(account, "account is null");
        requireNonNull(directory, "directory is null");
        uploads = List.copyOf(uploads);
        kept = List.copyOf(kept);
        notes = List.copyOf(notes);
    }

    Session tooLate(String sentence) {
        return with(until, sentence, pushing, startBefore, first, now);
    }

    /** All files of the client are there. */
    Session pushed() {
        return with(until, late, false, startBefore, first, now);
    }

    /** The session of a job that was restarted. */
    Session replacedBy(String attempt) {
        return with(until, late, pushing, startBefore, first, attempt);
    }

    /** The session of a further attempt, in the same directory; it does not have to start by the time that was set for the first one. */
    Session again(String firstId, long untilThen) {
        return with(untilThen, null, pushing, null, firstId, null);
    }

    private Session with(
            long changedUntil,
            @Nullable String changedLate,
            @Nullable Boolean changedPushing,
            @Nullable Long changedStartBefore,
            @Nullable String changedFirst,
            @Nullable String changedNow) {
        return new Session(
                account,
                directory,
                name,
                uploads,
                kept,
                successCode,
                changedUntil,
                changedLate,
                notes,
                changedPushing,
                changedStartBefore,
                changedFirst,
                changedNow);
    }

    /** Whether the client is still to say that all files are there. */
    boolean isPushing() {
        return Boolean.TRUE.equals(pushing);
    }

    /** Whether the job waits for its client before it starts. */
    boolean awaitsClient() {
        return pushing != null || !uploads.isEmpty();
    }

    /** Whether the client brings a file of this name. */
    boolean isUpload(String file) {
        return uploads.stream().anyMatch(upload -> upload.name().equals(file));
    }

    /** Whether the client brings a file of this name, and it is to be executable. */
    boolean isProgram(String file) {
        return uploads.stream()
                .anyMatch(upload -> upload.program() && upload.name().equals(file));
    }
}
