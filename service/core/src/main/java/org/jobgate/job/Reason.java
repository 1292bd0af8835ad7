// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import java.io.EOFException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Why something failed, in words that a person understands who does not know Java's names of exceptions. */
public final class Reason {

    private static final int LONGEST = 500;
    private static final int DEEPEST = 8;

    /** An exception that was made of another one has this one's name and message as its message. */
    private static final Pattern CLASS_NAME =
            Pattern.compile("\\A(?:(?:[a-z][A-Za-z0-9_]*\\.)+[A-Z][A-Za-z0-9_$]*(?::\\s*|\\z))+");

    private Reason() {}

    /**
     * The reason as the end of a sentence, without its full stop: one line of at most 500 characters, with the name of the file where there is
     * one, and without names of classes. If an exception has no message, that of its cause is taken.
     */
    public static String of(Throwable failure) {
        Throwable at = failure;
        for (int depth = 0; depth < DEEPEST; depth++) {
            String said = isWrapper(at) && at.getCause() != null ? "" : said(at);
            Throwable cause = at.getCause();
            if (!said.isEmpty()) {
                return said;
            }
            if (cause == null) {
                break;
            }
            at = cause;
        }
        return "no reason is known";
    }

    private static boolean isWrapper(Throwable e) {
        return e instanceof ExecutionException || e instanceof CompletionException || e instanceof UncheckedIOException;
    }

    private static String said(Throwable e) {
        return switch (e) {
            case FileSystemException file -> ofFile(file);
            case CharacterCodingException coding -> "it is not text in the encoding that is expected";
            case UnknownHostException host -> "the host " + plain(host.getMessage()) + " is not known";
            case SocketTimeoutException late -> "no answer came in time";
            case TimeoutException late -> "no answer came in time";
            case ClosedChannelException closed -> "the connection was closed";
            case EOFException end -> end.getMessage() == null ? "it ended too early" : plain(end.getMessage());
            case InterruptedException stopped -> "it was stopped";
            case OutOfMemoryError memory -> "the memory is full";
            case StackOverflowError stack -> "it goes too deep";
            default -> plain(e.getMessage());
        };
    }

    private static String ofFile(FileSystemException e) {
        String file = e.getFile() == null ? "the file" : plain(e.getFile());
        return switch (e) {
            case NoSuchFileException missing -> file + " does not exist";
            case AccessDeniedException denied -> file + ": permission denied";
            case FileAlreadyExistsException there -> file + " is there already";
            case NotDirectoryException other -> file + " is no directory";
            case DirectoryNotEmptyException full -> "the directory " + file + " is not empty";
            case FileSystemLoopException loop -> "the symbolic links of " + file + " lead in a circle";
            default -> e.getReason() == null ? plain(e.getMessage()) : file + ": " + plain(e.getReason());
        };
    }

    private static String plain(@Nullable String message) {
        if (message == null) {
            return "";
        }
        String line = CLASS_NAME
                .matcher(message.strip())
                .replaceFirst("")
                .replaceAll("\\s+", " ")
                .replaceAll("\\p{Cntrl}", "?")
                .strip();
        while (line.endsWith(".")) {
            line = line.substring(0, line.length() - 1);
        }
        return ShortText.of(line, LONGEST);
    }
}
