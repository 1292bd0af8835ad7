// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.jobgate.container.Main;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the real {@code bin/jobgate} from an installed layout whose server is a stand-in (org.jobgate.container.Main here). */
class JobgateLauncherIT {
    @TempDir
    Path folder;

    private Path prefix = Path.of("/");
    private Path config = Path.of("/");

    @BeforeEach
    void install() throws IOException {
        Path root = Path.of(System.getProperty("jobgate.root"));
        prefix = Files.createDirectories(folder.resolve("a prefix"));
        copy(root.resolve("bin"), prefix.resolve("bin"));
        copy(root.resolve("clients/cli/target/jobgate-cli/lib"), prefix.resolve("lib/cli"));
        Files.createDirectories(prefix.resolve("lib/server"));
        try (OutputStream out = Files.newOutputStream(prefix.resolve("lib/server/stand-in.jar"));
                JarOutputStream jar = new JarOutputStream(out)) {
            add(jar, Main.class);
        }
        config = Files.createDirectories(prefix.resolve("etc")).resolve("jobgate.yaml");
        Files.writeString(config, "state: { directory: " + folder.resolve("state") + " }\n");
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (var files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()), java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static void add(JarOutputStream jar, Class<?> type) throws IOException {
        String name = type.getName().replace('.', '/') + ".class";
        jar.putNextEntry(new JarEntry(name));
        try (var in = type.getClassLoader().getResourceAsStream(name)) {
            java.util.Objects.requireNonNull(in).transferTo(jar);
        }
        jar.closeEntry();
    }

    @AfterEach
    void stop() throws Exception {
        ServerProcess.running(new StateDirectory(folder.resolve("state"))).ifPresent(ProcessHandle::destroy);
    }

    private record Result(int status, String output) {}

    private Result run(String... words) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(prefix.resolve("bin/jobgate").toString()));
        command.addAll(List.of(words));
        Path out = folder.resolve("out");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().put("JOBGATE_CONFIG", config.toString());
        Process process = builder.start();
        assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
        return new Result(process.exitValue(), Files.readString(out));
    }

    @Test
    void startsOnceAndStops() throws Exception {
        assertThat(run("status")).isEqualTo(new Result(3, "Jobgate is not running (configuration " + config + ").\n"));
        Result started = run("start");
        assertThat(started.output()).matches("Jobgate is running \\(process \\d+, https://localhost:8443/\\)\\.\n");
        assertThat(started.status()).isZero();
        assertThat(run("start").output()).startsWith("Jobgate is already running (process ");
        assertThat(run("status").output()).contains("state  running");
        assertThat(run("status", "--json").output()).contains("\"state\" : \"running\"");
        assertThat(run("job", "list").output().lines().toList())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("JOB ");
        assertThat(run("job", "cancel", "nope").output().toLowerCase(Locale.ROOT))
                .contains("there is no job nope. look at the list.");
        long process = Long.parseLong(started.output().replaceAll("\\D*(\\d+).*\n", "$1"));
        assertThat(run("stop")).isEqualTo(new Result(0, "Jobgate has stopped.\n"));
        org.awaitility.Awaitility.await()
                .atMost(2, TimeUnit.MINUTES)
                .until(() -> ProcessHandle.of(process).isEmpty());
        assertThat(run("stop").output()).isEqualTo("Jobgate is not running.\n");
    }

    @Test
    void saysWhyAServerDidNotStart() throws Exception {
        Files.writeString(config, "# refuse\nstate: { directory: " + folder.resolve("state") + " }\n");
        Result result = run("start");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.output()).contains("ended at once with status 7", "the stand-in refuses this configuration");
    }

    @Test
    void theForegroundServerIsTheLauncherItself() throws Exception {
        Process process = new ProcessBuilder(
                        prefix.resolve("bin/jobgate").toString(),
                        "start",
                        "--foreground",
                        "--config",
                        config.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();
        try {
            org.awaitility.Awaitility.await()
                    .atMost(4, TimeUnit.MINUTES)
                    .untilAsserted(() -> assertThat(run("status").status()).isZero());
            assertThat(Files.readString(folder.resolve("state/jobgate.pid")).strip())
                    .isEqualTo(Long.toString(process.pid()));
        } finally {
            process.destroy();
        }
        assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void checksTheConfigurationWithTheServersOwnEyes() throws Exception {
        assertThat(run("config", "check").status()).isZero();
        Files.writeString(config, "# refuse\n");
        Result refused = run("config", "check");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.output()).contains("the stand-in refuses");
    }
}
