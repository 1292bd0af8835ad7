// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the parts lie; the launcher knows.
 *
 * @param prefix of the installation, or the checkout
 * @param home of the server: perl and jvm.options are there
 * @param serverLibrary the server's jars
 */
record Installation(Path prefix, Path home, Path serverLibrary) {
    Installation {
        requireNonNull(prefix, "prefix is null");
        requireNonNull(home, "home is null");
        requireNonNull(serverLibrary, "serverLibrary is null");
    }

    static Installation fromLauncher() throws AdminException {
        return new Installation(property("jobgate.prefix"), property("jobgate.home"), property("jobgate.server.lib"));
    }

    /** The server's start-up cache, which need not be there. */
    ServerCache serverCache() throws AdminException {
        return new ServerCache(this, property("jobgate.server.cache"));
    }

    private static Path property(String name) throws AdminException {
        String value = System.getProperty(name);
        if (value == null) {
            throw new AdminException("System property " + name + " is not set. Start this command as bin/jobgate.");
        }
        return Path.of(value);
    }

    /** The configuration meant: the one named, else {@code JOBGATE_CONFIG}, else the site's, else the installation's. */
    Path configuration(@Nullable Path named, Map<String, String> environment) throws AdminException {
        if (named != null) {
            return existing(named, "--config");
        }
        String variable = environment.getOrDefault("JOBGATE_CONFIG", "");
        if (!variable.isEmpty()) {
            return existing(Path.of(variable), "JOBGATE_CONFIG");
        }
        List<Path> usual = List.of(Path.of("/etc/jobgate/jobgate.yaml"), prefix.resolve("etc/jobgate.yaml"));
        for (Path candidate : usual) {
            if (Files.exists(candidate)) {
                return candidate;
            }
        }
        throw new AdminException("No configuration: name one with --config or JOBGATE_CONFIG; neither "
                + usual.getFirst() + " nor " + usual.getLast() + " exists.");
    }

    private static Path existing(Path file, String source) throws AdminException {
        if (!Files.isRegularFile(file)) {
            throw new AdminException("Configuration " + file + " (" + source + ") does not exist.");
        }
        return file.toAbsolutePath();
    }
}
