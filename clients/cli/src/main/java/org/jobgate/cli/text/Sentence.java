// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.text;

import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.jspecify.annotations.Nullable;

/** Failures in words for a person: no names of classes, and one full stop at the end. */
public final class Sentence {
    private static final String ENDS = ".!?";

    private Sentence() {}

    /** The text with one full stop at its end. */
    public static String of(@Nullable String text) {
        String stripped = text == null ? "" : text.strip();
        if (stripped.isEmpty()) {
            return "No reason is known.";
        }
        while (stripped.endsWith("..")) {
            stripped = stripped.substring(0, stripped.length() - 1);
        }
        return ENDS.indexOf(stripped.charAt(stripped.length() - 1)) >= 0 ? stripped : stripped + ".";
    }

    /** Why a file could not be read or written, without its name and without a full stop: "it does not exist". */
    public static String reason(Exception e) {
        return switch (e) {
            case NoSuchFileException missing -> "it does not exist";
            case AccessDeniedException denied -> "permission denied";
            case FileAlreadyExistsException there -> "it is there already";
            case NotDirectoryException file -> "it is no directory";
            case DirectoryNotEmptyException full -> "the directory is not empty";
            case FileSystemLoopException loop -> "its symbolic links lead in a circle";
            case FileSystemException other ->
                withoutStop(other.getReason() == null ? other.getMessage() : other.getReason());
            case CharacterCodingException coding -> "it is not text in UTF-8";
            default -> withoutStop(e.getMessage());
        };
    }

    private static String withoutStop(@Nullable String text) {
        String sentence = of(text);
        return sentence.substring(0, sentence.length() - 1);
    }
}
