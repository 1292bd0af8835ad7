// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import static org.assertj.core.api.Assertions.assertThat;

import eu.emi.security.authn.x509.X509Credential;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jobgate.gridftp.GridFtpLab;
import org.jobgate.gridftp.GridFtpPool;
import org.jobgate.job.JobId;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.TransferCredentials;
import org.jobgate.transfer.TransferEngine;
import org.jobgate.transfer.TransferRecord;
import org.jobgate.transfer.TransferRequest;
import org.jobgate.transfer.TransferResult;
import org.jobgate.transfer.TransferSettings;
import org.jobgate.transfer.TransferState;
import org.jobgate.transfer.TransferTask;
import org.jobgate.transfer.protocol.TransferCredential;
import org.jobgate.transfer.protocol.TransferProxy;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine between two real GridFTP servers over lines that are cut: one transfer in a hundred loses a connection. */
class TransferFaultsIT {

    private static final int FILES = 1000;
    private static final int SIZE = 10 * 1024;
    /** A third-party transfer is three messages to the source and four to the destination. */
    private static final int EVERY = 350;

    private static Path remote;
    private static TransferCredential credential;

    @TempDir
    Path folder;

    @BeforeAll
    static void prepare() throws Exception {
        GridFtpLab.need();
        X509Credential proxy = GridFtpLab.proxy();
        credential = new TransferProxy(
                "1",
                List.of(proxy.getCertificateChain()),
                proxy.getKey(),
                proxy.getCertificate().getNotAfter().toInstant());
        remote = GridFtpLab.directory("faults-it");
        for (int i = 0; i < FILES; i++) {
            Files.write(remote.resolve("in" + i), content(i));
        }
        GridFtpLab.giveAway(remote);
    }

    @AfterAll
    static void tidy() throws Exception {
        if (remote != null) {
            GridFtpLab.remove(remote);
        }
    }

    private static byte[] content(int number) {
        byte[] bytes = new byte[SIZE];
        new Random(number).nextBytes(bytes);
        return bytes;
    }

    private static TransferSettings settings() {
        TransferSettings usual = TransferSettings.defaults();
        return new TransferSettings(
                usual.atOnce(),
                usual.tries().withPauses(Duration.ofMillis(50), Duration.ofMillis(500)),
                usual.markInterval(),
                usual.entries(),
                usual.following());
    }

    private static URI url(String host, ResettingProxy line, String name) {
        return URI.create("gsiftp://" + host + ":" + line.port() + remote.resolve(name));
    }

    @Test
    void noneOfAThousandIsLostOrCorruptAndAttemptsAreCountedRight() throws Exception {
        TransferCredentials credentials = (owner, reference) -> credential;
        GridFtpPool.Limits limits = GridFtpPool.Limits.DEFAULTS;
        JobId job = new JobId(UUID.randomUUID());
        try (ResettingProxy first = new ResettingProxy(GridFtpLab.A.host(), GridFtpLab.A.port(), EVERY);
                ResettingProxy second = new ResettingProxy(GridFtpLab.B.host(), GridFtpLab.B.port(), EVERY);
                JobStore store = TestStores.sqlite(folder);
                TransferEngine engine = new TransferEngine(
                        settings(),
                        new Protocols(List.of(new GsiftpProtocol(
                                new GridFtpPool(GridFtpLab.SETTINGS, limits, Clock.systemUTC()),
                                GridFtpLab.validator()))),
                        new UrlPolicy(true),
                        credentials,
                        store,
                        Clock.systemUTC(),
                        new Random(1))) {
            List<TransferTask> tasks = new ArrayList<>();
            for (int i = 0; i < FILES; i++) {
                tasks.add(new TransferTask(
                        url(GridFtpLab.A.host(), first, "in" + i),
                        url(GridFtpLab.B.host(), second, "out/" + i),
                        Map.of(),
                        false));
            }
            TransferRequest request = new TransferRequest(
                    "faults", job, "/CN=alice", GridFtpLab.ACCOUNT, "key-1", tasks, 8, 5, false, null, true);

            TransferResult result = engine.submit(request).get(15, TimeUnit.MINUTES);

            assertThat(result.record()).as("of what failed").isNull();
            assertThat(result.tally().finished()).isEqualTo(FILES);
            assertThat(result.tally().bytes()).isGreaterThanOrEqualTo((long) FILES * SIZE);
            for (int i = 0; i < FILES; i++) {
                assertThat(Files.readAllBytes(remote.resolve("out/" + i)))
                        .as("file %d", i)
                        .isEqualTo(content(i));
            }
            try (var left = Files.list(remote.resolve("out"))) {
                assertThat(left).hasSize(FILES); // nothing unfinished lies about
            }
            List<TransferRecord> records = engine.standing(request);
            assertThat(records).allMatch(record -> record.state() == TransferState.FINISHED);
            int attempts = records.stream().mapToInt(TransferRecord::attempts).sum();
            int resets = first.resets.get() + second.resets.get();
            assertThat(resets).isBetween(10, 60);
            // a session that was cut while it lay idle costs no attempt: the pool notices
            assertThat(attempts - FILES).isBetween(1, resets).isEqualTo((int)
                    engine.figures().retried());
        }
    }
}
