// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.srm;

import static java.util.Objects.requireNonNull;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.Words;
import org.jspecify.annotations.Nullable;

/**
 * A file at a storage service.
 *
 * @param service the https address of the service
 * @param text as the service is told it
 */
record Surl(String service, String text) {
    private static final Pattern FORM = Pattern.compile(
            "(?:srm|httpg|https)://(\\[[0-9a-fA-F:.%]+]|[^\\[\\]:/?]+)(?::([0-9]{1,5}))?(/[^?]*)?(\\?SFN=(.*))?");
    private static final String PORT = "8443";
    private static final String PATH = "/srm/v2/server";

    Surl {
        requireNonNull(service, "service is null");
        requireNonNull(text, "text is null");
    }

    static boolean isOne(String text) {
        return text.startsWith("srm://");
    }

    /**
     * A file.
     *
     * @param named the service of the command line; null for none
     */
    static Surl of(String text, @Nullable String named) throws CommandException {
        Matcher parts = FORM.matcher(text);
        if (!isOne(text) || !parts.matches()) {
            throw Words.usage("'" + text
                    + "' is no SURL: write srm://HOST[:PORT]/srm/v2/server?SFN=/PATH, or srm://HOST[:PORT]/PATH.");
        }
        if (named != null) {
            return new Surl(service(named), text);
        }
        String path = parts.group(4) == null || parts.group(3) == null ? PATH : parts.group(3);
        return new Surl(address(parts, path), text);
    }

    /** The address of a service that is named by itself, or by any file of it. */
    static String service(String text) throws CommandException {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw Words.usage("'" + text + "' names no service: write srm://HOST[:PORT][/PATH].");
        }
        String path = parts.group(3) == null || parts.group(3).equals("/") ? PATH : parts.group(3);
        return address(parts, path);
    }

    private static String address(Matcher parts, String path) {
        return "https://" + parts.group(1) + ":" + (parts.group(2) == null ? PORT : parts.group(2)) + path;
    }

    /** The last name of its path; empty where it ends with a slash. */
    String name() {
        return text.substring(Math.max(text.lastIndexOf('/'), text.lastIndexOf('=')) + 1);
    }

    /** A file in this directory. */
    Surl in(String name) {
        return new Surl(service, text.endsWith("/") ? text + name : text + "/" + name);
    }
}
