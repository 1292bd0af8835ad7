// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a group of jobs asks for: one description for all, in which {@code {index}} and {@code {value}} stand for what differs, and the
 * indexes or values. They are replaced in the executable, the directory, the arguments, the values of environment variables, the standard
 * files, and the URLs of files; {@code {{index}}} and {@code {{value}}} mean the braces themselves. Whatever the value holds, it stays one
 * argument, one name or one part of a URL: nothing is read in it again.
 *
 * <p>Elements that differ in more than one value have variants instead; then no text has placeholders.
 *
 * @param description of a group with variants that of its first element
 * @param values one for each element, in order; empty where the elements differ by their index only, which is their value then
 * @param variants what each element asks for; absent where {@code description} says it for all
 */
public record GroupTemplate(
        JobDescription description,
        GroupIndexes indexes,
        List<String> values,
        @Nullable GroupVariants variants) {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(index|value)}}|\\{(index|value)}");

    public GroupTemplate {
        requireNonNull(description, "description is null");
        requireNonNull(indexes, "indexes is null");
        values = List.copyOf(values);
        if (!values.isEmpty() && values.size() != indexes.size()) {
            throw new IllegalArgumentException(
                    "there are " + values.size() + " values for " + indexes.size() + " elements");
        }
        if (description.isMulti()) {
            throw new IllegalArgumentException("a multi-job cannot be the description of a group");
        }
        if (variants != null && variants.elements().size() != indexes.size()) {
            throw new IllegalArgumentException(
                    "there are " + variants.elements().size() + " descriptions for " + indexes.size() + " elements");
        }
        if (variants != null
                && !(values.isEmpty()
                        && variants.variants().getFirst().description().equals(description))) {
            throw new IllegalArgumentException("a group with variants has their first description and no values");
        }
    }

    /** Without variants. */
    public GroupTemplate(JobDescription description, GroupIndexes indexes, List<String> values) {
        this(description, indexes, values, null);
    }

    /** Elements that differ in several values; their indexes are 0, 1, 2 and so on. */
    public static GroupTemplate ofVariants(GroupVariants variants) {
        return new GroupTemplate(
                variants.variants().getFirst().description(),
                new GroupIndexes(0, 1, variants.elements().size()),
                List.of(),
                variants);
    }

    /** Elements that differ by their index. */
    public static GroupTemplate ofIndexes(JobDescription description, GroupIndexes indexes) {
        return new GroupTemplate(description, indexes, List.of());
    }

    /** Elements that differ by a value; their indexes are 0, 1, 2 and so on. */
    public static GroupTemplate ofValues(JobDescription description, List<String> values) {
        return new GroupTemplate(description, new GroupIndexes(0, 1, values.size()), values);
    }

    /** UTF-8 bytes of what the elements have of their own. */
    public long bytes() {
        return variants == null
                ? values.stream()
                        .mapToLong(value -> value.getBytes(StandardCharsets.UTF_8).length)
                        .sum()
                : variants.bytes();
    }

    /** The value of the element at this place; of variants, the texts that are its own, with blanks between them. */
    public String value(int place) {
        if (variants != null) {
            return String.join(" ", variants.elements().get(place).texts());
        }
        return values.isEmpty() ? Integer.toString(indexes.index(place)) : values.get(place);
    }

    /** The description of the element at this place. */
    public JobDescription element(int place) {
        if (variants != null) {
            return variants.element(place);
        }
        String index = Integer.toString(indexes.index(place));
        String value = value(place);
        return DescriptionTexts.mapped(description, text -> filled(text, index, value));
    }

    private static String filled(String text, String index, String value) {
        if (text.indexOf('{') < 0) {
            return text;
        }
        return PLACEHOLDER.matcher(text).replaceAll(match -> {
            String literal = match.group(1);
            String replacement =
                    literal != null ? "{" + literal + "}" : match.group(2).equals("index") ? index : value;
            return Matcher.quoteReplacement(replacement);
        });
    }
}
