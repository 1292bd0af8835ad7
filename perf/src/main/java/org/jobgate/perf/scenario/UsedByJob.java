// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

/**
 * What one job used by its LRM's own account.
 *
 * @param job its id
 */
record UsedByJob(String job, long wallMillis, long cpuMillis) {}
