// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jspecify.annotations.Nullable;

/**
 * How a description names files of the user's own machine: {@code client:PATH}, a plain path without a scheme, and with
 * {@code -local-files} also {@code file:///PATH}. In GT's language {@code file:} is a file of the service's side, and what has no scheme is
 * nothing (facts/gram4.md section 2.3): a description that works there means the same here.
 */
record OwnNames(boolean areFilesLocal) {
    private static final String CLIENT = "client:";
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*", Pattern.DOTALL);

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
        if (areFilesLocal && name.startsWith("file:")) {
            return decoded(name, name.substring("file:".length()));
        }
        // a variable may stand for a whole URL
        return SCHEME.matcher(name).matches() || name.startsWith("$") ? null : name;
    }

    private static String decoded(String name, String rest) throws CommandException {
        String path = rest.startsWith("//") ? rest.replaceFirst("^//+", "/") : rest;
        try {
            // a first segment with a colon would be taken for a scheme
            String decoded = new URI(path.startsWith("/") ? path : "/" + path).getPath();
            return path.startsWith("/") ? decoded : decoded.substring(1);
        } catch (URISyntaxException e) {
            throw usage(name, "is no URL: " + e.getReason());
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
        if (name.startsWith("file:")) {
            String path = name.substring("file:".length())
                    .replaceFirst("^/+(?=\\$)", "")
                    .replaceAll("/+", "/");
            String begin = directory.replaceAll("/+", "/").replaceFirst("/$", "") + "/";
            if (!path.startsWith(begin)) {
                throw usage(name, "is not below the job's directory, which is " + directory);
            }
            way = path.substring(begin.length());
        } else if (SCHEME.matcher(name).matches() || name.startsWith("/") || name.startsWith("$")) {
            throw usage(
                    name,
                    "is not below the job's directory; a file of yours can only be brought there, and fetched from there");
        }
        for (String part : way.split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                throw usage(name, "is no way to a file below the job's directory");
            }
        }
        return way;
    }

    private static CommandException usage(String name, String what) {
        return new CommandException(ExitStatus.USAGE, "The file " + name + " of the description " + what + ".");
    }
}
