// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

/** Commands as text. One command is one line: what would end the line inside an argument is refused, not escaped. */
final class CommandText {

    /** Characters of a command; globus-gridftp-server and others read lines of bounded length. */
    static final int MAX_COMMAND = 8192;

    private static final int MAX_SHOWN = 300;

    private CommandText() {}

    /**
     * A command with a path as its last argument.
     *
     * @throws IllegalArgumentException if the path is empty, too long, or holds CR, LF or NUL
     */
    static String withPath(String verb, String path) {
        if (requireNonNull(path, "path is null").isEmpty()) {
            throw new IllegalArgumentException("the path is empty");
        }
        return checked(verb + " " + path);
    }

    /** The command, if it is one line. */
    static String checked(String command) {
        for (int i = 0; i < command.length(); i++) {
            char c = command.charAt(i);
            if (c == '\r' || c == '\n' || c == 0) {
                throw new IllegalArgumentException("a line break or NUL at character " + i + " of '" + shown(command)
                        + "': it would end the command. Rename the file");
            }
        }
        if (command.length() > MAX_COMMAND) {
            throw new IllegalArgumentException(
                    "the command has " + command.length() + " characters; the limit is " + MAX_COMMAND);
        }
        return command;
    }

    /** For messages: no control characters, not too long. */
    static String shown(String text) {
        String head = text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text;
        return RawText.shown(head).replaceAll("\\p{Cntrl}", "?");
    }
}
