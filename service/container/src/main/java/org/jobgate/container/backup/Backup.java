// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.backup;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Makes backups while the gateway works: the database of jobs, that of the audit, and the site key if that is wanted. The audit comes first:
 * one that is older than the jobs is made up from their change stream after a restore, a newer one would speak of what the jobs do not
 * know.
 */
public final class Backup {

    static final String STORE = "jobgate.db";
    static final String STORE_COPY = "jobgate.copy.gz";
    static final String AUDIT = "audit.db";
    static final String AUDIT_COPY = "audit.copy.gz";
    static final String AUDIT_HEAD = "audit.head";
    static final String KEY = "delegation.key";

    private final Path stateDirectory;
    private final Place place;
    private final DatabaseCopy copies;
    private final Path siteKey;
    private final String version;
    private final Clock clock;

    /**
     * Where the jobs and the audit records are.
     *
     * @param sqlite the file of the jobs; absent where they are in PostgreSQL
     * @param server where the jobs are, if in PostgreSQL; absent where they are a file
     * @param records where the audit records are, if in PostgreSQL; absent where they are a file in the state directory, or none are made
     */
    public record Place(
            @Nullable Path sqlite,
            @Nullable ServerCopy server,
            @Nullable ServerCopy records) {
        public Place {
            if ((sqlite == null) == (server == null)) {
                throw new IllegalArgumentException("the jobs are in a file or on a server");
            }
        }
    }

    /** Copies a database as it is at one moment, while others write to it. */
    @FunctionalInterface
    public interface DatabaseCopy {
        /**
         * Makes the copy, which must not be there yet.
         *
         * @throws IOException if it cannot be made, or is damaged
         */
        void make(Path database, Path target) throws IOException;
    }

    /** @param siteKey the key that opens delegated credentials; it need not be there */
    public Backup(Path stateDirectory, Place place, DatabaseCopy copies, Path siteKey, String version, Clock clock) {
        this.stateDirectory = requireNonNull(stateDirectory, "stateDirectory is null");
        this.place = requireNonNull(place, "place is null");
        this.copies = requireNonNull(copies, "copies is null");
        this.siteKey = requireNonNull(siteKey, "siteKey is null");
        this.version = requireNonNull(version, "version is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * Makes a backup.
     *
     * @param directory made, or empty; absolute
     * @param withKey whether the site key is copied too: then the backup alone opens all delegated credentials
     * @return what is in it: its {@code directory}, {@code takenAt}, {@code bytes}, and {@code files}
     * @throws FaultException of code {@code INVALID_DESCRIPTION} where the directory cannot be used, {@code STORE_UNAVAILABLE} where
     *     something cannot be copied
     */
    public synchronized Map<String, Object> make(Path directory, boolean withKey) {
        if (!directory.isAbsolute()) {
            throw refused(
                    "The directory of a backup must be an absolute path, and " + directory + " is none.", "Give one.");
        }
        try {
            prepare(directory);
            return copy(directory, withKey);
        } catch (IOException e) {
            throw new FaultException(
                    Fault.of(
                            FaultCode.STORE_UNAVAILABLE,
                            "The backup in " + directory + " is not whole: " + Reason.of(e) + ".",
                            "Make room or mend what is said, remove the directory, and make the backup again."),
                    e);
        }
    }

    private Map<String, Object> copy(Path directory, boolean withKey) throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        Path audit = stateDirectory.resolve(AUDIT);
        ServerCopy records = place.records();
        if (records != null) {
            copyIfThere(stateDirectory.resolve(AUDIT_HEAD), directory.resolve(AUDIT_HEAD), files);
            records.make(directory.resolve(AUDIT_COPY));
            files.put(AUDIT_COPY, Manifest.digest(directory.resolve(AUDIT_COPY)));
        } else if (Files.exists(audit)) {
            // its end first: that may be behind the records, never before them
            copyIfThere(stateDirectory.resolve(AUDIT_HEAD), directory.resolve(AUDIT_HEAD), files);
            copies.make(audit, directory.resolve(AUDIT));
            files.put(AUDIT, Manifest.digest(directory.resolve(AUDIT)));
        }
        Instant takenAt = clock.instant();
        ServerCopy server = place.server();
        String name = server == null ? STORE : STORE_COPY;
        if (server == null) {
            copies.make(requireNonNull(place.sqlite()), directory.resolve(name));
        } else {
            server.make(directory.resolve(name));
        }
        files.put(name, Manifest.digest(directory.resolve(name)));
        if (withKey) {
            copyIfThere(siteKey, directory.resolve(KEY), files);
        }
        new Manifest(version, takenAt, stateDirectory.toString(), files).write(directory);
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("directory", directory.toString());
        view.put("takenAt", takenAt.toString());
        view.put("files", files.keySet().stream().toList());
        view.put("bytes", size(directory));
        return view;
    }

    private static void prepare(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        try (Stream<Path> entries = Files.list(directory)) {
            if (entries.findAny().isPresent()) {
                throw refused(
                        "The directory " + directory + " has something in it already.",
                        "Give each backup a directory of its own.");
            }
        }
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }

    private static void copyIfThere(Path from, Path to, Map<String, String> files) throws IOException {
        try {
            PrivateFile.write(to, Files.readAllBytes(from));
            files.put(to.getFileName().toString(), Manifest.digest(to));
        } catch (NoSuchFileException e) {
            // there is none yet: no record was written, or no credential delegated
            Files.deleteIfExists(to);
        }
    }

    private static long size(Path directory) throws IOException {
        long bytes = 0;
        try (Stream<Path> entries = Files.list(directory)) {
            for (Path entry : entries.toList()) {
                bytes += Files.size(entry);
            }
        }
        return bytes;
    }

    private static FaultException refused(String sentence, String remedy) {
        return new FaultException(Fault.of(FaultCode.INVALID_DESCRIPTION, sentence, remedy));
    }
}
