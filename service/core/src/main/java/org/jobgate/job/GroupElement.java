// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import org.jspecify.annotations.Nullable;

/**
 * One element of a group, as it stands.
 *
 * @param attempt how often it has been begun, or will have been when it is; from 1
 * @param job the job of its last attempt; absent while it waits, and where it was never made
 * @param fault why it could not become a job
 */
public record GroupElement(
        int index,
        int attempt,
        ElementState state,
        @Nullable JobId job,
        @Nullable Fault fault) {}
