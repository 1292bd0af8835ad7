// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/** Names of files below a session directory. */
final class SessionNames {

    private static final int LONGEST_PART = 255;
    private static final int MOST_PARTS = 64;
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private SessionNames() {}

    /** Refuses what is empty or has space around it: ADL has no words for such names, whatever other languages have. */
    static void bare(ActivityFaults faults, String part, String given) {
        if (given.isEmpty()) {
            throw faults.invalid(part, "", "it must not be empty");
        }
        if (!given.strip().equals(given)) {
            throw faults.invalid(part, given, "it must not begin or end with space");
        }
    }

    /** The name as it is used: without a first {@code ./}; one that leads out of the directory is refused. */
    static String checked(ActivityFaults faults, String part, String given) {
        bare(faults, part, given);
        String name = given;
        while (name.startsWith("./")) {
            name = name.substring(2);
        }
        bare(faults, part, name);
        String[] parts = name.split("/", -1);
        if (parts.length > MOST_PARTS) {
            throw faults.invalid(part, given, "it may have at most " + MOST_PARTS + " parts");
        }
        for (String one : parts) {
            if (one.chars().anyMatch(Character::isISOControl)) {
                // XML has no word for most of them, so that the job could not be shown
                throw faults.invalid(part, given, "it must not hold control characters");
            }
            if (one.isEmpty() || one.equals(".") || one.equals("..")) {
                throw faults.invalid(
                        part, given, "it must be a name below the session directory, without empty parts, . and ..");
            }
            if (one.getBytes(StandardCharsets.UTF_8).length > LONGEST_PART) {
                throw faults.invalid(part, given, "each of its parts may have at most " + LONGEST_PART + " bytes");
            }
        }
        return name;
    }

    /** The name of an output, which may begin with a slash, may be a directory (a slash at its end) or all (one slash). */
    static String output(ActivityFaults faults, String part, String given) {
        if (given.equals("/")) {
            return given;
        }
        String name = given.startsWith("/") ? given.substring(1) : given;
        return name.endsWith("/")
                ? checked(faults, part, name.substring(0, name.length() - 1)) + "/"
                : checked(faults, part, name);
    }

    /** The file as a URL: each byte but letters, digits and {@code -._~/} is percent-encoded. */
    static String url(String directory, String name) {
        StringBuilder url = new StringBuilder("file://");
        String path = name.equals("/") ? directory + "/" : directory + "/" + name;
        for (byte one : path.getBytes(StandardCharsets.UTF_8)) {
            char letter = (char) (one & 0xFF);
            boolean isPlain = (letter >= 'a' && letter <= 'z')
                    || (letter >= 'A' && letter <= 'Z')
                    || (letter >= '0' && letter <= '9')
                    || "-._~/".indexOf(letter) >= 0;
            if (isPlain) {
                url.append(letter);
            } else {
                url.append('%').append(HEX.toHexDigits(one));
            }
        }
        return url.toString();
    }

    /** The name of the file of that URL, where it is below the directory. */
    static Optional<String> below(String directory, String url) {
        String start = url(directory, "");
        if (!url.startsWith(start)) {
            return Optional.empty();
        }
        String rest = url.substring(start.length());
        if (rest.isEmpty()) {
            return Optional.of("/");
        }
        byte[] bytes = new byte[rest.length()];
        int length = 0;
        for (int i = 0; i < rest.length(); i++) {
            if (rest.charAt(i) == '%'
                    && i + 2 < rest.length()
                    && HexFormat.isHexDigit(rest.charAt(i + 1))
                    && HexFormat.isHexDigit(rest.charAt(i + 2))) {
                bytes[length++] = (byte) HexFormat.fromHexDigits(rest, i + 1, i + 3);
                i += 2;
            } else if (rest.charAt(i) < 0x80) {
                bytes[length++] = (byte) rest.charAt(i);
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(new String(bytes, 0, length, StandardCharsets.UTF_8));
    }
}
