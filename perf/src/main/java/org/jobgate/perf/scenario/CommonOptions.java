// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.nio.file.Path;
import org.jobgate.perf.gateway.Checkout;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What every scenario can be told. */
final class CommonOptions {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this")
    boolean help;

    @Option(names = "--out", paramLabel = "FILE", description = "write the figures as JSON to this file")
    @Nullable
    Path out;

    @Option(
            names = "--root",
            paramLabel = "DIR",
            defaultValue = "${sys:jobgate.root}",
            description = "the checkout or installation that is measured (default: the one this script lies in)")
    Path root = Path.of("");

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            defaultValue = "${sys:java.io.tmpdir}",
            description =
                    "where the gateway's files go for the time of the run: a disk, not a RAM disk (default: ${DEFAULT-VALUE})")
    Path directory = Path.of("");

    @Option(names = "--keep", description = "leave the gateway's files (logs, store, certificates) there")
    boolean keep;

    Checkout checkout() {
        return new Checkout(root.toAbsolutePath().normalize());
    }

    Path directory() {
        return directory.toAbsolutePath().normalize();
    }
}
