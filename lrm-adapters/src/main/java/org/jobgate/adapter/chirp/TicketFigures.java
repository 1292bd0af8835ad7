// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter.chirp;

/**
 * How tickets stand.
 *
 * @param held jobs that have tickets, or of which some are still to be withdrawn
 * @param waiting jobs that wait for their turn to have something done about their tickets
 * @param made tickets that were made, renewed ones among them
 * @param failed tries to make or withdraw one that were not understood or not answered, and are repeated
 * @param refused jobs whose ticket a server did not give
 * @param withdrawn jobs whose tickets were withdrawn
 */
public record TicketFigures(int held, int waiting, long made, long failed, long refused, long withdrawn) {}
