// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

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
                null,
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                null,
                version == null ? "development" : version);
    }
}
