// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static org.jobgate.job.Text.requireText;

/**
 * What makes a submission the same submission: the owner's subject and the id that his client chose. The store holds each key once.
 *
 * @param subject the owner's distinguished name
 * @param clientId the client's own id, any text of at most 256 characters; for GRAM4 the {@code JobID}, for a submission without one
 *     the server's new {@link JobId}
 */
public record SubmissionKey(String subject, String clientId) {

    public SubmissionKey {
        requireText(subject, "subject", 1024);
        requireText(clientId, "clientId", 256);
    }
}
