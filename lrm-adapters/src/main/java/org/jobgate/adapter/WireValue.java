// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A value that came from a worker (docs/internals/worker-protocol.md). */
sealed interface WireValue {

    /** Nothing. */
    record Absent() implements WireValue {}

    /** Bytes, as a rule of UTF-8 text. */
    final class Bytes implements WireValue {
        private final byte[] bytes;

        Bytes(byte[] bytes) {
            this.bytes = bytes;
        }

        byte[] bytes() {
            return bytes;
        }

        /** As text; what is not UTF-8 is replaced. */
        String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return text();
        }
    }

    /** Values in order. */
    record Items(List<WireValue> values) implements WireValue {
        public Items {
            values = List.copyOf(values);
        }
    }

    /** Values by name. */
    record Fields(Map<String, WireValue> values) implements WireValue {
        public Fields {
            values = Map.copyOf(values);
        }

        boolean has(String name) {
            return values.containsKey(name) && !(values.get(name) instanceof Absent);
        }

        /** The text of this name; null where it is absent, empty, or not a text. */
        @Nullable
        String text(String name) {
            return values.get(name) instanceof Bytes bytes && bytes.bytes().length > 0 ? bytes.text() : null;
        }

        String text(String name, String otherwise) {
            String text = text(name);
            return text == null ? otherwise : text;
        }

        /** The whole number of this name; null where it is absent or no number. */
        @Nullable
        Long number(String name) {
            String text = text(name);
            return text != null && text.matches("-?[0-9]{1,18}") ? Long.valueOf(text) : null;
        }

        long number(String name, long otherwise) {
            Long number = number(name);
            return number == null ? otherwise : number;
        }

        /** The list of this name; empty where there is none. */
        List<WireValue> items(String name) {
            return values.get(name) instanceof Items items ? items.values() : List.of();
        }

        /** The texts of the list of this name; what is no text is left out. */
        List<String> texts(String name) {
            return items(name).stream()
                    .filter(Bytes.class::isInstance)
                    .map(value -> ((Bytes) value).text())
                    .toList();
        }
    }
}
