// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A job of CREAM whose output is sent in slices while it runs, to a directory of a real GridFTP server, and is too large to be sent as a whole at its
 * end.
 */
final class CreamPerusal {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int TAIL = 1_000;

    private final Gateway gateway;
    private final GridFtpServers lab;
    private final Path folder;
    private final String job;

    private CreamPerusal(Gateway gateway, GridFtpServers lab, Path folder, String job) {
        this.gateway = gateway;
        this.lab = lab;
        this.folder = folder;
        this.job = job;
    }

    /**
     * Submits it.
     *
     * @param script as that of {@link StreamingIT#WRITER}
     * @param end the file that ends the job
     */
    static CreamPerusal submit(
            Gateway gateway, GridFtpServers lab, OwnGridFtpServer server, Path folder, Path script, Path end)
            throws Exception {
        Files.createDirectory(lab.directory().resolve("perusal"));
        lab.put("perusal/list", "out\nnever\n".getBytes(StandardCharsets.UTF_8));
        Path jdl = Files.writeString(
                folder.resolve("job.jdl"),
                "Executable = \"/usr/bin/perl\"; Arguments = \"" + script + " 1800 " + folder.resolve("cream.out") + " "
                        + folder.resolve("cream.err") + " " + end + "\"; StdOutput = \"out\"; StdError = \"err\";\n"
                        + "PerusalFileEnable = true; PerusalTimeInterval = 1; PerusalFilesDestURI = \""
                        + server.url("perusal/slices") + "\"; PerusalListFileURI = \"" + server.url("perusal/list")
                        + "\";\nOutputSandbox = { \"out\" }; OutputSandboxBaseDestURI = \""
                        + server.url("perusal/osb") + "\"; MaxOutputSandboxSize = " + TAIL + ";\n");
        String contact = gateway.services().replaceAll("^https://([^/]*)/.*$", "$1");
        String job = run(gateway, "job-submit", "-a", "-r", contact + "/cream-fork-default", jdl.toString());
        return new CreamPerusal(gateway, lab, folder, job.strip());
    }

    private static String run(Gateway gateway, String command, String... words) throws Exception {
        List<String> all = new ArrayList<>(
                List.of(Checkout.directory().resolve("bin/glite-ce-" + command).toString()));
        all.addAll(List.of(words));
        Programs.Result result = gateway.clients().run(all);
        assertThat(result.status()).as(command + ": " + result.output()).isZero();
        return result.output();
    }

    private List<Path> slices() throws IOException {
        Path directory = lab.directory().resolve("perusal/slices");
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().matches("out\\.[0-9]{14}_[0-9]+"))
                    .sorted(Comparator.comparingInt(
                            file -> Integer.parseInt(file.toString().replaceFirst(".*_", ""))))
                    .toList();
        }
    }

    /** More have come than there are now. */
    void awaitMore() throws IOException {
        int now = slices().size();
        await("slices").atMost(PATIENCE).until(() -> slices().size() > now);
    }

    /** The job is over: the slices are what it wrote, nothing is missing and nothing twice; of its output file the end was sent. */
    void check() throws Exception {
        await().atMost(PATIENCE).until(() -> run(gateway, "job-status", job).contains("[DONE-OK]"));
        byte[] written = Files.readAllBytes(folder.resolve("cream.out"));
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (Path slice : slices()) {
            joined.writeBytes(Files.readAllBytes(slice));
        }
        assertThat(Arrays.mismatch(written, joined.toByteArray())).isEqualTo(-1);
        try (Stream<Path> files = Files.list(lab.directory().resolve("perusal/slices"))) {
            assertThat(files.count()).isEqualTo(slices().size());
        }
        assertThat(lab.directory().resolve("perusal/osb/out.tail"))
                .hasBinaryContent(Arrays.copyOfRange(written, written.length - TAIL, written.length));
    }
}
