// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What {@code MLSD} sends of a directory (RFC 3659, section 7), taken apart. Names are the account's own choice and may hold line ends: a
 * line that begins with no facts goes on with the name before it. A name that forges an entry by that can only forge one of the same
 * directory: {@code .}, {@code ..} and names with a slash are not taken.
 */
final class Listing {

    /** What an entry begins with: its first fact, or a blank where there is none. */
    private static final Pattern FACTS = Pattern.compile(" |[A-Za-z][A-Za-z0-9._-]*=[^;]*;");

    private Listing() {}

    /**
     * The entries, without the directory itself and the one above.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static List<DirectoryEntry> parse(byte[] bytes) {
        List<DirectoryEntry> entries = new ArrayList<>();
        for (String text : texts(bytes)) {
            DirectoryEntry entry = DirectoryEntry.parse(text);
            if (isInside(entry)) {
                entries.add(entry);
            }
        }
        return entries;
    }

    private static boolean isInside(DirectoryEntry entry) {
        String name = entry.name();
        boolean isItself = entry.type() == DirectoryEntry.Type.SELF || entry.type() == DirectoryEntry.Type.PARENT;
        return !isItself && !name.equals(".") && !name.equals("..") && name.indexOf('/') < 0;
    }

    private static List<String> texts(byte[] bytes) {
        // a server that ends lines as it must leaves a bare line feed inside its name
        String end = new String(bytes, StandardCharsets.ISO_8859_1).contains("\r\n") ? "\r\n" : "\n";
        List<String> texts = new ArrayList<>();
        for (String line : lines(RawText.of(bytes), end)) {
            if (FACTS.matcher(line).lookingAt()) {
                texts.add(line);
            } else if (texts.isEmpty()) {
                throw new IllegalArgumentException("'" + CommandText.shown(line) + "' has no facts before a name");
            } else {
                texts.add(texts.removeLast() + end + line);
            }
        }
        return texts;
    }

    /** Without what is empty behind the last line end. */
    private static List<String> lines(String text, String end) {
        List<String> lines = new ArrayList<>(Arrays.asList(text.split(Pattern.quote(end), -1)));
        while (!lines.isEmpty() && lines.getLast().isBlank()) {
            lines.removeLast();
        }
        return lines;
    }
}
