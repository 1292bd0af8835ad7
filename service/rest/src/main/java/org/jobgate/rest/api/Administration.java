// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * What administrators see of the gateway and change in it: the same as at the admin socket. Whether the caller is an administrator was
 * looked at before. Answers are what JSON can hold: maps, lists, texts, numbers, truths.
 */
public interface Administration {

    /**
     * Looks at something.
     *
     * @param path what, as the admin socket names it, e.g. {@code /pools}
     * @param parameters of the query, by name
     * @throws Refused where there is no such thing, or a parameter is wrong
     */
    Object look(String path, Map<String, String> parameters);

    /**
     * Changes something. Who did is on record before it is asked, and may be kept in the log too.
     *
     * @param who the administrator's name
     * @param path what, as the admin socket names it, e.g. {@code /pools/submit}
     * @param parameters of the query, by name
     * @return how it is then
     * @throws Refused where there is no such thing, or a parameter is wrong
     */
    Object change(String who, String path, Map<String, String> parameters);

    /** Something that cannot be done. */
    final class Refused extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final int status;
        private final String code;
        private final String remedy;

        /**
         * Says what failed and what to do.
         *
         * @param status of HTTP
         * @param code a word for programs, in capitals
         */
        public Refused(int status, String code, String sentence, String remedy) {
            super(sentence, null, false, false);
            this.status = status;
            this.code = requireNonNull(code, "code is null");
            this.remedy = requireNonNull(remedy, "remedy is null");
        }

        /** A word for programs. */
        String code() {
            return code;
        }

        Problem problem() {
            return new Problem(status, code, String.valueOf(getMessage()), remedy);
        }
    }
}
