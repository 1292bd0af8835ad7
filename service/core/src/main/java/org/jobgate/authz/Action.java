// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import java.util.Locale;

/** The actions that the site's policy permits or refuses. */
public enum Action {
    /** Start jobs. */
    SUBMIT(false),
    /** Leave a credential for jobs to use. */
    DELEGATE(false),
    /** Read and remove the files of one's own jobs. */
    FILES(false),
    /** Look at one's own jobs. */
    QUERY(true),
    /** Cancel, release and prolong one's own jobs. */
    MANAGE(true);

    private final boolean isOwners;

    Action(boolean isOwners) {
        this.isOwners = isOwners;
    }

    /** Whether owning the job is enough, unless a decision point objects. */
    public boolean isOwners() {
        return isOwners;
    }

    /** As it is written in configuration, logs and commands, e.g. {@code submit}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The action of a word.
     *
     * @throws IllegalArgumentException that lists the words there are
     */
    public static Action of(String word) {
        for (Action action : values()) {
            if (action.word().equals(word)) {
                return action;
            }
        }
        throw new IllegalArgumentException(
                "there is no action " + word + "; there are submit, delegate, files, query, manage");
    }
}
