// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.notify;

/**
 * Figures for metrics, since the start.
 *
 * @param delivered messages that consumers took
 * @param failed attempts that failed
 * @param leftOut messages that were never sent, because too many waited for their consumer or it was given up
 * @param givenUp consumers that were given up
 * @param known consumers that got a message and may get more
 * @param waiting consumers that have messages waiting or on their way now
 */
public record DeliveryStatistics(long delivered, long failed, long leftOut, long givenUp, int known, int waiting) {}
