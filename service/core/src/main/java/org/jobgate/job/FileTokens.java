// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Texts that are replaced in a file while it is fetched for a job: the tokens of a file sweep (GFD.149). A {@link Transfer} has them as an
 * option, in the form of HTML's forms ({@code token=value&token=value}, percent-encoded UTF-8).
 *
 * @param values what takes the place of each token; 1 to {@link #MAX} tokens
 */
public record FileTokens(SortedMap<String, String> values) {

    /** The option of a copy. */
    public static final String OPTION = "fileTokens";

    /** Each byte of a file may have to be compared with all of them. */
    public static final int MAX = 32;

    /** The most characters of a token. */
    public static final int MAX_TOKEN = 128;

    /** The most characters of a value. */
    public static final int MAX_VALUE = 65_536;

    /** @throws IllegalArgumentException where a token is empty or anything is too large */
    public FileTokens {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
        if (values.isEmpty() || values.size() > MAX) {
            throw new IllegalArgumentException("a file has 1 to " + MAX + " tokens, and not " + values.size());
        }
        values.forEach((token, value) -> {
            if (token.isEmpty() || token.length() > MAX_TOKEN) {
                throw new IllegalArgumentException(
                        "a token has 1 to " + MAX_TOKEN + " characters, and not " + token.length());
            }
            if (value.length() > MAX_VALUE) {
                throw new IllegalArgumentException("what takes the place of a token has at most " + MAX_VALUE
                        + " characters, and not " + value.length());
            }
        });
    }

    public static FileTokens of(Map<String, String> values) {
        return new FileTokens(new TreeMap<>(values));
    }

    /**
     * The tokens that the options of a copy ask for; empty if they ask for none.
     *
     * @throws IllegalArgumentException where it has not this form
     */
    public static Optional<FileTokens> in(Map<String, String> options) {
        return Optional.ofNullable(options.get(OPTION)).map(FileTokens::parse);
    }

    private static FileTokens parse(String text) {
        SortedMap<String, String> values = new TreeMap<>();
        for (String pair : text.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("tokens are written as token=value, joined by &");
            }
            String token = decoded(pair.substring(0, equals));
            if (values.put(token, decoded(pair.substring(equals + 1))) != null) {
                throw new IllegalArgumentException("a token is given twice");
            }
        }
        return new FileTokens(values);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** The value of the option. */
    public String text() {
        return values.entrySet().stream()
                .map(one -> encoded(one.getKey()) + "=" + encoded(one.getValue()))
                .collect(Collectors.joining("&"));
    }
}
