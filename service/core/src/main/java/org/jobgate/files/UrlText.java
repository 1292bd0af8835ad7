// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** URLs as people and servers write them, made such as RFC 3986 wants them: what may not stand in one is percent-encoded. */
public final class UrlText {

    /** Scheme and authority, where there may be brackets. */
    private static final Pattern HEAD = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*:)?(//[^/?#]*)?");

    private static final String IN_NAMES = ":@!$&'()*+,;=";
    private static final String DELIMITERS = IN_NAMES + "/?#%";
    private static final Pattern LONE_PERCENT = Pattern.compile("%(?![0-9A-Fa-f]{2})");

    private UrlText() {}

    /** What is encoded already stays so; letters beyond ASCII are written as UTF-8. */
    public static String encoded(String text) {
        Matcher head = HEAD.matcher(text);
        int end = head.lookingAt() ? head.end() : 0;
        return FileNames.encoded(text.substring(0, end), DELIMITERS + "[]")
                + FileNames.encoded(text.substring(end), DELIMITERS);
    }

    /**
     * The same of a header field, whose characters are bytes (RFC 9110, section 5.5): there are servers that write names as they are. A
     * {@code %} that begins no code stands for itself.
     */
    public static String ofHeader(String field) {
        String text = FileNames.text(field.getBytes(StandardCharsets.ISO_8859_1));
        return encoded(LONE_PERCENT.matcher(text).replaceAll("%25"));
    }

    /** A name of a directory's entry as a part of a path, byte for byte. */
    public static String ofName(String name) {
        return FileNames.encoded(name, IN_NAMES);
    }
}
