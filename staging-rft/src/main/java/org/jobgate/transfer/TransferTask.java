// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jobgate.job.OutputOptions;
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
 * @param quota which files together are not to be too large; absent as a rule
 */
public record TransferTask(
        @Nullable URI source,
        URI destination,
        Map<String, String> options,
        boolean isProgram,
        boolean isFollowed,
        @Nullable String counterpart,
        @Nullable OutputQuota quota) {

    private static final String ATTEMPTS = "maxAttempts";

    public TransferTask {
        requireNonNull(destination, "destination is null");
        options = Map.copyOf(options);
    }

    /** A file, directory or deletion that is done once. */
    public TransferTask(@Nullable URI source, URI destination, Map<String, String> options, boolean isProgram) {
        this(source, destination, options, isProgram, false, null, null);
    }

    /** The same for a source that is being written. */
    public TransferTask followed(String rest) {
        return new TransferTask(source, destination, options, isProgram, true, rest, quota);
    }

    /** The same for a source that was followed while it was written, by the transfer of this id; if it was. */
    public TransferTask after(String followed) {
        return new TransferTask(source, destination, options, isProgram, false, followed, quota);
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

    /** The same as one of those that together are not to be too large. */
    public TransferTask within(OutputQuota newQuota) {
        return new TransferTask(source, destination, options, isProgram, isFollowed, counterpart, newQuota);
    }

    /** Whether slices of files are sent instead of what the directory has. */
    public boolean isSliced() {
        return options.containsKey(OutputOptions.SLICES);
    }

    /** The time between two looks at what is written, which is not less than the site's. */
    Duration interval(Duration least) {
        String seconds = options.get(OutputOptions.SLICES);
        Duration wanted = seconds == null ? least : Duration.ofSeconds(Long.parseLong(seconds));
        return wanted.compareTo(least) > 0 ? wanted : least;
    }

    /** The servers that it needs. */
    List<String> servers() {
        String list = options.get(OutputOptions.SLICES_LIST);
        return Stream.of(destination, source, list == null ? null : Urls.parse(list))
                .filter(Objects::nonNull)
                .map(Urls::server)
                .filter(name -> !name.isEmpty())
                .distinct()
                .sorted()
                .toList();
    }

    /** The same for something in its directory. */
    TransferTask inside(String name, boolean isDirectory) {
        URI from = requireNonNull(source, "nothing is in a deletion");
        return new TransferTask(
                Urls.inside(from, name, isDirectory),
                Urls.inside(destination, name, isDirectory),
                options,
                false,
                false,
                null,
                quota);
    }

    /** The task's own number; 0 if it has none. */
    int attempts() {
        return Integer.parseInt(options.getOrDefault(ATTEMPTS, "0"));
    }

    @Override
    public String toString() {
        return source == null ? "deletion of " + destination : source + " to " + destination;
    }
}
