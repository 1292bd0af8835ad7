// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a description that may differ from one element of a group to the next, in a fixed order: the executable, the directory, the
 * standard files, the arguments, the values of environment variables, the URLs of files, and what is replaced in them. Those that a description
 * does not have are not among them. What is stored counts in this order: further texts come last.
 */
final class DescriptionTexts {

    private DescriptionTexts() {}

    static List<String> of(JobDescription description) {
        List<String> texts = new ArrayList<>();
        mapped(description, text -> {
            texts.add(text);
            return text;
        });
        return texts;
    }

    /** The same description with other texts, as many as {@link #of} has answered. */
    static JobDescription with(JobDescription description, List<String> texts) {
        Iterator<String> next = texts.iterator();
        return mapped(description, text -> next.next());
    }

    /** The description with what the function makes of each of its texts. */
    static JobDescription mapped(JobDescription description, UnaryOperator<String> of) {
        TransferList files = description.transfers();
        JobDescription mapped = description.toBuilder()
                .executable(of.apply(description.executable()))
                .directory(orNull(description.directory(), of))
                .stdin(orNull(description.stdin(), of))
                .stdout(orNull(description.stdout(), of))
                .stderr(orNull(description.stderr(), of))
                .arguments(description.arguments().stream().map(of).toList())
                .environment(description.environment().stream()
                        .map(variable -> new EnvironmentVariable(variable.name(), of.apply(variable.value())))
                        .toList())
                .transfers(new TransferList(
                        mapped(files.stageIn(), of),
                        mapped(files.stageOut(), of),
                        files.cleanUp().stream().map(of).toList(),
                        files.stageInOptions(),
                        files.stageOutOptions(),
                        files.cleanUpOptions()))
                .build();
        return hasTokens(files) ? withTokens(mapped, of) : mapped;
    }

    private static boolean hasTokens(TransferList files) {
        return files.stageIn().stream().anyMatch(file -> file.options().containsKey(FileTokens.OPTION));
    }

    private static JobDescription withTokens(JobDescription description, UnaryOperator<String> of) {
        TransferList files = description.transfers();
        return description.toBuilder()
                .transfers(new TransferList(
                        files.stageIn().stream()
                                .map(file -> withTokens(file, of))
                                .toList(),
                        files.stageOut(),
                        files.cleanUp(),
                        files.stageInOptions(),
                        files.stageOutOptions(),
                        files.cleanUpOptions()))
                .build();
    }

    private static Transfer withTokens(Transfer file, UnaryOperator<String> of) {
        String tokens = file.options().get(FileTokens.OPTION);
        if (tokens == null) {
            return file;
        }
        Map<String, String> options = new HashMap<>(file.options());
        options.put(FileTokens.OPTION, of.apply(tokens));
        return new Transfer(file.source(), file.destination(), options);
    }

    private static List<Transfer> mapped(List<Transfer> transfers, UnaryOperator<String> of) {
        return transfers.stream()
                .map(file -> new Transfer(of.apply(file.source()), of.apply(file.destination()), file.options()))
                .toList();
    }

    private static @Nullable String orNull(@Nullable String text, UnaryOperator<String> of) {
        return text == null ? null : of.apply(text);
    }
}
