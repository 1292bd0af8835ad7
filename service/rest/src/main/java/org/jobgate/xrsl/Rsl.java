// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xrsl;

import java.util.List;

/** A specification as it was parsed. */
sealed interface Rsl {

    /**
     * Several specifications together.
     *
     * @param operator {@code &} all of them, {@code |} one of them, {@code +} several jobs
     */
    record Group(char operator, List<Rsl> parts) implements Rsl {

        public Group {
            parts = List.copyOf(parts);
        }
    }

    /**
     * One attribute.
     *
     * @param name in lower case and without underscores
     * @param operator {@code =}, {@code !=}, {@code <}, {@code >}, {@code <=} or {@code >=}
     */
    record Relation(String name, String operator, List<Value> values) implements Rsl {

        public Relation {
            values = List.copyOf(values);
        }
    }

    /** The value of an attribute, or one of several. */
    sealed interface Value {}

    /**
     * A text.
     *
     * @param pieces parts of it, to be joined
     */
    record Text(List<Piece> pieces) implements Value {

        public Text {
            pieces = List.copyOf(pieces);
        }
    }

    /** Values in parentheses. */
    record Sequence(List<Value> values) implements Value {

        public Sequence {
            values = List.copyOf(values);
        }
    }

    /**
     * A piece of a text.
     *
     * @param isVariable whether the text is the name of a variable of {@code rsl_substitution}
     */
    record Piece(String text, boolean isVariable) {}
}
