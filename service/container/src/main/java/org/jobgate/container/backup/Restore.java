// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.backup;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts a backup in the place of what a stopped gateway has. What was there before is moved aside, never deleted. The caller holds the state
 * directory.
 */
public final class Restore {

    private static final List<String> OF_SQLITE = List.of("", "-wal", "-shm", "-journal");

    private final Path stateDirectory;
    private final Backup.Place place;
    private final Path siteKey;
    private final Clock clock;

    /**
     * @param place where the jobs and the audit records are by the configuration
     * @param siteKey where the configuration has the site key
     */
    public Restore(Path stateDirectory, Backup.Place place, Path siteKey, Clock clock) {
        this.stateDirectory = requireNonNull(stateDirectory, "stateDirectory is null");
        this.place = requireNonNull(place, "place is null");
        this.siteKey = requireNonNull(siteKey, "siteKey is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * Does it.
     *
     * @return what was done, in lines for people
     * @throws IOException if the backup is not whole, or something cannot be written; a gateway does not start before it was done again
     */
    public List<String> from(Path backup) throws IOException {
        Path target = place.sqlite();
        ServerCopy server = place.server();
        ServerCopy records = place.records();
        Manifest manifest = Manifest.read(backup);
        if (manifest.files().containsKey(Backup.STORE) == (target == null)) {
            throw new IOException(
                    target == null
                            ? "the jobs are in PostgreSQL by the configuration, and this backup is one of SQLite"
                            : "the jobs are in SQLite by the configuration, and this backup is one of PostgreSQL");
        }
        boolean hasCopy = manifest.files().containsKey(Backup.AUDIT_COPY);
        if (hasCopy && records == null) {
            throw new IOException(
                    "this backup has audit records of PostgreSQL, and the configuration names none (audit.url)");
        }
        List<String> lines = new ArrayList<>();
        Instant now = clock.instant();
        new RestoreMark(manifest.takenAt(), now, RestoreMark.Stage.BEGUN).write(stateDirectory);
        String aside = "before-restore-" + now.getEpochSecond();
        String keyOfBackup = manifest.files().get(Backup.KEY);
        boolean hasKey = keyOfBackup != null;
        boolean isKeyThere =
                hasKey && Files.exists(siteKey) && Manifest.digest(siteKey).equals(keyOfBackup);
        if (target != null) {
            moveAside(target, aside, lines);
        }
        boolean areRecordsKept = records != null && !hasCopy;
        if (!areRecordsKept) {
            moveAside(stateDirectory.resolve(Backup.AUDIT), aside, lines);
            moveAside(stateDirectory.resolve(Backup.AUDIT_HEAD), aside, lines);
        } else {
            lines.add("The audit records in PostgreSQL are not in this backup; they stay as they are.");
        }
        if (hasKey && !isKeyThere) {
            moveAside(siteKey, aside, lines);
        }
        for (String name : manifest.files().keySet().stream().sorted().toList()) {
            if (name.equals(Backup.KEY) && isKeyThere) {
                continue; // the service's account need not be able to write where the key lies
            }
            if (areRecordsKept && (name.equals(Backup.AUDIT) || name.equals(Backup.AUDIT_HEAD))) {
                continue; // records that were in a file then: their end is not that of the records in PostgreSQL
            }
            Path from = backup.resolve(name);
            if (server != null && name.equals(Backup.STORE_COPY)) {
                lines.addAll(server.restore(from, now));
            } else if (records != null && name.equals(Backup.AUDIT_COPY)) {
                lines.addAll(records.restore(from, now));
            } else {
                Path to = switch (name) {
                    case Backup.STORE -> requireNonNull(target);
                    case Backup.KEY -> siteKey;
                    default -> stateDirectory.resolve(name);
                };
                PrivateFile.copy(from, to);
                lines.add(to + " is that of the backup.");
            }
        }
        new RestoreMark(manifest.takenAt(), now, RestoreMark.Stage.GATHERING).write(stateDirectory);
        if (!hasKey && !Files.exists(siteKey)) {
            lines.add("The backup has no site key, and " + siteKey
                    + " is not there: put it there from its own backup before you start,"
                    + " or delegated credentials are lost.");
        }
        if (!manifest.stateDirectory().equals(stateDirectory.toString())) {
            lines.add(
                    "The backup is of the state directory " + manifest.stateDirectory() + ", not of " + stateDirectory
                            + ": the spools of the accounts are named after it, so jobs that are there may not be found. Use the same path.");
        }
        lines.add("Jobs are as they were at " + manifest.takenAt()
                + ". Start the gateway: it takes no new jobs, and gathers what the LRMs"
                + " know beyond that. Then read jobgate restore --report, and let clients in by jobgate resume.");
        return lines;
    }

    /** Into a directory beside the file, which is on the same file system; into one that has no file of that name. */
    private static void moveAside(Path file, String directory, List<String> lines) throws IOException {
        for (String end : OF_SQLITE) {
            Path part = file.resolveSibling(file.getFileName() + end);
            if (Files.exists(part)) {
                Path to = free(part, directory);
                Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
                lines.add(part + " was moved to " + to + ".");
            }
        }
    }

    /** A restore that is repeated within the same second must not write over what the first one has moved. */
    private static Path free(Path file, String directory) throws IOException {
        String name = directory;
        for (int next = 2; ; next++) {
            Path aside = file.resolveSibling(name);
            if (!Files.isDirectory(aside)) {
                Files.createDirectory(
                        aside, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            Path to = aside.resolve(file.getFileName().toString());
            if (!Files.exists(to)) {
                return to;
            }
            name = directory + "-" + next;
        }
    }
}
