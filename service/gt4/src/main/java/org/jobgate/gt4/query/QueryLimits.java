// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4.query;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jobgate.limits.Limit;

/**
 * How much one query of resource properties may cost.
 *
 * @param expressionCharacters of the expression
 * @param nesting brackets within brackets in the expression
 * @param visits how often it may look at a node
 * @param resultCharacters of the texts that it answers
 * @param time it is given up after this
 */
public record QueryLimits(
        Limit expressionCharacters, Limit nesting, Limit visits, Limit resultCharacters, Duration time) {

    public QueryLimits {
        requireNonNull(expressionCharacters, "expressionCharacters is null");
        requireNonNull(nesting, "nesting is null");
        requireNonNull(visits, "visits is null");
        requireNonNull(resultCharacters, "resultCharacters is null");
        requireNonNull(time, "time is null");
    }

    public static QueryLimits defaults() {
        return new QueryLimits(
                new Limit("gram.maxQueryCharacters", 1_024),
                new Limit("gram.maxQueryNesting", 16),
                new Limit("gram.maxQueryVisits", 1_000_000),
                new Limit("gram.maxQueryResultCharacters", 2_097_152),
                Duration.ofSeconds(1));
    }
}
