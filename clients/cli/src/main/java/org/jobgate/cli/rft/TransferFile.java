// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.rft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.text.Sentence;
import org.jspecify.annotations.Nullable;

/**
 * A file that says what is to be moved or deleted. Empty lines and those that begin with # mean nothing. RFT's own form has eleven lines
 * of options in their order (facts/gram4.md section 6.3) before the URLs, each alone in its line: a subject may have blanks. A file that
 * begins with a URL has the defaults.
 *
 * @param options of RFT by name, in the schema's order; those that say {@code null} are left out
 * @param concurrency absent where the file does not say, as for {@code maxAttempts}
 * @param files source and destination; the source is absent where the file is to be deleted
 */
record TransferFile(
        Map<String, String> options,
        @Nullable String concurrency,
        @Nullable String maxAttempts,
        boolean allOrNone,
        List<Entry> files) {

    private static final long BYTES_MAX = 64L << 20;
    private static final List<String> OF_COPYING =
            List.of("binary", "blockSize", "tcpBufferSize", "notpt", "parallelStreams", "dcau");
    private static final int COPYING_LINES = 11;
    private static final Pattern WORDS = Pattern.compile("[ \t]+");
    private static final Pattern URL = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://|file:/");
    private static final String UNSET = "null";

    /** One file. */
    record Entry(@Nullable String source, String destination) {}

    TransferFile {
        options = new LinkedHashMap<>(options);
        files = List.copyOf(files);
    }

    /**
     * Reads one.
     *
     * @param isDeletion whether its URLs are of files that are to be deleted
     * @throws CommandException naming the line that is wrong
     */
    static TransferFile read(Path file, boolean isDeletion) throws CommandException {
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw Words.usage("Transfer file " + file + " is larger than 64 MiB.");
            }
            return parse(Files.readAllLines(file), isDeletion, file.toString());
        } catch (IOException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "Transfer file " + file + " cannot be read: " + Sentence.reason(e) + ".", e);
        }
    }

    static TransferFile parse(List<String> lines, boolean isDeletion, String name) throws CommandException {
        List<String> head = new ArrayList<>();
        List<String> urls = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            if (urls.isEmpty() && !isUrl(line)) {
                head.add(line);
            } else {
                urls.addAll(urls(line, !head.isEmpty(), name + ", line " + (i + 1)));
            }
        }
        if (urls.isEmpty()) {
            throw Words.usage("Transfer file " + name + " names no URL.");
        }
        return isDeletion ? deletions(head, urls, name) : transfers(head, urls, name);
    }

    private static boolean isUrl(String text) {
        return URL.matcher(text).lookingAt();
    }

    /**
     * What a line names: one URL or more.
     *
     * @param isRfts whether it stands in RFT's own form, where a line is one URL and a blank in it a part of it
     */
    private static List<String> urls(String line, boolean isRfts, String where) throws CommandException {
        List<String> words = WORDS.splitAsStream(line).toList();
        for (String word : words) {
            if (!isUrl(word)) {
                if (isRfts && isUrl(line)) {
                    return List.of(line);
                }
                throw Words.usage("Transfer file " + where + ": " + word
                        + " is no URL, as gsiftp://host/path; a blank in one is written %20.");
            }
        }
        return words;
    }

    private static TransferFile transfers(List<String> head, List<String> urls, String name) throws CommandException {
        if (!head.isEmpty() && head.size() != COPYING_LINES) {
            throw Words.usage("Transfer file " + name + " has " + head.size()
                    + " lines of options before the first URL, and needs "
                    + "none or eleven: binary, blockSize, tcpBufferSize, notpt, parallelStreams, dcau, concurrency, source"
                    + " subject, destination subject, allOrNone, maxAttempts.");
        }
        if (urls.size() % 2 != 0) {
            throw Words.usage(
                    "Transfer file " + name + " names a source without a destination: " + urls.getLast() + ".");
        }
        List<Entry> files = new ArrayList<>();
        for (int i = 0; i < urls.size(); i += 2) {
            files.add(new Entry(urls.get(i), urls.get(i + 1)));
        }
        Map<String, String> options = new LinkedHashMap<>();
        if (head.isEmpty()) {
            return new TransferFile(options, null, null, false, files);
        }
        for (int i = 0; i < OF_COPYING.size(); i++) {
            put(options, OF_COPYING.get(i), head.get(i));
        }
        put(options, "destinationSubjectName", head.get(8));
        put(options, "sourceSubjectName", head.get(7));
        return new TransferFile(
                options,
                number("concurrency", head.get(6), name),
                number("maxAttempts", head.get(10), name),
                head.get(9).equals("true"),
                files);
    }

    /** Before the URLs: the server's subject or null, the concurrency, the attempts, as far as they are said. */
    private static TransferFile deletions(List<String> head, List<String> urls, String name) throws CommandException {
        Map<String, String> options = new LinkedHashMap<>();
        List<String> numbers = new ArrayList<>();
        for (String word : head) {
            if (word.matches("[0-9]+")) {
                numbers.add(word);
            } else {
                put(options, "subjectName", word);
            }
        }
        if (numbers.size() > 2) {
            throw Words.usage("Transfer file " + name + " has more than two numbers before the first URL:"
                    + " the concurrency and the attempts.");
        }
        return new TransferFile(
                options,
                numbers.isEmpty() ? null : numbers.getFirst(),
                numbers.size() < 2 ? null : numbers.getLast(),
                false,
                urls.stream().map(url -> new Entry(null, url)).toList());
    }

    private static void put(Map<String, String> options, String name, String value) {
        if (!value.equals(UNSET)) {
            options.put(name, value);
        }
    }

    private static String number(String what, String value, String name) throws CommandException {
        if (!value.matches("[0-9]{1,9}")) {
            throw Words.usage("Transfer file " + name + ": " + what + " is " + value + ", and must be a whole number.");
        }
        return value;
    }
}
