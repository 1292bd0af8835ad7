// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Output files that are sent to a real GridFTP server while the job writes them, and the server and the gateway are killed meanwhile: at
 * the end they are compared byte by byte with what the job wrote.
 */
class IncrementalOutputIT {

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    /** More than the test takes on a slow machine; the job ends before, when it is told to. */
    private static final int MOST_SECONDS = 1_800;

    /** Bytes that the job writes while nobody can send them. */
    private static final int MISSED = 100_000;

    @TempDir
    Path folder;

    private static String argument(Object text) {
        return "<argument>" + text + "</argument>";
    }

    /**
     * Random bytes to both streams and a file, as in {@link StreamingIT}, until there is the file "end"; the file is another output of the
     * job.
     */
    private Path job(OwnGridFtpServer server) throws Exception {
        Path script = Files.writeString(folder.resolve("writer.pl"), StreamingIT.WRITER);
        return Files.writeString(
                folder.resolve("job.xml"),
                "<job><executable>/usr/bin/perl</executable>" + argument(script)
                        + argument(MOST_SECONDS) + argument(folder.resolve("copy.out"))
                        + argument(folder.resolve("copy.err")) + argument(folder.resolve("end"))
                        + "<stdout>" + server.url("new/stdout") + "</stdout><stderr>" + server.url("new/stderr")
                        + "</stderr><fileStageOut><transfer><sourceUrl>file://" + folder.resolve("copy.out")
                        + "</sourceUrl><destinationUrl>" + server.url("file")
                        + "</destinationUrl><rftOptions><incremental>true</incremental></rftOptions></transfer>"
                        + "<transfer><sourceUrl>file://" + folder.resolve("copy.err")
                        + "</sourceUrl><destinationUrl>" + server.url("atTheEnd")
                        + "</destinationUrl></transfer></fileStageOut>"
                        + "<extensions><incrementalOutput>true</incrementalOutput></extensions></job>");
    }

    private static long size(GridFtpServers lab, String name) {
        Path file = lab.directory().resolve(name);
        return file.toFile().length();
    }

    /** All three are longer than now. */
    private static void awaitGrowth(GridFtpServers lab) {
        for (String name : List.of("new/stdout", "new/stderr", "file")) {
            long now = size(lab, name);
            await(name).atMost(PATIENCE).until(() -> size(lab, name) > now);
        }
    }

    /** The job has written so much. */
    private void awaitWritten(long bytes) {
        await().atMost(PATIENCE).until(() -> Files.size(folder.resolve("copy.out")) > bytes);
    }

    /** What is to be appended fails at least once. */
    private static void killAndMiss(OwnGridFtpServer server, Gateway gateway) throws Exception {
        int before = gateway.log().length();
        server.kill();
        gateway.awaitLog(before, "failed, the next one is in");
    }

    private static String status(Gateway gateway, Path epr) throws Exception {
        return gateway.globusrun("-status", "-j", epr.toString()).output();
    }

    @Test
    void nothingIsMissingOrTwiceAlthoughTheServerAndTheGatewayAreKilled() throws Exception {
        try (GridFtpServers lab = GridFtpServers.need(folder);
                OwnGridFtpServer server = OwnGridFtpServer.start(lab, folder);
                Gateway gateway = Gateway.startBeside(lab)) {
            Path epr = gateway.submit(job(server));
            CreamPerusal perusal = CreamPerusal.submit(
                    gateway, lab, server, folder, folder.resolve("writer.pl"), folder.resolve("end"));
            awaitGrowth(lab);
            awaitGrowth(lab);
            perusal.awaitMore();
            Object output = identity(lab, "new/stdout");
            Object file = identity(lab, "file");

            killAndMiss(server, gateway);
            assertThat(status(gateway, epr)).contains("Active");
            server.startAgain();
            awaitGrowth(lab);

            gateway.kill();
            awaitWritten(Files.size(folder.resolve("copy.out")) + MISSED);
            gateway.startAgain();
            awaitGrowth(lab);
            perusal.awaitMore();
            assertThat(status(gateway, epr)).contains("Active");
            assertThat(lab.has("atTheEnd")).isFalse();

            killAndMiss(server, gateway);
            server.startAgain();
            awaitWritten(1_000_000);
            Files.createFile(folder.resolve("end"));

            Programs.Result ended = gateway.globusrun("-monitor", "-j", epr.toString());
            assertThat(ended.output()).contains("Done");
            assertThat(Files.mismatch(
                            folder.resolve("copy.out"), lab.directory().resolve("new/stdout")))
                    .isEqualTo(-1);
            assertThat(Files.mismatch(
                            folder.resolve("copy.out"), lab.directory().resolve("file")))
                    .isEqualTo(-1);
            assertThat(Files.mismatch(
                            folder.resolve("copy.err"), lab.directory().resolve("new/stderr")))
                    .isEqualTo(-1);
            assertThat(Files.mismatch(
                            folder.resolve("copy.err"), lab.directory().resolve("atTheEnd")))
                    .isEqualTo(-1);
            perusal.check();
            assertThat(lab.directory().toFile().list()).hasSize(4);
            assertThat(lab.directory().resolve("new").toFile().list()).hasSize(2);
            // nothing was sent again as a whole, at the end neither
            assertThat(identity(lab, "new/stdout")).isEqualTo(output);
            assertThat(identity(lab, "file")).isEqualTo(file);
        }
    }

    /** The file itself: one that is sent as a whole takes the place of what was there. */
    private static Object identity(GridFtpServers lab, String name) throws Exception {
        return Files.getAttribute(lab.directory().resolve(name), "unix:ino");
    }

    @Test
    void whatCannotBeAppendedToIsRefused() throws Exception {
        try (Gateway gateway = Gateway.start()) {
            Path job = Files.writeString(
                    folder.resolve("job.xml"),
                    "<job><executable>/bin/true</executable><stdout>https://localhost:1/out</stdout>"
                            + "<extensions><incrementalOutput>true</incrementalOutput></extensions></job>");
            Programs.Result refused =
                    gateway.globusrun("-submit", "-F", "localhost:" + gateway.port(), "-f", job.toString());
            assertThat(refused.status()).isNotZero();
            assertThat(refused.output())
                    .contains("cannot be sent while the job runs", "with https: nothing can be appended", "gsiftp");
        }
    }
}
