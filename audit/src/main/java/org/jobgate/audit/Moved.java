// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

/**
 * What was moved of a job's files, in all attempts. Deletions do not count.
 *
 * @param filesIn input files that arrived
 * @param bytesIn that were moved for input files, also by attempts that failed
 * @param filesOut output files that arrived
 * @param bytesOut that were moved for output files
 * @param attempts that were made, for all files
 * @param failures of these, those that failed
 */
public record Moved(long filesIn, long bytesIn, long filesOut, long bytesOut, long attempts, long failures) {}
