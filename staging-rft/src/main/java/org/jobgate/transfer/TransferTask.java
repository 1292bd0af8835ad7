// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file or directory to be copied, or to be deleted.
 *
 * @param source absent where the destination is to be deleted
 * @param options RFT's, by name; checked for form
 * @param isProgram whether the copy is to be run
 */
public record TransferTask(@Nullable URI source, URI destination, Map<String, String> options, boolean isProgram) {

    private static final String ATTEMPTS = "maxAttempts";

    public TransferTask {
        requireNonNull(destination, "destination is null");
        options = Map.copyOf(options);
    }

    public static TransferTask deletion(URI file, Map<String, String> options) {
        return new TransferTask(null, file, options, false);
    }

    public boolean isDeletion() {
        return source == null;
    }

    boolean isDirectory() {
        return source != null && source.getRawPath().endsWith("/");
    }

    /** The same for something in its directory. */
    TransferTask inside(String name, boolean isDirectory) {
        URI from = requireNonNull(source, "nothing is in a deletion");
        return new TransferTask(
                Urls.inside(from, name, isDirectory), Urls.inside(destination, name, isDirectory), options, false);
    }

    /** What the task itself says; 0 where it says nothing. */
    int attempts() {
        return Integer.parseInt(options.getOrDefault(ATTEMPTS, "0"));
    }

    @Override
    public String toString() {
        return source == null ? "deletion of " + destination : source + " to " + destination;
    }
}
