// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The file systems that a job of one local account may name, by their names in JSDL. {@code HOME}, {@code TMP}, {@code
 * SCRATCH} and {@code ROOT} have their meaning from the specification where the site has them, and it may have others.
 *
 * @param mountPoints name to absolute path, without a slash at its end but for {@code /} itself
 */
public record FileSystems(Map<String, String> mountPoints) {

    public static final String HOME = "HOME";
    public static final String TMP = "TMP";
    public static final String SCRATCH = "SCRATCH";
    public static final String ROOT = "ROOT";

    private static final Pattern PATH = Pattern.compile("/|(/[^/\0]+)+");

    public FileSystems {
        mountPoints = Map.copyOf(mountPoints);
        mountPoints.forEach((name, path) -> {
            if (!PATH.matcher(path).matches() || isDotted(path)) {
                throw new IllegalArgumentException(
                        "the mount point of the file system " + name + " is no plain absolute path: " + path);
            }
        });
    }

    /** The home, {@code /tmp}, the whole machine, and a scratch directory. */
    public static FileSystems of(String home, String scratch) {
        return new FileSystems(Map.of(HOME, home, SCRATCH, scratch, TMP, "/tmp", ROOT, "/"));
    }

    Optional<String> mountPoint(String name) {
        return Optional.ofNullable(mountPoints.get(name));
    }

    /** The names, for refusals. */
    String names() {
        return String.join(", ", new TreeMap<>(mountPoints).keySet());
    }

    /** Whether an absolute path lies in one of them that is not the whole machine: who means that says {@code ROOT}. */
    boolean hold(String path) {
        return mountPoints.entrySet().stream()
                .filter(entry -> !entry.getValue().equals("/"))
                .anyMatch(entry -> path.equals(entry.getValue()) || path.startsWith(entry.getValue() + "/"));
    }

    /** The innermost file system that the path lies in. */
    Optional<Map.Entry<String, String>> of(String path) {
        return mountPoints.entrySet().stream()
                .filter(entry ->
                        path.startsWith(joined(entry.getValue(), "")) && !path.equals(joined(entry.getValue(), "")))
                .max(Comparator.<Map.Entry<String, String>>comparingInt(
                                entry -> entry.getValue().length())
                        .thenComparing(Map.Entry.comparingByKey()));
    }

    /** The path from the mount point on. */
    static String relative(String mountPoint, String path) {
        return path.substring(joined(mountPoint, "").length());
    }

    /** Whether a part of the path is {@code .} or {@code ..}. */
    static boolean isDotted(String path) {
        for (String part : path.split("/", -1)) {
            if (part.equals("..") || part.equals(".")) {
                return true;
            }
        }
        return false;
    }

    static String joined(String base, String relative) {
        return base.endsWith("/") ? base + relative : base + "/" + relative;
    }
}
