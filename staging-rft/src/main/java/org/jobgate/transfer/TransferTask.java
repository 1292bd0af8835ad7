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
 * @param isFollowed whether the source is being written: what it has got is appended to the destination again and again, until somebody
 *     cancels the request
 * @param counterpart the id of the transfer that followed the source before, or, of one that follows, of the one that sends the rest;
 *     absent as a rule
 */
public record TransferTask(
        @Nullable URI source,
        URI destination,
        Map<String, String> options,
        boolean isProgram,
        boolean isFollowed,
        @Nullable String counterpart) {

    private static final String ATTEMPTS = "maxAttempts";

    public TransferTask {
        requireNonNull(destination, "destination is null");
        options = Map.copyOf(options);
    }

    /** A file, directory or deletion that is done once. */
    public TransferTask(@Nullable URI source, URI destination, Map<String, String> options, boolean isProgram) {
        this(source, destination, options, isProgram, false, null);
    }

    /** The same for a source that is being written. */
    public TransferTask followed(String rest) {
        return new TransferTask(source, destination, options, isProgram, true, rest);
    }

    /** The same for a source that was followed while it was written, by the transfer of this id; if it was. */
    public TransferTask after(String followed) {
        return new TransferTask(source, destination, options, isProgram, false, followed);
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
