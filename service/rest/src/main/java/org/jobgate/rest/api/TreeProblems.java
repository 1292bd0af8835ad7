// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;

/** What accounts and file systems refuse, as problem documents. */
final class TreeProblems {

    private static final int RETRY_SECONDS = 2;

    private TreeProblems() {}

    /** An operation on a file system. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws FileRefusedException, FilesUnavailableException;
    }

    /** An operation that answers nothing. */
    @FunctionalInterface
    interface Deed {
        void run() throws FileRefusedException, FilesUnavailableException;
    }

    /** Does it. */
    static <T> T of(Work<T> work) throws Problem {
        try {
            return work.run();
        } catch (FileRefusedException e) {
            throw problem(e);
        } catch (FilesUnavailableException e) {
            throw unavailable(String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(
                    "No file can be there: " + Problem.plain(String.valueOf(e.getMessage())) + ".",
                    "Correct the path.");
        }
    }

    static void does(Deed deed) throws Problem {
        of(() -> {
            deed.run();
            return true;
        });
    }

    private static Problem unavailable(String why) {
        return new Problem(
                        503,
                        "FILES_UNAVAILABLE",
                        "The files cannot be reached now: " + why + ".",
                        "Try again in a moment.")
                .retryAfter(RETRY_SECONDS);
    }

    private static Problem problem(FileRefusedException refused) {
        String sentence = String.valueOf(refused.sentence());
        return switch (refused.reason()) {
            case NOT_FOUND -> new Problem(404, "NOT_FOUND", sentence, "Check the path.");
            case NOT_PERMITTED ->
                new Problem(403, "NOT_PERMITTED", sentence, "Change the file's permissions, or name another.");
            case NOT_A_FILE -> new Problem(409, "NOT_A_FILE", sentence, "Name a regular file.");
            case NOT_A_DIRECTORY -> new Problem(409, "NOT_A_DIRECTORY", sentence, "Name a directory.");
            case EXISTS -> new Problem(409, "EXISTS", sentence, "Choose another name, or remove what has it.");
            case NOT_EMPTY ->
                new Problem(409, "NOT_EMPTY", sentence, "Remove what is in it first, or ask with recursive=true.");
            case NO_SPACE, QUOTA ->
                new Problem(507, "NO_SPACE", sentence, "Make room, or ask the site's administrator for a quota.");
            case FAILED -> unavailable(sentence.replaceAll("\\.$", ""));
        };
    }
}
