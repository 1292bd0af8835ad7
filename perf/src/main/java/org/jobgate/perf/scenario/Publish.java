// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jobgate.perf.report.Results;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes the page of figures anew from the runs that were kept; measures nothing. */
@Command(name = "publish", description = "write RESULTS.md anew from the JSON files of runs; measures nothing")
public final class Publish implements Callable<Integer> {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this")
    boolean help;

    @Option(
            names = "--results",
            paramLabel = "DIR",
            defaultValue = "${sys:jobgate.root}/perf/results",
            description = "the JSON files (default: ${DEFAULT-VALUE})")
    Path results = Path.of("");

    @Option(
            names = "--page",
            paramLabel = "FILE",
            defaultValue = "${sys:jobgate.root}/perf/RESULTS.md",
            description = "what is written (default: ${DEFAULT-VALUE})")
    Path page = Path.of("");

    @Override
    public Integer call() throws IOException {
        write(results, page);
        return 0;
    }

    static void write(Path results, Path page) throws IOException {
        Files.writeString(page, Results.of(results), StandardCharsets.UTF_8);
        Scenario.progress("wrote " + page);
    }
}
