// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static org.jobgate.job.Text.requireText;

/**
 * What makes a submission the same submission: the owner's subject, the door that it came by, and the id that the client chose. The store
 * holds each key once. Clients of two doors who choose the same id mean two jobs.
 *
 * @param subject the owner's distinguished name
 * @param door the door's name, see {@link JobOrigin#door}
 * @param clientId the client's own id, any text of at most 256 characters; for a submission without one the server's new {@link JobId}
 */
public record SubmissionKey(String subject, String door, String clientId) {

    /** Characters. */
    public static final int MAX_CLIENT_ID = 256;

    public SubmissionKey {
        requireText(subject, "subject", 1024);
        JobOrigin.requireName(door, "door");
        requireText(clientId, "clientId", MAX_CLIENT_ID);
    }
}
