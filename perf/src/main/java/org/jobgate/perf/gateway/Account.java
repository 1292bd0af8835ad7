// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.gateway;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A local account that commands run as and that files belong to. */
public record Account(String name) {

    private static final int HOME_FIELD = 5;

    public Account {
        requireNonNull(name, "name is null");
    }

    public boolean isOwn() {
        return name.equals(System.getProperty("user.name"));
    }

    /** The words that run the command as this account; only root can do so for another. */
    public List<String> words(List<String> command) {
        List<String> words = new ArrayList<>();
        if (!isOwn()) {
            words.addAll(List.of("setpriv", "--reuid", name, "--regid", name, "--init-groups"));
        }
        words.addAll(command);
        return words;
    }

    /** Its home directory, as the system's list of accounts has it. */
    public Path home() throws IOException {
        for (String line : Files.readAllLines(Path.of("/etc/passwd"), StandardCharsets.UTF_8)) {
            String[] fields = line.split(":", -1);
            if (fields[0].equals(name) && fields.length > HOME_FIELD) {
                return Path.of(fields[HOME_FIELD]);
            }
        }
        throw new IOException(
                "there is no account " + name + " in /etc/passwd; the lab makes it: docker/lab/accounts up");
    }

    /** What a login would set. */
    public Map<String, String> environment() throws IOException {
        return Map.of("HOME", home().toString(), "USER", name, "LOGNAME", name);
    }

    /** Makes a directory of this account in its home, for the time of a run. */
    public Path temporaryDirectory() throws IOException {
        Path directory = Files.createTempDirectory(home(), "jobgate-perf-");
        own(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        return directory;
    }

    /** Makes the file or directory belong to this account. */
    public void own(Path path) throws IOException {
        if (!isOwn()) {
            Files.setOwner(
                    path, path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name));
        }
    }
}
