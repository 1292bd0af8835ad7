// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jobgate.files.UrlText;
import org.jspecify.annotations.Nullable;

/**
 * A URL of a sandbox, with the subject of its server where the text names one: {@code gsiftp://host/path?DN=/O=Grid/CN=server}.
 *
 * @param url without the subject
 */
public record SandboxUrl(String url, @Nullable String subject) {

    private static final String SUBJECT = "?DN=";
    private static final Set<String> SCHEMES = Set.of("gsiftp", "file", "http", "https");

    /** The site's own output directory, as users write it. */
    private static final String HERE = "gsiftp://localhost";

    static SandboxUrl parse(String attribute, String text) {
        int mark = text.indexOf(SUBJECT);
        String url = mark < 0 ? text : text.substring(0, mark).replaceFirst("\\\\{1,2}$", "");
        String subject = mark < 0 ? null : text.substring(mark + SUBJECT.length());
        String scheme;
        try {
            scheme = new URI(UrlText.encoded(url)).getScheme();
        } catch (URISyntaxException e) {
            throw JdlFaults.invalid(
                    attribute, text, attribute + ": Illegal character for the URI: " + JdlFaults.shown(text));
        }
        if (scheme == null || !SCHEMES.contains(scheme.toLowerCase(Locale.ROOT))) {
            throw JdlFaults.invalid(
                    attribute,
                    text,
                    attribute + ": the URI \"" + JdlFaults.shown(text)
                            + "\" doesn't present an allowed scheme (gsiftp, file, http, https)");
        }
        return new SandboxUrl(url, subject == null || subject.isEmpty() ? null : subject);
    }

    static boolean isUrl(String text) {
        return text.matches("(?i)[a-z][a-z0-9+.-]{0,30}://.*");
    }

    boolean isFile() {
        return url.toLowerCase(Locale.ROOT).startsWith("file:");
    }

    /** Whether it means the output directory of the computing element. */
    boolean isHere() {
        String lower = url.toLowerCase(Locale.ROOT);
        return lower.equals(HERE) || lower.startsWith(HERE + "/");
    }

    /** The path below that directory, which is empty for the directory itself. */
    String pathHere() {
        int from = HERE.length();
        String directory = directory();
        while (from < directory.length() && directory.charAt(from) == '/') {
            from++;
        }
        return directory.substring(Math.min(from, directory.length()));
    }

    /** The URL without slashes at its end. */
    String directory() {
        int end = url.length();
        while (end > 0 && url.charAt(end - 1) == '/') {
            end--;
        }
        return url.substring(0, end);
    }

    /** The URL of this name below it. */
    SandboxUrl resolve(String name) {
        return new SandboxUrl(directory() + "/" + UrlText.ofName(name), subject);
    }
}
