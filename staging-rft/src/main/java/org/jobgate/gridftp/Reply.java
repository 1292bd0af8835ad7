// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A reply of a server (RFC 959, section 4.2).
 *
 * @param code three digits
 * @param lines its text, the first and the last without the code
 */
public record Reply(int code, List<String> lines) {

    private static final int MAX_SHOWN = 1000;

    /** How globus-gridftp-server begins where it knows the command and could not do it; why stands behind it, in any words. */
    private static final String KNOWN_BUT_FAILED = "Command failed";

    /** Checks that there is a line. */
    public Reply {
        if (code < 100 || code > 699) {
            throw new IllegalArgumentException("not the code of a reply: " + code);
        }
        lines = List.copyOf(lines);
        if (requireNonNull(lines, "lines is null").isEmpty()) {
            throw new IllegalArgumentException("a reply has at least one line");
        }
    }

    /** All lines. */
    public String text() {
        return String.join("\n", lines);
    }

    /** 1xx: another reply follows. */
    public boolean isPreliminary() {
        return code < 200;
    }

    /** 2xx. */
    public boolean isSuccess() {
        return code >= 200 && code < 300;
    }

    /** 4xx or 5xx. */
    public boolean isFailure() {
        return code >= 400 && code < 600;
    }

    /** For a message: one line, bounded. */
    String shown() {
        String text = code + " " + RawText.shown(String.join(" | ", lines)).replaceAll("\\p{Cntrl}", "?");
        return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text;
    }

    /**
     * What a refusal means. The text counts too: globus-gridftp-server says 500 for nearly everything, and the words of the operating
     * system after it.
     */
    Fault fault() {
        String words = text();
        for (Meaning meaning : Meaning.ALL) {
            if (meaning.fits(words)) {
                return meaning.fault();
            }
        }
        return switch (code) {
            case 421, 450 -> Fault.BUSY;
            case 425, 426 -> Fault.CONNECTION;
            case 452, 552 -> Fault.NO_SPACE;
            case 500 -> text().startsWith(KNOWN_BUT_FAILED) ? Fault.FAILED : Fault.UNSUPPORTED;
            case 501, 502, 503, 504 -> Fault.UNSUPPORTED;
            case 530, 532 -> Fault.DENIED;
            case 533, 534, 535, 536, 537 -> Fault.AUTHENTICATION;
            default -> code < 500 ? Fault.BUSY : Fault.REFUSED;
        };
    }

    private record Meaning(Pattern pattern, Fault fault) {

        static final List<Meaning> ALL = List.of(
                Meaning.of("No such file or directory|[Nn]ot a directory|does not exist", Fault.NOT_FOUND),
                Meaning.of("Permission denied|not permitted|Path not allowed|not authorized", Fault.DENIED),
                Meaning.of("File exists|[Dd]irectory not empty", Fault.EXISTS),
                Meaning.of("No space left|[Qq]uota exceeded", Fault.NO_SPACE),
                Meaning.of("timed out|[Tt]imeout", Fault.TIMEOUT),
                Meaning.of(
                        "Connection (refused|reset)|Broken pipe|end-of-file was reached|No route to host|"
                                + "[Nn]etwork is unreachable|Handle not in (the )?proper state",
                        Fault.CONNECTION),
                Meaning.of(
                        "Is a directory|not a (plain|regular) file|File name too long|Too many levels of symbolic links|"
                                + "Invalid argument|Read-only file system",
                        Fault.REFUSED),
                Meaning.of(
                        "(?i)unsupported|not (supported|implemented|understood)|invalid checksum", Fault.UNSUPPORTED));

        static Meaning of(String words, Fault fault) {
            return new Meaning(Pattern.compile(words), fault);
        }

        boolean fits(String words) {
            return pattern.matcher(words).find();
        }
    }
}
