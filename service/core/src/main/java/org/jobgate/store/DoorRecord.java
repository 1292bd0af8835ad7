// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jobgate.job.JobId;
import org.jobgate.job.Text;
import org.jspecify.annotations.Nullable;

/**
 * Something that a front door or an adapter must remember over a restart, of a shape that only it knows.
 *
 * @param kind whose it is and what, e.g. {@code gram.subscription}
 * @param id unique within the kind
 * @param job the job it belongs to and is purged with; absent if to none
 * @param owner the subject it belongs to; absent if to none
 * @param body its content, e.g. JSON
 */
public record DoorRecord(
        String kind,
        String id,
        @Nullable JobId job,
        @Nullable String owner,
        String body,
        Instant created) {

    public DoorRecord {
        Text.requireText(kind, "kind", 64);
        Text.requireText(id, "id", 1280);
        requireNonNull(body, "body is null");
        requireNonNull(created, "created is null");
    }
}
