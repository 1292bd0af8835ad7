// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import java.util.List;

/** A value of a JDL attribute. What is not a literal, a list or a record is kept as the text of an expression. */
public sealed interface JdlValue {

    /** A string, without its quotation marks and escapes. */
    record Text(String value) implements JdlValue {}

    /** A whole number of 64 bits. */
    record Whole(long value) implements JdlValue {}

    /** A finite number with a fraction. */
    record Real(double value) implements JdlValue {}

    /** True or false. */
    record Truth(boolean value) implements JdlValue {}

    /** Values in order. */
    record Sequence(List<JdlValue> values) implements JdlValue {
        public Sequence {
            values = List.copyOf(values);
        }
    }

    /** A record inside a record. */
    record Nested(JdlRecord attributes) implements JdlValue {}

    /** Anything else: its text without comments, on one line. */
    record Expression(String text) implements JdlValue {}
}
