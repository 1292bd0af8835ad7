// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tree on a FUSE mount (Debian's bindfs): all that is done on a disk works there, and when it hangs, others go on. */
class SrmFuseIT {

    @TempDir
    Path folder;

    private @Nullable Gateway gateway;

    private Gateway gateway() {
        return requireNonNull(gateway);
    }

    private Programs.Result run(String command, String... words) throws Exception {
        return new SrmPrograms(gateway()).run("srm-" + command, words);
    }

    private String good(String command, String... words) throws Exception {
        return new SrmPrograms(gateway()).good("srm-" + command, words);
    }

    private String url(String path) {
        return new SrmPrograms(gateway()).url(path);
    }

    private static Process mount(Path from, Path at) throws Exception {
        Process mounted = new ProcessBuilder("bindfs", "-f", from.toString(), at.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Awaitility.await()
                .atMost(Duration.ofMinutes(3))
                .until(() -> Files.readString(Path.of("/proc/self/mountinfo")).contains(" " + at + " "));
        return mounted;
    }

    private void signal(Process process, String signal) throws Exception {
        gateway().clients().runWell(List.of("kill", "-" + signal, Long.toString(process.pid())));
    }

    @Test
    void aMountThatHangsStopsNobodyElse() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "SKIPPED: mounting by FUSE is for root here");
        // root's run of all tests is a run of this one, too: ./check installs bindfs
        assertThat(Path.of("/dev/fuse"))
                .as("FUSE, which this test needs; in a container: --device /dev/fuse")
                .exists();
        assertThat(Path.of("/usr/bin/bindfs")).as("Debian's package bindfs").isExecutable();
        Path real = Files.createDirectory(folder.resolve("real"));
        Path fuse = Files.createDirectory(folder.resolve("fuse"));
        Path disk = Files.createDirectory(folder.resolve("disk"));
        Process mounted = mount(real, fuse);
        try (Gateway made = Gateway.startWith(
                ("fileTrees: [ { name: fuse, path: \"%s\", writable: true }, { name: disk, path: \"%s\", writable: true } ]%n"
                                + "files: { answerTimeout: 8s }%n")
                        .formatted(fuse, disk))) {
            gateway = made;
            Path file = Files.writeString(folder.resolve("data"), "hello");
            good("mkdir", url("/fuse/d"));
            good("put", file.toString(), url("/fuse/d/"));
            assertThat(real.resolve("d/data")).hasContent("hello");
            assertThat(good("ls", url("/fuse/d")).strip()).isEqualTo("/fuse/d/data");
            good("get", url("/fuse/d/data"), folder.resolve("back").toString());
            assertThat(folder.resolve("back")).hasContent("hello");
            good("put", file.toString(), url("/disk/"));

            signal(mounted, "STOP");
            try {
                Programs.Result hung = run("ls", url("/fuse"));
                assertThat(hung.status()).as(hung.output()).isEqualTo(252);
                assertThat(hung.output()).contains("SRM_INTERNAL_ERROR");
                Awaitility.await()
                        .atMost(Duration.ofMinutes(3))
                        .untilAsserted(() ->
                                assertThat(good("ls", url("/disk")).strip()).isEqualTo("/disk/data"));
                assertThat(good("ping", url("/disk"))).contains("v2.2");
            } finally {
                signal(mounted, "CONT");
            }
            Awaitility.await()
                    .atMost(Duration.ofMinutes(3))
                    .untilAsserted(
                            () -> assertThat(good("ls", url("/fuse")).strip()).isEqualTo("/fuse/d/"));
        } finally {
            new ProcessBuilder("fusermount", "-uz", fuse.toString()).start().waitFor();
            mounted.destroy();
            mounted.waitFor();
        }
    }

    /** Its process has died, so that every call on it fails at once, and somebody mounts it anew. */
    @Test
    void aMountThatIsGoneIsToldAndServedWhenItIsBack() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "SKIPPED: mounting by FUSE is for root here");
        Path real = Files.createDirectory(folder.resolve("real"));
        Path fuse = Files.createDirectory(folder.resolve("fuse"));
        Path disk = Files.createDirectory(folder.resolve("disk"));
        Files.writeString(real.resolve("there"), "hello");
        Process mounted = mount(real, fuse);
        try (Gateway made = Gateway.startWith(
                "fileTrees: [ { name: fuse, path: \"%s\", writable: true }, { name: disk, path: \"%s\", writable: true } ]%n"
                        .formatted(fuse, disk))) {
            gateway = made;
            Path file = Files.writeString(folder.resolve("data"), "hello");
            assertThat(good("ls", url("/fuse")).strip()).isEqualTo("/fuse/there");

            mounted.destroyForcibly().waitFor();
            for (List<String> command : List.of(
                    List.of("ls", url("/fuse")),
                    List.of("mkdir", url("/fuse/d")),
                    List.of("put", file.toString(), url("/fuse/f")),
                    List.of("get", url("/fuse/there"), folder.resolve("back").toString()))) {
                Programs.Result refused = run(
                        command.getFirst(), command.subList(1, command.size()).toArray(String[]::new));
                assertThat(refused.status()).as(refused.output()).isEqualTo(252);
                assertThat(refused.output()).contains("Transport endpoint is not connected");
            }
            good("put", file.toString(), url("/disk/"));

            new ProcessBuilder("fusermount", "-uz", fuse.toString()).start().waitFor();
            mounted = mount(real, fuse);
            good("put", file.toString(), url("/fuse/f"));
            assertThat(real.resolve("f")).hasContent("hello");
        } finally {
            new ProcessBuilder("fusermount", "-uz", fuse.toString()).start().waitFor();
            mounted.destroy();
            mounted.waitFor();
        }
    }
}
