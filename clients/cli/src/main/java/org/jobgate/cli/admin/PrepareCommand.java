// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jobgate.cli.training.Preparation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code jobgate prepare}: an installation runs it once; launchers run it in the background where it was not. */
@Command(
        name = "prepare",
        mixinStandardHelpOptions = true,
        description = "Build the start-up caches that make globusrun-ws and the start of the server quick.")
final class PrepareCommand implements Callable<Integer> {
    @Spec
    @Nullable
    CommandSpec spec;

    @Option(names = "--client", description = "Only that of globusrun-ws: starts no server.")
    boolean isForClientOnly;

    @Override
    public Integer call() throws AdminException, InterruptedException {
        Path cache = Path.of(property("jobgate.fast.cache"));
        Preparation preparation = new Preparation(new Preparation.Settings(
                Path.of(property("jobgate.fast.jar")),
                cache,
                List.of(property("jobgate.fast.flags").split(" "))));
        try {
            String result = switch (preparation.run()) {
                case BUILT -> "Built " + cache;
                case ALREADY_THERE -> "Up to date: " + cache;
                case ANOTHER_BUILDS -> "Another process builds it just now: " + cache;
            };
            PrintWriter out = requireNonNull(spec, "spec is null").commandLine().getOut();
            out.println(result);
            if (!isForClientOnly) {
                prepareServer(out);
            }
            return 0;
        } catch (IOException e) {
            throw new AdminException(
                    "The start-up cache cannot be built (globusrun-ws works without it, slower): " + e.getMessage(), e);
        }
    }

    private static void prepareServer(PrintWriter out) throws AdminException, InterruptedException {
        Installation installation = Installation.fromLauncher();
        if (!ServerCache.isPossible() || !Files.isDirectory(installation.serverLibrary())) {
            return;
        }
        ServerCache cache = installation.serverCache();
        out.println((cache.prepare() ? "Built " : "Up to date: ") + cache.file());
    }

    private static String property(String name) throws AdminException {
        String value = System.getProperty(name);
        if (value == null) {
            throw new AdminException("System property " + name + " is not set. Start this command as bin/jobgate.");
        }
        return value;
    }
}
