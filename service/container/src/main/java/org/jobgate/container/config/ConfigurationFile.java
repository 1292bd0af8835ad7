// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jobgate.job.Reason;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The configuration file: YAML, at most {@value #MAX_BYTES} bytes. */
public final class ConfigurationFile {

    static final long MAX_BYTES = 1024 * 1024;

    /** Names that were once in use, and what to write instead. A name that is taken out of a section is added here. */
    static final Map<String, String> DEFUNCT = Map.of(
            "staging.doors", "it is called staging.servers now",
            "staging.doorSelection", "it is called staging.serverSelection now",
            "staging.doorPlugIn", "it is called staging.serverPlugIn now",
            "staging.doorProbeInterval", "it is called staging.serverProbeInterval now");

    private ConfigurationFile() {}

    /**
     * Reads and checks the file.
     *
     * @throws ConfigurationException with every problem of the file
     */
    public static JobgateConfig read(Path file, Map<String, String> environment) {
        return new ConfigurationReader(file, environment, DEFUNCT).read(tree(file));
    }

    private static JsonNode tree(Path file) {
        YAMLMapper mapper = new YAMLMapper(YAMLFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build());
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new ConfigurationException(List.of(
                        file + ": the file has " + Files.size(file) + " bytes; at most " + MAX_BYTES + " are read"));
            }
            return mapper.readTree(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new ConfigurationException(List.of(file + ": the configuration cannot be read: " + Reason.of(e)
                    + "; name a readable file with --config"));
        } catch (JacksonException e) {
            String where = e.getLocation() == null
                    ? ""
                    : " line " + e.getLocation().getLineNr() + " column "
                            + e.getLocation().getColumnNr();
            throw new ConfigurationException(List.of(file + where + ": this is not YAML: " + e.getOriginalMessage()));
        }
    }
}
