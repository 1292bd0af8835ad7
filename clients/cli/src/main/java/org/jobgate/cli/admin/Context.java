// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static java.util.Objects.requireNonNull;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What every command that talks to the server needs: which configuration, and how to show the answer. */
final class Context {
    private static final Duration EXCHANGE_MAX = Duration.ofSeconds(30);

    @Option(names = "--config", paramLabel = "FILE", description = "The server's configuration.")
    @Nullable
    Path config;

    @Option(names = "--json", description = "Show the server's answer as JSON.")
    boolean isJson;

    @Spec(Spec.Target.MIXEE)
    @Nullable
    CommandSpec spec;

    Path configuration() throws AdminException {
        return Installation.fromLauncher().configuration(config, System.getenv());
    }

    StateDirectory state() throws AdminException {
        return StateDirectory.of(configuration(), Map.copyOf(System.getenv()));
    }

    AdminClient client() throws AdminException {
        return new AdminClient(state().socket(), EXCHANGE_MAX);
    }

    PrintWriter out() {
        return requireNonNull(spec, "spec is null").commandLine().getOut();
    }

    void showJson(JsonNode tree) {
        out().println(JsonMapper.builder()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build()
                .writeValueAsString(tree));
    }
}
