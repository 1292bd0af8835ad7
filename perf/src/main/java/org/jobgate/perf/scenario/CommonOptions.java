// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    @Option(names = "--html", paramLabel = "FILE", description = "write a page with plots to this file")
    @Nullable
    Path html;

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

    @Option(
            names = "--jfr",
            paramLabel = "DIR",
            description =
                    "record the service with the JDK's flight recorder; the recording of its last life goes there")
    @Nullable
    Path recordings;

    @Option(
            names = "--configure",
            paramLabel = "LINE",
            description =
                    "a further line of the gateway's configuration, as \"staging: { dataPorts: any }\"; repeatable. It stands in the"
                            + " command that the figures name")
    List<String> lines = new ArrayList<>();

    /** What the environment of the service must say. */
    Map<String, String> environment() {
        return recordings == null ? Map.of() : Map.of("JDK_JAVA_OPTIONS", "-XX:StartFlightRecording:settings=profile");
    }

    Checkout checkout() {
        return new Checkout(root.toAbsolutePath().normalize());
    }

    Path directory() {
        return directory.toAbsolutePath().normalize();
    }
}
