// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter.chirp;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jobgate.job.JobId;
import org.jobgate.lrm.LrmUnavailableException;

/** Makes and withdraws tickets as an account of the site. Each call may take long, and both may be repeated after a crash. */
public interface TicketMaker {

    /**
     * Whose tickets.
     *
     * @param lrm among whose files the ticket is kept
     * @param server host and port
     * @param known the subjects of the tickets that were made for the job before
     */
    record Place(String lrm, String account, JobId job, String server, List<String> known) {
        public Place {
            known = List.copyOf(known);
        }
    }

    /** What became of making one. */
    sealed interface Answer {

        /**
         * It is there.
         *
         * @param path of the file that has it, which only the account can read
         * @param subject what the server calls it: no secret
         */
        record Made(String path, String subject) implements Answer {}

        /** The server does not give it. */
        record Refused(String why) implements Answer {}
    }

    /**
     * Makes one more ticket in the place of the file that was made before.
     *
     * @param rights in Chirp's letters, by the directory
     * @throws LrmUnavailableException if it is not known whether it can be made
     */
    Answer make(Place place, Map<String, String> rights, Duration lifetime) throws LrmUnavailableException;

    /**
     * Withdraws the tickets and deletes the file.
     *
     * @param hasExpired whether all of them have, so that the server need not be asked
     * @throws LrmUnavailableException if that could not be done
     */
    void drop(Place place, boolean hasExpired) throws LrmUnavailableException;
}
