// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file or directory as {@code MLST} and {@code MLSD} tell of it (RFC 3659, section 7).
 *
 * @param name in {@code MLSD} the name without a directory, in {@code MLST} as the server gives it; a byte that is not UTF-8 is one
 *     character of U+DC80 to U+DCFF, which goes back to the server as that byte
 * @param type what it is
 * @param size in bytes; -1 if the server does not say
 * @param modified null if the server does not say
 * @param facts all that the server says, by name in small letters
 */
public record DirectoryEntry(
        String name, Type type, long size, @Nullable Instant modified, Map<String, String> facts) {

    /** What an entry is. */
    public enum Type {
        FILE,
        DIRECTORY,
        /** The directory itself. */
        SELF,
        /** The directory above. */
        PARENT,
        /** A link, a device, a socket, whatever else. */
        OTHER
    }

    /** Checks and copies. */
    public DirectoryEntry {
        requireNonNull(type, "type is null");
        facts = Map.copyOf(facts);
        if (name.isEmpty() || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("not the name of an entry: '" + CommandText.shown(name) + "'");
        }
    }

    /**
     * A line {@code fact=value;fact=value; name}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static DirectoryEntry parse(String line) {
        // the value of a fact may hold a blank, such as where a link leads
        int blank = line.startsWith(" ") ? 0 : line.indexOf("; ") + 1;
        if (blank == 0 && !line.startsWith(" ")) {
            throw new IllegalArgumentException("'" + CommandText.shown(line) + "' has no name behind its facts");
        }
        Map<String, String> facts = new HashMap<>();
        for (String fact : line.substring(0, blank).split(";", -1)) {
            int equals = fact.indexOf('=');
            if (equals > 0) {
                facts.put(fact.substring(0, equals).toLowerCase(Locale.ROOT), fact.substring(equals + 1));
            }
        }
        return new DirectoryEntry(line.substring(blank + 1), type(facts), size(facts), time(facts), facts);
    }

    private static Type type(Map<String, String> facts) {
        return switch (facts.getOrDefault("type", "").toLowerCase(Locale.ROOT)) {
            case "file" -> facts.containsKey("unix.slink") ? Type.OTHER : Type.FILE;
            case "dir" -> facts.containsKey("unix.slink") ? Type.OTHER : Type.DIRECTORY;
            case "cdir" -> Type.SELF;
            case "pdir" -> Type.PARENT;
            default -> Type.OTHER;
        };
    }

    private static long size(Map<String, String> facts) {
        String size = facts.getOrDefault("size", "");
        return size.matches("[0-9]{1,18}") ? Long.parseLong(size) : -1;
    }

    private static @Nullable Instant time(Map<String, String> facts) {
        String time = facts.getOrDefault("modify", "");
        try {
            return time.length() < 14
                    ? null
                    : LocalDateTime.of(
                                    digits(time, 0, 4),
                                    digits(time, 4, 6),
                                    digits(time, 6, 8),
                                    digits(time, 8, 10),
                                    digits(time, 10, 12),
                                    digits(time, 12, 14))
                            .toInstant(ZoneOffset.UTC);
        } catch (DateTimeException | NumberFormatException e) {
            return null; // a server's odd clock is no reason to lose the entry
        }
    }

    /** A formatter takes ten times as long, and there is one time for every file. */
    private static int digits(String text, int from, int to) {
        return Integer.parseUnsignedInt(text, from, to, 10);
    }
}
