// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.time.Duration;

/**
 * A transfer that succeeded.
 *
 * @param bytes that were moved by this attempt; for a third-party transfer as the servers say
 * @param took from the first command to the last reply
 */
public record TransferResult(long bytes, Duration took) {}
