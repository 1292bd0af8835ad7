// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jspecify.annotations.Nullable;

/**
 * How a description names files of the user's own machine: {@code client:PATH}, a plain path, and with {@code -local-files} also
 * {@code file:///PATH}. In GT's language {@code file:} is a file of the service's side, and what has no scheme is nothing
 * (facts/gram4.md section 2.3): a description that works there means the same here.
 *
 * <p>Behind {@code client:} and {@code file:} names are percent-encoded; a plain path is taken to the letter. A name may hold whatever a
 * name may hold there (docs/reference/files.md): all but a slash and NUL.
 */
record OwnNames(boolean areFilesLocal) {
    private static final String CLIENT = "client:";
    private static final String FILE = "file:";
    /** What has a slash behind the first colon; {@code a:b} is a file that is named so. */
    private static final Pattern URL = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:/.*", Pattern.DOTALL);

    private static final int NAMES_MAX = 64;
    private static final int NAME_BYTES_MAX = 255;

    /**
     * The file of this machine that is meant; null for one of another.
     *
     * @throws CommandException it names no file of ours, but looks so
     */
    @Nullable
    Path own(String name) throws CommandException {
        String path = path(name);
        if (path == null) {
            return null;
        }
        if (path.endsWith("/") || path.isEmpty()) {
            throw usage(name, "is a directory; name each of its files");
        }
        try {
            return Path.of(path);
        } catch (InvalidPathException e) {
            throw usage(name, "is no path: " + e.getReason());
        }
    }

    private @Nullable String path(String name) throws CommandException {
        if (name.startsWith(CLIENT)) {
            return decoded(name, name.substring(CLIENT.length()));
        }
        if (areFilesLocal && name.startsWith(FILE)) {
            return decoded(name, name.substring(FILE.length()));
        }
        // a variable may stand for a whole URL
        return URL.matcher(name).matches() || name.startsWith("$") ? null : name;
    }

    private static String decoded(String name, String rest) throws CommandException {
        String path = rest.startsWith("//") ? rest.replaceFirst("^//+", "/") : rest;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(path.length());
        byte[] given = path.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < given.length; i++) {
            if (given[i] != '%') {
                bytes.write(given[i]);
                continue;
            }
            int high = i + 2 < given.length ? Character.digit(given[i + 1], 16) : -1;
            int low = i + 2 < given.length ? Character.digit(given[i + 2], 16) : -1;
            if (high < 0 || low < 0) {
                throw usage(name, "is no URL: a % without two hexadecimal digits behind it (one that is meant is %25)");
            }
            bytes.write(high << 4 | low);
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw usage(name, "has a name that is not UTF-8, which this command cannot bring or fetch; rename it");
        }
    }

    /**
     * The way below the job's directory that is meant.
     *
     * @param name a way below it, or {@code file:///} with the directory as the description has it before the way
     * @throws CommandException it is elsewhere: what a client brings and fetches is below the job's directory
     */
    static String below(String name, String directory) throws CommandException {
        String way = name;
        if (name.startsWith(FILE)) {
            String path =
                    singleSlashes(decoded(name, name.substring(FILE.length())).replaceFirst("^/+(?=\\$)", ""));
            String begin = singleSlashes(directory + "/");
            if (!path.startsWith(begin)) {
                throw usage(name, "is not below the job's directory, which is " + directory);
            }
            way = path.substring(begin.length());
        } else if (URL.matcher(name).matches() || name.startsWith("/") || name.startsWith("$")) {
            throw usage(
                    name,
                    "is not below the job's directory; a file of yours can only be brought there, and fetched from there");
        }
        List<String> names = new ArrayList<>();
        for (String part : way.split("/", -1)) {
            if (!part.isEmpty() && !part.equals(".")) {
                names.add(part);
            }
        }
        requirePossible(name, way, names);
        return String.join("/", names);
    }

    private static String singleSlashes(String path) {
        return path.replaceAll("/+", "/");
    }

    /** What the service would refuse, when there is a job already. */
    private static void requirePossible(String name, String way, List<String> names) throws CommandException {
        if (names.isEmpty() || way.endsWith("/") || way.endsWith("/.") || names.contains("..")) {
            throw usage(name, "is no way to a file below the job's directory");
        }
        if (names.size() > NAMES_MAX) {
            throw usage(name, "has " + names.size() + " names on its way; at most " + NAMES_MAX + " are possible");
        }
        for (String part : names) {
            if (part.indexOf('\0') >= 0) {
                throw usage(name, "has a NUL, which no name may hold");
            }
            if (part.getBytes(StandardCharsets.UTF_8).length > NAME_BYTES_MAX) {
                throw usage(name, "has a name of more than " + NAME_BYTES_MAX + " bytes");
            }
        }
    }

    private static CommandException usage(String name, String what) {
        return new CommandException(ExitStatus.USAGE, "The file " + name + " of the description " + what + ".");
    }
}
