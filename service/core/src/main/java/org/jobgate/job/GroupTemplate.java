// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a group of jobs asks for: one description for all, in which {@code {index}} and {@code {value}} stand for what differs, and the
 * indexes or values. They are replaced in the executable, the directory, the arguments, the values of environment variables, the standard
 * files, and the URLs of files; {@code {{index}}} and {@code {{value}}} mean the braces themselves. Whatever the value holds, it stays one
 * argument, one name or one part of a URL: nothing is read in it again.
 *
 * @param values one for each element, in order; empty where the elements differ by their index only, which is their value then
 */
public record GroupTemplate(JobDescription description, GroupIndexes indexes, List<String> values) {

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
    }

    /** Elements that differ by their index. */
    public static GroupTemplate ofIndexes(JobDescription description, GroupIndexes indexes) {
        return new GroupTemplate(description, indexes, List.of());
    }

    /** Elements that differ by a value; their indexes are 0, 1, 2 and so on. */
    public static GroupTemplate ofValues(JobDescription description, List<String> values) {
        return new GroupTemplate(description, new GroupIndexes(0, 1, values.size()), values);
    }

    /** The value of the element at this place. */
    public String value(int place) {
        return values.isEmpty() ? Integer.toString(indexes.index(place)) : values.get(place);
    }

    /** The description of the element at this place. */
    public JobDescription element(int place) {
        String index = Integer.toString(indexes.index(place));
        String value = value(place);
        UnaryOperator<String> filled = text -> filled(text, index, value);
        TransferList files = description.transfers();
        return description.toBuilder()
                .executable(filled.apply(description.executable()))
                .directory(orNull(description.directory(), filled))
                .arguments(description.arguments().stream().map(filled).toList())
                .environment(description.environment().stream()
                        .map(variable -> new EnvironmentVariable(variable.name(), filled.apply(variable.value())))
                        .toList())
                .stdin(orNull(description.stdin(), filled))
                .stdout(orNull(description.stdout(), filled))
                .stderr(orNull(description.stderr(), filled))
                .transfers(new TransferList(
                        filled(files.stageIn(), filled),
                        filled(files.stageOut(), filled),
                        files.cleanUp().stream().map(filled).toList(),
                        files.stageInOptions(),
                        files.stageOutOptions(),
                        files.cleanUpOptions()))
                .build();
    }

    private static List<Transfer> filled(List<Transfer> transfers, UnaryOperator<String> filled) {
        return transfers.stream()
                .map(file ->
                        new Transfer(filled.apply(file.source()), filled.apply(file.destination()), file.options()))
                .toList();
    }

    private static @Nullable String orNull(@Nullable String text, UnaryOperator<String> filled) {
        return text == null ? null : filled.apply(text);
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
