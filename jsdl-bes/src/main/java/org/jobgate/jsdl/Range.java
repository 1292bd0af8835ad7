// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * A range of numbers as the language has it (RangeValue_Type): a number is in it that is in at least one of its intervals. Numbers below
 * nothing mean nothing in this language, so every interval begins at 0 or above.
 *
 * @param node where it was written
 */
record Range(Node node, List<Interval> intervals) {

    /** So large a number is never asked for: of bytes that is more than a million TiB. */
    private static final double MOST = 1L << 60;

    /**
     * Numbers from one bound to another.
     *
     * @param wished the exact value around which it lies; NaN for none
     */
    record Interval(double low, boolean isLowOut, double high, boolean isHighOut, double wished) {

        boolean holds(double number) {
            return (isLowOut ? number > low : number >= low) && (isHighOut ? number < high : number <= high);
        }

        boolean isEmpty() {
            return low > high || (low == high && (isLowOut || isHighOut));
        }

        /** The exact value, else the least whole number from this one on. */
        OptionalLong least(long from) {
            if (!Double.isNaN(wished) && wished == Math.rint(wished) && wished >= from) {
                return OptionalLong.of((long) wished);
            }
            double first = Math.max((double) from, Math.ceil(low));
            if (isLowOut && first == low) {
                first++;
            }
            return first <= MOST && holds(first) ? OptionalLong.of((long) first) : OptionalLong.empty();
        }

        /** The least multiple of the unit from this number on. */
        OptionalLong leastMultiple(long from, long unit) {
            OptionalLong least = least(from);
            if (least.isEmpty()) {
                return least;
            }
            double multiple = Math.ceilDiv(least.getAsLong(), unit) * (double) unit;
            return holds(multiple) ? OptionalLong.of((long) multiple) : OptionalLong.empty();
        }
    }

    Range {
        intervals = List.copyOf(intervals);
    }

    /** Reads one, or refuses it naming the bound. */
    static Range read(Node node) {
        Parts parts = new Parts(node);
        List<Interval> intervals = new ArrayList<>();
        Node upper = parts.one(Names.jsdl("UpperBoundedRange")).orElse(null);
        Node lower = parts.one(Names.jsdl("LowerBoundedRange")).orElse(null);
        if (upper != null) {
            intervals.add(new Interval(0, false, bound(upper), isOut(upper), Double.NaN));
        }
        if (lower != null) {
            intervals.add(new Interval(bound(lower), isOut(lower), Double.POSITIVE_INFINITY, false, Double.NaN));
        }
        parts.many(Names.jsdl("Exact")).forEach(exact -> intervals.add(exact(exact)));
        parts.many(Names.jsdl("Range")).forEach(range -> intervals.add(between(range)));
        parts.end();
        if (intervals.isEmpty()) {
            throw JsdlFaults.invalid(node, "", "it must hold a range: an Exact, a Range or a bound");
        }
        for (Interval interval : intervals) {
            if (interval.isEmpty()) {
                throw JsdlFaults.invalid(
                        node,
                        "",
                        "no number is in the range from " + plain(interval.low()) + " to " + plain(interval.high()));
            }
        }
        return new Range(node, intervals);
    }

    private static Interval exact(Node node) {
        double value = number(node, Parts.word(node, "epsilon"));
        double epsilon =
                node.attribute("epsilon").map(text -> number(node, text)).orElse(0d);
        return new Interval(Math.max(0, value - epsilon), false, value + epsilon, false, value);
    }

    private static Interval between(Node node) {
        Parts parts = new Parts(node);
        Node low = parts.needed(Names.jsdl("LowerBound"));
        Node high = parts.needed(Names.jsdl("UpperBound"));
        parts.end();
        return new Interval(bound(low), isOut(low), bound(high), isOut(high), Double.NaN);
    }

    private static double bound(Node node) {
        return number(node, Parts.word(node, "exclusiveBound"));
    }

    private static boolean isOut(Node bound) {
        return bound.attribute("exclusiveBound")
                .map(text -> Parts.truth(bound, text))
                .orElse(false);
    }

    /** As xsd:double writes it, and not negative. */
    private static double number(Node node, String text) {
        String trimmed = text.strip();
        double number;
        if (Set.of("INF", "+INF").contains(trimmed)) {
            number = Double.POSITIVE_INFINITY;
        } else if (trimmed.matches("[+-]?([0-9]{1,40}(\\.[0-9]{0,40})?|\\.[0-9]{1,40})([eE][+-]?[0-9]{1,3})?")) {
            number = Double.parseDouble(trimmed);
        } else {
            throw JsdlFaults.invalid(node, text, "it must be a number");
        }
        if (number < 0) {
            throw JsdlFaults.invalid(node, text, "it must not be negative");
        }
        return number;
    }

    /** The least number from this one on that is in it; an exact value before others of its interval. */
    long least(long from) {
        return find(from, 1);
    }

    /** The same among the multiples of the unit. */
    long leastMultiple(long from, long unit) {
        return find(from, unit);
    }

    private long find(long from, long unit) {
        OptionalLong least = intervals.stream()
                .map(interval -> interval.leastMultiple(from, unit))
                .filter(OptionalLong::isPresent)
                .mapToLong(OptionalLong::getAsLong)
                .min();
        if (least.isEmpty()) {
            throw JsdlFaults.invalid(
                    node,
                    "",
                    unit == 1
                            ? "no whole number from " + from + " on is in the range"
                            : "no multiple of " + unit + " is in the range, and the rest of the document needs one");
        }
        return least.getAsLong();
    }

    /** The greatest number that is in it; absent where it has no end. */
    @Nullable
    Double most() {
        double most = intervals.stream().mapToDouble(Interval::high).max().orElse(Double.POSITIVE_INFINITY);
        return most > MOST ? null : most;
    }

    /** Whether any amount at all will do. */
    boolean isAnything() {
        return intervals.stream().anyMatch(interval -> interval.low() == 0 && interval.high() > MOST);
    }

    boolean holds(double number) {
        return intervals.stream().anyMatch(interval -> interval.holds(number));
    }

    private static String plain(double number) {
        return number == Math.rint(number) && number < MOST ? Long.toString((long) number) : Double.toString(number);
    }

    /** The name of its element. */
    QName name() {
        return node.name();
    }
}
