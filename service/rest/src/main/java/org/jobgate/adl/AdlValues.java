// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Values of elements, and the rules of which elements stand where. */
final class AdlValues {

    static final String ADL = "http://www.eu-emi.eu/es/2010/12/adl";
    static final String NORDUGRID = "http://www.nordugrid.org/es/2011/12/nordugrid-adl";

    private static final Set<String> NAMESPACES = Set.of(ADL, NORDUGRID, "");
    private static final ActivityFaults FAULTS = ActivityFaults.ADL;
    private static final long MOST_SECONDS = Duration.ofDays(36_500).toSeconds();

    private AdlValues() {}

    /**
     * Reads each child in turn.
     *
     * @param single names that may stand there once
     * @param many names that may stand there any number of times
     */
    static void each(AdlElement parent, Set<String> single, Set<String> many, Consumer<AdlElement> read) {
        Set<String> given = new HashSet<>();
        if (!parent.text().isBlank()) {
            throw FAULTS.invalid(parent.name(), parent.trimmed(), "it must hold elements, and holds text");
        }
        for (AdlElement child : parent.children()) {
            boolean isKnown = NAMESPACES.contains(child.namespace())
                    && (single.contains(child.name()) || many.contains(child.name()));
            if (!isKnown) {
                Set<String> known = new HashSet<>(single);
                known.addAll(many);
                throw FAULTS.unknown(parent.name(), child.name(), known);
            }
            if (single.contains(child.name()) && !given.add(child.name())) {
                throw FAULTS.repeated(child.name());
            }
            read.accept(child);
        }
    }

    /** The text as it stands. */
    static String text(AdlElement element) {
        if (!element.children().isEmpty()) {
            throw FAULTS.invalid(
                    element.name(),
                    "",
                    "it must hold text, and holds the element "
                            + ActivityFaults.shown(element.children().getFirst().name()));
        }
        return element.text();
    }

    /** The text without space around it, which must not be empty. */
    static String word(AdlElement element) {
        String word = text(element).strip();
        if (word.isEmpty()) {
            throw FAULTS.invalid(element.name(), "", "it must not be empty");
        }
        return word;
    }

    static String oneOf(AdlElement element, Collection<String> words) {
        String word = word(element);
        if (!words.contains(word)) {
            throw FAULTS.invalid(
                    element.name(),
                    word,
                    "it must be one of "
                            + String.join(", ", words.stream().sorted().toList()));
        }
        return word;
    }

    static boolean truth(AdlElement element) {
        return AdlElement.truth(text(element))
                .orElseThrow(() -> FAULTS.invalid(element.name(), text(element).strip(), "it must be true or false"));
    }

    static long number(AdlElement element, long from, long to) {
        return number(element.name(), word(element), from, to, FAULTS);
    }

    static int count(AdlElement element) {
        return (int) number(element, 1, Integer.MAX_VALUE);
    }

    static Duration seconds(AdlElement element) {
        return Duration.ofSeconds(number(element, 1, MOST_SECONDS));
    }

    /** Bytes as whole MiB, rounded up. HTCondor writes 0 where it knows no size. */
    static long mebibytes(AdlElement element) {
        long bytes = number(element, 0, Long.MAX_VALUE);
        return bytes == 0 ? 0 : (bytes - 1) / (1L << 20) + 1;
    }

    static long number(String part, String text, long from, long to, ActivityFaults faults) {
        BigInteger number;
        try {
            number = text.length() > 40 ? null : new BigInteger(text);
        } catch (NumberFormatException e) {
            throw faults.invalid(part, text, "it must be a whole number");
        }
        if (number == null
                || number.compareTo(BigInteger.valueOf(from)) < 0
                || number.compareTo(BigInteger.valueOf(to)) > 0) {
            throw faults.invalid(part, text, "it must be a whole number from " + from + " to " + to);
        }
        return number.longValueExact();
    }

    /** A time; one that names no zone is UTC. */
    static Instant time(AdlElement element) {
        String word = word(element);
        try {
            boolean hasZone = word.endsWith("Z") || word.matches(".*T.*[+-]\\d\\d:?\\d\\d");
            return hasZone
                    ? OffsetDateTime.parse(word).toInstant()
                    : LocalDateTime.parse(word).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw FAULTS.invalid(element.name(), word, "it must be a time like 2026-11-30T12:00:00Z");
        }
    }

    /** The only child of that name. */
    static List<AdlElement> all(AdlElement parent, String name) {
        return parent.children().stream()
                .filter(child -> child.name().equals(name))
                .toList();
    }

    /** The only child of that name, which must be there. */
    static AdlElement needed(AdlElement parent, String name) {
        List<AdlElement> found = all(parent, name);
        if (found.size() != 1) {
            throw FAULTS.invalid(parent.name(), "", "it must hold one element " + name + ", and holds " + found.size());
        }
        return found.getFirst();
    }
}
