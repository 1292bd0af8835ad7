// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jobgate.job.TransferList;

/** How files may be asked to be moved: RFT's options by name, in the order of its schema, and what their values are. */
final class StagingOptions {

    private enum Kind {
        COUNT,
        TRUTH,
        CHECKSUM,
        TEXT
    }

    /** The options of a whole request, beside those in {@code rftOptions}. */
    static final List<String> OF_REQUEST = List.of("concurrency", "maxAttempts");

    /** At the end of a request to copy. */
    static final String ALL_OR_NONE = "allOrNone";

    /** An option of one file. */
    static final String ATTEMPTS = "attempts";

    /** Those in {@code rftOptions}. */
    static final List<String> OF_COPYING = List.of(
            "binary",
            "blockSize",
            "tcpBufferSize",
            "notpt",
            "parallelStreams",
            "dcau",
            "subjectName",
            "destinationSubjectName",
            "sourceSubjectName",
            "userName",
            "ignoreFilePermErr",
            "checksum",
            "incremental",
            "compress");

    /** Those in {@code deleteOptions}. */
    static final List<String> OF_DELETING = List.of("subjectName", "userName");

    private static final Map<String, Kind> KINDS = kinds();

    private StagingOptions() {}

    private static Map<String, Kind> kinds() {
        Map<String, Kind> kinds = new LinkedHashMap<>();
        for (String name :
                List.of("concurrency", "maxAttempts", ATTEMPTS, "blockSize", "tcpBufferSize", "parallelStreams")) {
            kinds.put(name, Kind.COUNT);
        }
        for (String name : List.of(ALL_OR_NONE, "binary", "notpt", "dcau", "ignoreFilePermErr", "incremental")) {
            kinds.put(name, Kind.TRUTH);
        }
        for (String name : List.of("subjectName", "destinationSubjectName", "sourceSubjectName", "userName")) {
            kinds.put(name, Kind.TEXT);
        }
        kinds.put("checksum", Kind.CHECKSUM);
        return Map.copyOf(kinds);
    }

    /** An option that has no word where it stands: of all copies, of one copy, or of deletions. */
    static Optional<String> unsaid(TransferList files) {
        Set<String> ofAll = new HashSet<>(OF_REQUEST);
        ofAll.addAll(OF_COPYING);
        ofAll.add(ALL_OR_NONE);
        Set<String> ofOne = new HashSet<>(OF_COPYING);
        ofOne.add(ATTEMPTS);
        Set<String> ofDeleting = new HashSet<>(OF_REQUEST);
        ofDeleting.addAll(OF_DELETING);
        Stream<String> copies = Stream.concat(files.stageIn().stream(), files.stageOut().stream())
                .flatMap(copy -> without(ofOne, copy.options()));
        Stream<String> all =
                Stream.of(files.stageInOptions(), files.stageOutOptions()).flatMap(options -> without(ofAll, options));
        return Stream.of(copies, all, without(ofDeleting, files.cleanUpOptions()))
                .flatMap(names -> names)
                .sorted()
                .findFirst();
    }

    private static Stream<String> without(Set<String> words, Map<String, String> options) {
        return options.keySet().stream().filter(name -> !words.contains(name));
    }

    /** Whether it stands for no value: GT's clients write {@code null} for a name that was not given (facts/gt4-wire.md). */
    static boolean isUnset(String name, String value) {
        return KINDS.get(name) == Kind.TEXT && value.equals("null");
    }

    /** The value as it is kept; a wrong one is refused. */
    static String checked(String name, String value) {
        return switch (KINDS.getOrDefault(name, Kind.TEXT)) {
            case COUNT -> count(name, value);
            case TRUTH -> truth(name, value);
            case CHECKSUM -> checksum(name, value);
            case TEXT -> text(name, value);
        };
    }

    private static String count(String name, String value) {
        if (!value.matches("\\+?[0-9]{1,9}")) {
            throw JddFaults.invalid(name, value, "it must be a whole number from 0 to 999999999");
        }
        return Integer.toString(Integer.parseInt(value));
    }

    private static String truth(String name, String value) {
        return switch (value) {
            case "true", "1" -> "true";
            case "false", "0" -> "false";
            default -> throw JddFaults.invalid(name, value, "it must be true or false");
        };
    }

    /** Our own option (docs/reference/staging.md). */
    private static String checksum(String name, String value) {
        String word = value.toLowerCase(Locale.ROOT);
        if (!word.matches("adler32(:[0-9a-f]{1,8})?|md5(:[0-9a-f]{32})?|sha256(:[0-9a-f]{64})?")) {
            throw JddFaults.invalid(
                    name, value, "it must be adler32, md5 or sha256, or one of them, a colon and the checksum");
        }
        return word;
    }

    private static String text(String name, String value) {
        if (value.isEmpty()) {
            throw JddFaults.invalid(name, value, "it must not be empty");
        }
        return value;
    }
}
