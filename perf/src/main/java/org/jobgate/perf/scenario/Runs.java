// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import picocli.CommandLine.Option;

/** How often a figure is taken, and how often before that without being counted. */
final class Runs {

    @Option(names = "--repeat", defaultValue = "5", description = "runs that count (default: ${DEFAULT-VALUE})")
    int repeat;

    @Option(
            names = "--warmup",
            defaultValue = "2",
            description = "runs before, not counted (default: ${DEFAULT-VALUE})")
    int warmup;
}
