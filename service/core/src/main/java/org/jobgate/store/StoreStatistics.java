// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store;

import java.time.Duration;

/**
 * What the group-commit writer has done since the start.
 *
 * @param commits transactions forced to disk
 * @param changes writes in them; changes / commits is the mean batch
 * @param queued writes waiting now
 * @param lastBatch writes in the newest transaction
 * @param lastCommit how long the newest commit took, from begin to forced to disk
 * @param totalCommit the sum of all commits
 * @param slowestCommit the longest one
 */
public record StoreStatistics(
        long commits,
        long changes,
        int queued,
        int lastBatch,
        Duration lastCommit,
        Duration totalCommit,
        Duration slowestCommit) {}
