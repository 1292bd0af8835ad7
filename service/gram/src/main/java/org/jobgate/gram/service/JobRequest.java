// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.time.Instant;
import java.util.Optional;
import org.jobgate.gt4.subscription.SubscriptionRequest;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobOrigin;
import org.jobgate.job.Owner;
import org.jspecify.annotations.Nullable;

/**
 * One job that somebody asks for, understood and authorized.
 *
 * @param origin the door, and the language of the description
 * @param clientId the client's own id of it; absent if the client gave none
 * @param terminationTime absent means none
 */
record JobRequest(
        JobOrigin origin,
        Owner owner,
        String lrm,
        JobDescription description,
        @Nullable String clientId,
        @Nullable Instant terminationTime,
        Optional<SubscriptionRequest> subscribe) {}
