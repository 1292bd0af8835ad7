// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jobgate.job.Extension;
import org.jobgate.job.JobDescription;
import org.jspecify.annotations.Nullable;

/**
 * An element of ours for one part of a description, in the place of whatever the rest of the document says of that part. An empty one means
 * that the part is absent.
 *
 * @param written the element for this description, as a small tree
 * @param read puts what the element says into the description
 */
record OwnWord(String name, Function<JobDescription, Extension> written, BiConsumer<Draft, Node> read) {

    private static final String ITEM = "Item";
    private static final long MOST = 1L << 60;

    static OwnWord text(
            String name, Function<JobDescription, @Nullable String> get, BiConsumer<Draft, @Nullable String> set) {
        return new OwnWord(
                name,
                job -> leaf(name, get.apply(job)),
                (draft, node) -> set.accept(draft, emptyToNull(Parts.text(node))));
    }

    static OwnWord number(
            String name, Function<JobDescription, @Nullable Number> get, BiConsumer<Draft, @Nullable Long> set) {
        return new OwnWord(name, job -> leaf(name, get.apply(job)), (draft, node) -> set.accept(draft, number(node)));
    }

    static OwnWord count(
            String name, Function<JobDescription, @Nullable Integer> get, BiConsumer<Draft, @Nullable Integer> set) {
        return new OwnWord(
                name,
                job -> leaf(name, get.apply(job)),
                (draft, node) -> set.accept(
                        draft,
                        emptyToNull(node.text().strip()) == null
                                ? null
                                : Integer.valueOf((int) Parts.number(node, 1, Integer.MAX_VALUE))));
    }

    static OwnWord time(
            String name, Function<JobDescription, @Nullable Duration> get, BiConsumer<Draft, @Nullable Duration> set) {
        return new OwnWord(name, job -> leaf(name, get.apply(job)), (draft, node) -> set.accept(draft, time(node)));
    }

    static OwnWord truth(
            String name, Function<JobDescription, @Nullable Boolean> get, BiConsumer<Draft, @Nullable Boolean> set) {
        return new OwnWord(
                name,
                job -> leaf(name, get.apply(job)),
                (draft, node) -> set.accept(
                        draft, emptyToNull(node.text().strip()) == null ? null : Boolean.valueOf(Parts.truth(node))));
    }

    static <T extends Enum<T>> OwnWord choice(
            String name, Class<T> type, Function<JobDescription, @Nullable T> get, BiConsumer<Draft, @Nullable T> set) {
        return new OwnWord(
                name, job -> leaf(name, get.apply(job)), (draft, node) -> set.accept(draft, choice(node, type)));
    }

    static OwnWord texts(String name, Function<JobDescription, List<String>> get, BiConsumer<Draft, List<String>> set) {
        return new OwnWord(
                name,
                job -> tree(
                        name,
                        get.apply(job).stream().map(text -> leaf(ITEM, text)).toList()),
                (draft, node) -> set.accept(
                        draft, items(node, ITEM).stream().map(Parts::text).toList()));
    }

    /** An element that holds only others. */
    static Extension tree(String name, List<Extension> children) {
        return new Extension(name, Map.of(), "", children);
    }

    static Extension leaf(String name, @Nullable Object value) {
        return new Extension(name, Map.of(), value == null ? "" : value.toString(), List.of());
    }

    /** An element with these attributes, of which absent ones are left out. */
    static Extension leaf(String name, String text, @Nullable Object... attributes) {
        Map<String, String> given = new LinkedHashMap<>();
        for (int i = 0; i < attributes.length; i += 2) {
            Object value = attributes[i + 1];
            if (value != null) {
                given.put(String.valueOf(attributes[i]), value.toString());
            }
        }
        return new Extension(name, given, text, List.of());
    }

    /** The children of this name, which are all that it may have. */
    static List<Node> items(Node node, String name) {
        Parts parts = new Parts(node);
        List<Node> items = new ArrayList<>(parts.many(Names.own(name)));
        parts.end();
        return items;
    }

    static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }

    static @Nullable Long number(Node node) {
        return emptyToNull(node.text().strip()) == null ? null : Long.valueOf(Parts.number(node, 0, MOST));
    }

    private static @Nullable Duration time(Node node) {
        String text = emptyToNull(Parts.text(node).strip());
        if (text == null) {
            return null;
        }
        return duration(node, text);
    }

    /** As XML Schema writes one of days and less. */
    static Duration duration(Node node, String text) {
        try {
            Duration time = Duration.parse(text);
            if (!time.isNegative()) {
                return time;
            }
        } catch (DateTimeParseException e) {
            throw JsdlFaults.invalid(node, text, "it must be a duration such as PT90S (" + e.getMessage() + ")");
        }
        throw JsdlFaults.invalid(node, text, "it must not be negative");
    }

    private static <T extends Enum<T>> @Nullable T choice(Node node, Class<T> type) {
        String text = emptyToNull(Parts.text(node).strip());
        return text == null ? null : choice(node, text, type);
    }

    static <T extends Enum<T>> T choice(Node node, String text, Class<T> type) {
        List<T> all = Arrays.asList(type.getEnumConstants());
        return all.stream()
                .filter(one -> one.name().equals(text))
                .findFirst()
                .orElseThrow(() -> JsdlFaults.invalid(node, text, "it must be one of " + all));
    }
}
