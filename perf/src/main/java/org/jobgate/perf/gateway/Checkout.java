// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.gateway;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the programs that are measured lie: a checkout that was built, or an installation. */
public record Checkout(Path directory) {

    public Checkout {
        requireNonNull(directory, "directory is null");
        if (!Files.isExecutable(directory.resolve("bin/jobgate"))) {
            throw new IllegalArgumentException("there is no " + directory.resolve("bin/jobgate")
                    + ": give the checkout or the installation with --root");
        }
    }

    public String jobgate() {
        return directory.resolve("bin/jobgate").toString();
    }

    public String globusrun() {
        return directory.resolve("bin/globusrun-ws").toString();
    }
}
