// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two GridFTP servers before the files of this machine, which a file of GRAM4's form names: what goes through each of them is said by its
 * own log. One is killed, and comes back.
 */
class FileServersIT {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int FILES = 8;
    private static final int SIZE = 3_000_001;

    @TempDir
    Path folder;

    private final byte[] content = new byte[SIZE];

    private static String mapping(OwnGridFtpServer server, Path path) {
        return "<map><scheduler>" + Gateway.LRM
                + "</scheduler><ftpServer><protocol>gsiftp</protocol><host>localhost</host><port>"
                + server.port() + "</port></ftpServer><mapping><jobPath>" + path + "</jobPath><ftpPath>" + path
                + "</ftpPath></mapping></map>";
    }

    private Path maps(Path path, OwnGridFtpServer... servers) throws Exception {
        StringBuilder maps =
                new StringBuilder("<fileSystemMaps xmlns=\"http://www.globus.org/namespaces/2004/10/gram/job\">");
        for (OwnGridFtpServer server : servers) {
            maps.append(mapping(server, path));
        }
        return Files.writeString(folder.resolve("maps.xml"), maps.append("</fileSystemMaps>"));
    }

    private static String copy(String from, String to) {
        return "<transfer><sourceUrl>" + from + "</sourceUrl><destinationUrl>" + to + "</destinationUrl></transfer>";
    }

    /** Brings a file of the far server here under several names and sends each back there under another one. */
    private Path job(GridFtpServers lab, String name) throws Exception {
        StringBuilder in = new StringBuilder();
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < FILES; i++) {
            String here = "file://" + lab.directory() + "/" + name + "-in-" + i;
            in.append(copy(lab.second("source"), here));
            out.append(copy(here, lab.second(name + "-out-" + i)));
        }
        return Files.writeString(
                folder.resolve(name + ".xml"),
                "<job><executable>/bin/true</executable><fileStageIn>" + in + "</fileStageIn><fileStageOut>" + out
                        + "</fileStageOut></job>");
    }

    private static List<String> unfinished(GridFtpServers lab) throws Exception {
        try (Stream<Path> files = Files.list(lab.directory())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.contains(".jobgate-"))
                    .toList();
        }
    }

    private void awaitDone(Gateway gateway, GridFtpServers lab, String name, Path epr) throws Exception {
        Programs.Result ended = gateway.globusrun("-monitor", "-j", epr.toString());
        assertThat(ended.output()).contains("Done");
        for (int i = 0; i < FILES; i++) {
            assertThat(lab.get(name + "-in-" + i)).as("%s in %s", name, i).isEqualTo(content);
            assertThat(lab.get(name + "-out-" + i)).as("%s out %s", name, i).isEqualTo(content);
        }
        await("what is unfinished").atMost(PATIENCE).until(() -> unfinished(lab).isEmpty());
    }

    /** A server writes its log a little after it has answered. */
    private static void awaitTransfers(OwnGridFtpServer server, long least) {
        await(server.url()).atMost(PATIENCE).until(server::transfers, transfers -> transfers >= least);
    }

    @Test
    void filesGoThroughBothAndThroughTheOtherWhileOneIsAway() throws Exception {
        new Random(SIZE).nextBytes(content);
        try (GridFtpServers lab = GridFtpServers.need(folder);
                OwnGridFtpServer one = OwnGridFtpServer.start(lab, folder);
                OwnGridFtpServer other = OwnGridFtpServer.start(lab, folder);
                Gateway gateway = Gateway.startBeside(
                        lab,
                        ", fileSystemMaps: " + maps(lab.directory(), one, other)
                                + ", serverSelection: round-robin, serverProbeInterval: 1s")) {
            lab.put("source", content);

            awaitDone(gateway, lab, "both", gateway.submit(job(lab, "both")));
            // in turns: half of what came and half of what went, but for what was tried again
            awaitTransfers(one, FILES / 2);
            awaitTransfers(other, FILES / 2);
            await().atMost(PATIENCE).until(() -> one.transfers() + other.transfers() >= 2 * FILES);

            long begun = one.transfers();
            Path cut = gateway.submit(job(lab, "cut"));
            awaitTransfers(one, begun + 1);
            int untilKill = gateway.log().length();
            one.kill();
            // the first may have been through the server already; this one meets it dead in any case
            Path met = gateway.submit(job(lab, "met"));
            gateway.awaitLog(untilKill, "The file server " + one.url() + " is left out");
            awaitDone(gateway, lab, "cut", cut);
            awaitDone(gateway, lab, "met", met);

            long before = one.transfers();
            long beforeOfOther = other.transfers();
            awaitDone(gateway, lab, "away", gateway.submit(job(lab, "away")));
            awaitTransfers(other, beforeOfOther + 2 * FILES);
            assertThat(one.transfers()).isEqualTo(before);

            int untilStart = gateway.log().length();
            one.startAgain();
            gateway.awaitLog(untilStart, "The file server " + one.url() + " is used again");
            awaitDone(gateway, lab, "back", gateway.submit(job(lab, "back")));
            awaitTransfers(one, before + FILES / 2);
            awaitTransfers(other, beforeOfOther + 2 * FILES + FILES / 2);
        }
    }
}
