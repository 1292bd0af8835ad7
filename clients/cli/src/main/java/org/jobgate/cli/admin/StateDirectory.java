// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The server's state directory, in which its socket, its process number and its logs are.
 *
 * @param path absolute
 */
record StateDirectory(Path path) {
    private static final long CONFIGURATION_BYTES_MAX = 1 << 20;
    private static final Pattern VARIABLE = Pattern.compile("\\$\\$\\{|\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::([^}]*))?\\}");
    /** As the server takes it where nothing is said. */
    private static final String DEFAULT = "/var/lib/jobgate";

    StateDirectory {
        requireNonNull(path, "path is null");
    }

    /** Reads only {@code state.directory} of the configuration: the rest is the server's to judge. */
    static StateDirectory of(Path configuration, Map<String, String> environment) throws AdminException {
        try {
            if (Files.size(configuration) > CONFIGURATION_BYTES_MAX) {
                throw new AdminException("Configuration " + configuration + " is larger than 1 MiB.");
            }
            JsonNode tree = YAMLMapper.builder().build().readTree(configuration.toFile());
            String text = tree.path("state").path("directory").asString(DEFAULT);
            Path path = Path.of(substituted(text, environment, configuration));
            return new StateDirectory(
                    configuration.resolveSibling(path).toAbsolutePath().normalize());
        } catch (JacksonException | IOException e) {
            throw new AdminException("Configuration " + configuration + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** {@code ${NAME}} and {@code ${NAME:default}}, as the server reads them; two dollars before a brace stand for one. */
    static String substituted(String text, Map<String, String> environment, Path configuration) throws AdminException {
        Matcher matcher = VARIABLE.matcher(text);
        StringBuilder out = new StringBuilder();
        while (matcher.find()) {
            if (matcher.group(1) == null) {
                matcher.appendReplacement(out, Matcher.quoteReplacement("${"));
                continue;
            }
            String value = environment.getOrDefault(matcher.group(1), matcher.group(2));
            if (value == null) {
                throw new AdminException("Configuration " + configuration + " uses ${" + matcher.group(1)
                        + "}, which is not set in the environment and has no default.");
            }
            matcher.appendReplacement(out, Matcher.quoteReplacement(value));
        }
        return matcher.appendTail(out).toString();
    }

    Path socket() {
        return path.resolve("admin.sock");
    }

    Path processFile() {
        return path.resolve("jobgate.pid");
    }

    Path consoleLog() {
        return path.resolve("logs/console.log");
    }
}
