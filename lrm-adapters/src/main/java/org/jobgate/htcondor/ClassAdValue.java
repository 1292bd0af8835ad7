// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.htcondor;

import java.util.List;
import java.util.stream.Collectors;

/** A value of a ClassAd attribute. What is not a literal is kept as the text of an expression and never evaluated. */
public sealed interface ClassAdValue {

    /** As HTCondor writes it on one line. */
    String printed();

    /** A string. */
    record Text(String value) implements ClassAdValue {
        @Override
        public String printed() {
            StringBuilder printed = new StringBuilder(value.length() + 2).append('"');
            value.chars().forEach(letter -> {
                switch (letter) {
                    case '"' -> printed.append("\\\"");
                    case '\\' -> printed.append("\\\\");
                    case '\n' -> printed.append("\\n");
                    case '\r' -> printed.append("\\r");
                    case '\t' -> printed.append("\\t");
                    default -> printed.append((char) letter);
                }
            });
            return printed.append('"').toString();
        }
    }

    /** A whole number of 64 bits. */
    record Whole(long value) implements ClassAdValue {
        @Override
        public String printed() {
            return Long.toString(value);
        }
    }

    /** A finite number with a fraction. */
    record Real(double value) implements ClassAdValue {
        public Real {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("not a finite number: " + value);
            }
        }

        @Override
        public String printed() {
            return Double.toString(value);
        }
    }

    /** True or false. */
    record Truth(boolean value) implements ClassAdValue {
        @Override
        public String printed() {
            return Boolean.toString(value);
        }
    }

    /** No value, as {@code undefined} and JSON's {@code null}. */
    record Undefined() implements ClassAdValue {
        @Override
        public String printed() {
            return "undefined";
        }
    }

    /** Values in order. */
    record Sequence(List<ClassAdValue> values) implements ClassAdValue {
        public Sequence {
            values = List.copyOf(values);
        }

        @Override
        public String printed() {
            return values.isEmpty()
                    ? "{ }"
                    : values.stream().map(ClassAdValue::printed).collect(Collectors.joining(", ", "{ ", " }"));
        }
    }

    /** An ad inside an ad. */
    record Nested(ClassAd ad) implements ClassAdValue {
        @Override
        public String printed() {
            return ad.toString();
        }
    }

    /** Anything else: the text of an expression, trimmed. */
    record Expression(String text) implements ClassAdValue {
        public Expression {
            if (text.isBlank() || text.indexOf('\n') >= 0) {
                throw new IllegalArgumentException("an expression is one line that is not blank: '" + text + "'");
            }
        }

        @Override
        public String printed() {
            return text;
        }
    }
}
