// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.signin;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jobgate.site.SiteFile;

/** The file with the secret by which this gateway proves to the issuer who it is. */
public final class ClientSecret {

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final int LONGEST = 4096;

    private final Path file;

    public ClientSecret(Path file) {
        this.file = requireNonNull(file, "file is null");
    }

    /**
     * The file's first line.
     *
     * @throws IOException it cannot be read, others may use it, or it is empty; the message says what to do, and nothing of the secret
     */
    public String read() throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (!OWNER_ONLY.containsAll(permissions)) {
            throw new IOException("the file of the client's secret, " + file + ", has the mode "
                    + PosixFilePermissions.toString(permissions) + ": others may use it; run: chmod 600 " + file);
        }
        String text = new String(SiteFile.read(file, LONGEST).open().readAllBytes(), StandardCharsets.UTF_8);
        return text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElseThrow(() -> new IOException("the file of the client's secret, " + file + ", is empty"));
    }
}
