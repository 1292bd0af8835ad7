// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jobgate.identity.Identity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The classic map of subjects to local accounts, one line each: see {@link GridMapfileLine}.
 *
 * <ul>
 *   <li>A broken line is reported with its number and left out; the others hold.
 *   <li>The file is looked at again when it may have changed, at most once per check interval. One caller reads it; the others go on
 *       with what was read last.
 *   <li>While the file cannot be read, nobody is mapped: the answer is {@code Indeterminate}.
 *   <li>An account of the denied list is never answered.
 * </ul>
 */
public final class GridMapfile implements Authorizer {

    /** More bytes than any real map has: 100,000 long lines. */
    static final long MAX_BYTES = 32L * 1024 * 1024;

    /** How many broken lines of one reading are reported one by one. */
    static final int MAX_REPORTED_LINES = 20;

    private static final Logger LOG = LoggerFactory.getLogger(GridMapfile.class);

    private final Path file;
    private final Set<String> deniedAccounts;
    private final long checkNanos;
    private final LongSupplier nanoTime;
    private final ReentrantLock reading = new ReentrantLock();

    private volatile Snapshot snapshot;
    private volatile long checkedAt;

    /** What was read, or why it could not be; the stamp tells whether the file is still the same. */
    private record Snapshot(
            @Nullable Stamp stamp,
            Map<String, List<String>> accounts,
            @Nullable String unreadable) {}

    private record Stamp(
            FileTime modified, long size, @Nullable Object fileKey) {}

    /**
     * Reads the file.
     *
     * @param deniedAccounts accounts that no job may ever run as
     * @param checkInterval how long a change of the file may go unnoticed
     * @param nanoTime a monotonic clock, e.g. {@code System::nanoTime}
     */
    public GridMapfile(Path file, Set<String> deniedAccounts, Duration checkInterval, LongSupplier nanoTime) {
        this.file = requireNonNull(file, "file is null");
        this.deniedAccounts = Set.copyOf(deniedAccounts);
        this.checkNanos = checkInterval.toNanos();
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
        this.checkedAt = nanoTime.getAsLong();
        this.snapshot = read(null);
    }

    @Override
    public Decision decide(Identity identity) {
        refreshIfDue();
        Snapshot now = snapshot;
        if (now.unreadable() != null) {
            return new Decision.Indeterminate(now.unreadable());
        }
        String subject = SubjectForm.canonical(identity.subject());
        List<String> mapped = now.accounts().get(subject);
        if (mapped == null) {
            return new Decision.Deny("The subject " + identity.subject() + " is not in the grid-mapfile.");
        }
        List<String> allowed = mapped.stream()
                .filter(account -> !deniedAccounts.contains(account))
                .toList();
        if (allowed.isEmpty()) {
            return new Decision.Deny("The subject " + identity.subject()
                    + " is mapped only to accounts that no job may run as: " + String.join(", ", mapped) + ".");
        }
        return new Decision.Permit(allowed);
    }

    /** How many subjects are mapped now. */
    public int size() {
        return snapshot.accounts().size();
    }

    private void refreshIfDue() {
        if (nanoTime.getAsLong() - checkedAt < checkNanos || !reading.tryLock()) {
            return;
        }
        try {
            checkedAt = nanoTime.getAsLong();
            snapshot = read(snapshot);
        } finally {
            reading.unlock();
        }
    }

    private Snapshot read(@Nullable Snapshot before) {
        try {
            Stamp stamp = stamp();
            if (before != null && stamp.equals(before.stamp())) {
                return before;
            }
            return new Snapshot(stamp, readLines(), null);
        } catch (IOException e) {
            String reason = "The grid-mapfile cannot be read (" + e.getClass().getSimpleName() + ").";
            if (before == null || !reason.equals(before.unreadable())) {
                LOG.error(
                        "The grid-mapfile {} cannot be read: {}. Nobody may submit until it can.", file, e.toString());
            }
            return new Snapshot(null, Map.of(), reason);
        }
    }

    private Stamp stamp() throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (attributes.size() > MAX_BYTES) {
            throw new IOException("it has " + attributes.size() + " bytes; at most " + MAX_BYTES + " are read");
        }
        return new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    }

    private Map<String, List<String>> readLines() throws IOException {
        Map<String, LinkedHashSet<String>> accounts = new HashMap<>();
        int number = 0;
        int broken = 0;
        // a byte that is not UTF-8 spoils its own line only: it becomes U+FFFD, which no certificate matches
        try (BufferedReader reader = new BufferedReader(new java.io.InputStreamReader(
                Files.newInputStream(file),
                StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPLACE)))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                number++;
                try {
                    GridMapfileLine.parse(line)
                            .ifPresent(entry -> accounts.computeIfAbsent(entry.subject(), s -> new LinkedHashSet<>())
                                    .addAll(entry.accounts()));
                } catch (IllegalArgumentException e) {
                    if (++broken <= MAX_REPORTED_LINES) {
                        LOG.warn("{} line {} is left out: {}.", file, number, e.getMessage());
                    }
                }
            }
        }
        LOG.info("{}: {} subjects, {} broken lines left out.", file, accounts.size(), broken);
        Map<String, List<String>> result = HashMap.newHashMap(accounts.size());
        accounts.forEach((subject, names) -> result.put(subject, new ArrayList<>(names)));
        return result;
    }
}
