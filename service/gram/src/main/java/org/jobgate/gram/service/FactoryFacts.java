// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jobgate.job.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a factory says about its host (facts/gram4.md section 1.5).
 *
 * @param installation where the gateway is installed; clients know it as the Globus location
 * @param cpuType e.g. {@code amd64}
 * @param scratchBaseDirectory the directory that scratch directories are made in; absent if there is none
 * @param version of the gateway
 */
public record FactoryFacts(
        String installation,
        @Nullable String cpuType,
        @Nullable String manufacturer,
        @Nullable String osName,
        @Nullable String osVersion,
        @Nullable String scratchBaseDirectory,
        String version) {

    private static final Logger LOG = LoggerFactory.getLogger(FactoryFacts.class);

    public FactoryFacts {
        requireNonNull(installation, "installation is null");
        requireNonNull(version, "version is null");
    }

    /** As the virtual machine sees its host. */
    public static FactoryFacts ofThisHost(String installation) {
        String version = FactoryFacts.class.getPackage().getImplementationVersion();
        return new FactoryFacts(
                installation,
                System.getProperty("os.arch"),
                manufacturer(Path.of("/sys/class/dmi/id/sys_vendor")),
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                null,
                version == null ? "development" : version);
    }

    /** The same with this directory for scratch directories. */
    public FactoryFacts withScratchBase(@Nullable String directory) {
        return new FactoryFacts(installation, cpuType, manufacturer, osName, osVersion, directory, version);
    }

    /** The manufacturer of the host, as its firmware says; absent where that cannot be read, as on a virtual machine without one. */
    static @Nullable String manufacturer(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
            return text.isEmpty() ? null : text;
        } catch (IOException e) {
            LOG.debug("The host's manufacturer is not known: {}", Reason.of(e));
            return null;
        }
    }
}
