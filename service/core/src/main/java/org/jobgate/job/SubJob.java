// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

/**
 * One of the jobs that a multi-job consists of.
 *
 * @param lrm the name of the LRM that it is for
 * @param account the local account that it runs as, one of those that its owner may use
 */
public record SubJob(String lrm, String account, JobDescription description) {

    public SubJob {
        Text.requireText(lrm, "lrm", 64);
        Text.requireText(account, "account", 256);
        requireNonNull(description, "description is null");
        if (description.isMulti()) {
            throw new IllegalArgumentException("a multi-job cannot be part of a multi-job");
        }
    }
}
