// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.report;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What a figure was at several places, e.g. memory over time.
 *
 * @param name what it is of
 * @param across what grows from left to right, with its unit
 * @param unit of the figures
 */
public record Series(String name, String across, String unit, List<Point> points) {

    public Series {
        requireNonNull(name, "name is null");
        requireNonNull(across, "across is null");
        requireNonNull(unit, "unit is null");
        points = List.copyOf(points);
    }

    /** One place. */
    public record Point(double x, double y) {}
}
