// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.report;

/** What a figure has to reach. */
public sealed interface Budget {

    /** Nothing is asked. */
    Budget NONE = new None();

    static Budget atLeast(double value) {
        return new AtLeast(value);
    }

    static Budget atMost(double value) {
        return new AtMost(value);
    }

    boolean isMet(double value);

    /** The budget and the judgement as one text, e.g. {@code >= 100 met}; empty where nothing is asked. */
    String judge(double value);

    /** See {@link #NONE}. */
    record None() implements Budget {
        @Override
        public boolean isMet(double value) {
            return true;
        }

        @Override
        public String judge(double value) {
            return "";
        }
    }

    /** The figure must not be below. */
    record AtLeast(double bound) implements Budget {
        @Override
        public boolean isMet(double value) {
            return value >= bound;
        }

        @Override
        public String judge(double value) {
            return ">= " + Spread.show(bound) + (isMet(value) ? " met" : " MISSED");
        }
    }

    /** The figure must not be above. */
    record AtMost(double bound) implements Budget {
        @Override
        public boolean isMet(double value) {
            return value <= bound;
        }

        @Override
        public String judge(double value) {
            return "<= " + Spread.show(bound) + (isMet(value) ? " met" : " MISSED");
        }
    }
}
