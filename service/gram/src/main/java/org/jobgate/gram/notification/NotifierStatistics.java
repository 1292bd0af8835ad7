// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.notification;

/**
 * Figures for metrics, since the start.
 *
 * @param delivered messages that consumers took
 * @param failed attempts that failed
 * @param dropped consumers that were given up
 * @param consumers consumers with messages waiting now
 */
public record NotifierStatistics(long delivered, long failed, long dropped, int consumers) {}
