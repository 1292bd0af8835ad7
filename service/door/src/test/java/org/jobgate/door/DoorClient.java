// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.door;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Later;
import org.jspecify.annotations.Nullable;

/** A client of the door under test, which speaks its protocol. What the door answers comes back as it was: {@link DoorContract} judges it. */
public interface DoorClient {

    /**
     * Who sends a request.
     *
     * @param subject absent for nobody
     */
    record Sender(@Nullable String subject, boolean limited) {

        /** The headers of a request of this sender, name and value by turns, as {@link DoorHost} reads them. */
        public String[] headers() {
            if (subject == null) {
                return new String[0];
            }
            return limited
                    ? new String[] {DoorHost.SUBJECT, subject, DoorHost.LIMITED, "true"}
                    : new String[] {DoorHost.SUBJECT, subject};
        }
    }

    /**
     * A job to be submitted.
     *
     * @param clientId the client's own id of the submission
     */
    record Wanted(String clientId, String executable) {}

    /**
     * What the door answered.
     *
     * @param job the id of the job that was submitted or found; absent for a refusal
     * @param text the whole answer; of a refusal, the sentence is in it
     */
    record Said(@Nullable JobId job, String text) {
        public Said {
            requireNonNull(text, "text is null");
        }

        boolean isRefused() {
            return job == null;
        }
    }

    Said submit(Sender sender, Wanted wanted);

    /** Many jobs in one request, one answer for each; empty for a protocol that has no such request. */
    Optional<List<Said>> submitAll(Sender sender, List<Wanted> wanted);

    /** Asks how the job is. */
    Said show(Sender sender, JobId job);

    /** Ends the job and forgets it. */
    Said destroy(Sender sender, JobId job);

    /** Begins to follow the job, by polling or by notifications. */
    Followed follow(Sender sender, JobId job);

    /**
     * What an answer holds by which a program knows that its submission may be taken later, by a status or a fault: no sentence for people.
     *
     * @param later when, and whose room is used up
     */
    String wordForLater(Later later);

    /** The words for a state. */
    String word(JobState state);

    /** What a follower was told, in order, each word as often as it was told. */
    interface Followed extends AutoCloseable {

        List<String> words();

        @Override
        void close();
    }
}
