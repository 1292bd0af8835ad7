// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.backup;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a backup says of itself, in {@value #NAME}; written last, so that a backup without it is not whole.
 *
 * @param version of the gateway that made it
 * @param takenAt what was stored before is in it
 * @param stateDirectory of that gateway
 * @param files name to SHA-256
 */
record Manifest(String version, Instant takenAt, String stateDirectory, Map<String, String> files) {

    static final String NAME = "backup.json";

    private static final int FORMAT = 1;
    private static final long MOST_BYTES = 64L * 1024;
    private static final Set<String> KNOWN =
            Set.of(Backup.STORE, Backup.STORE_COPY, Backup.AUDIT, Backup.AUDIT_COPY, Backup.AUDIT_HEAD, Backup.KEY);
    private static final JsonMapper JSON = new JsonMapper();

    Manifest {
        requireNonNull(version, "version is null");
        requireNonNull(takenAt, "takenAt is null");
        requireNonNull(stateDirectory, "stateDirectory is null");
        files = Map.copyOf(files);
    }

    void write(Path directory) throws IOException {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("format", FORMAT);
        body.put("version", version);
        body.put("takenAt", takenAt.toString());
        body.put("stateDirectory", stateDirectory);
        body.put("sha256", files);
        PrivateFile.write(directory.resolve(NAME), JSON.writeValueAsBytes(body));
    }

    /**
     * Reads it, and each file that it names.
     *
     * @throws IOException if the backup is not whole, with a sentence that says why
     */
    static Manifest read(Path directory) throws IOException {
        Path file = directory.resolve(NAME);
        Manifest manifest;
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new IOException(file + " is no manifest of a backup: it is too large");
            }
            JsonNode body = JSON.readTree(Files.readAllBytes(file));
            if (body.path("format").asInt(0) != FORMAT) {
                throw new IOException(
                        file + " is of format " + body.path("format") + ", and this version reads " + FORMAT);
            }
            Map<String, String> files = new LinkedHashMap<>();
            body.path("sha256")
                    .properties()
                    .forEach(entry -> files.put(entry.getKey(), entry.getValue().asString("")));
            manifest = new Manifest(
                    body.path("version").asString("?"),
                    Instant.parse(body.path("takenAt").asString("")),
                    body.path("stateDirectory").asString(""),
                    files);
        } catch (NoSuchFileException e) {
            throw new IOException(directory + " holds no backup that is whole: it has no " + NAME, e);
        } catch (JacksonException | DateTimeException e) {
            throw new IOException(file + " is no manifest of a backup: " + e.getMessage(), e);
        }
        manifest.check(directory);
        return manifest;
    }

    private void check(Path directory) throws IOException {
        if (files.containsKey(Backup.STORE) == files.containsKey(Backup.STORE_COPY)
                || !KNOWN.containsAll(files.keySet())) {
            throw new IOException(directory.resolve(NAME) + " names other files than a backup has: " + files.keySet());
        }
        for (Map.Entry<String, String> entry : files.entrySet()) {
            if (!digest(directory.resolve(entry.getKey())).equals(entry.getValue())) {
                throw new IOException(
                        directory.resolve(entry.getKey()) + " is not as it was when the backup was made (SHA-256)");
            }
        }
    }

    static String digest(Path file) throws IOException {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            try (InputStream in = new DigestInputStream(Files.newInputStream(file), sha)) {
                in.transferTo(java.io.OutputStream.nullOutputStream());
            }
            return HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
