// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.trace;

/**
 * What became of spans since the start.
 *
 * @param sent the collector took them
 * @param tooMany were thrown away, as as many waited already as may
 * @param refused the collector was away, or did not take them; they are not sent again
 */
public record SpanCounts(long sent, long tooMany, long refused) {}
