// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed in the middle of a transfer, and what goes on when it is there again. */
class GridFtpKillIT {

    private static final int SIZE = 20_000_003;

    @TempDir
    private static Path local;

    private static OpensslCertChainValidator validator;
    private static GsiSecurity user;
    private static Path remote;
    private static Path original;

    @BeforeAll
    static void prepare() throws Exception {
        GridFtpLab.need();
        validator = GridFtpLab.validator();
        user = new GsiSecurity(GridFtpLab.proxy(), validator, Delegation.LIMITED);
        remote = GridFtpLab.directory("gridftp-kill");
        byte[] content = new byte[SIZE];
        new Random(7).nextBytes(content);
        original = Files.write(local.resolve("original"), content);
        Files.write(remote.resolve("file"), content);
        GridFtpLab.giveAway(remote);
    }

    @AfterAll
    static void tidy() throws Exception {
        if (remote != null) {
            GridFtpLab.remove(remote);
        }
    }

    private static String at(String name) {
        return remote.resolve(name).toString();
    }

    private static GridFtpSession open(ServerAddress server) throws GridFtpException {
        return GridFtpLab.open(server, user);
    }

    private static void assertSame(Path file) throws IOException {
        assertThat(Files.mismatch(original, file))
                .as("the first byte that differs in %s", file)
                .isEqualTo(-1);
    }

    @Test
    void aGetGoesOnAfterTheServerWasKilled() throws Exception {
        // with small buffers most of it is still at the server when that is killed, and not on the way
        for (TransferOptions whole : List.of(TransferOptions.STREAM, TransferOptions.EXTENDED.withStreams(3))) {
            TransferOptions mode = whole.withBuffers(256 * 1024, 256 * 1024);
            Path to = Files.createTempFile(local, "resumed", "");
            AtomicReference<ByteRanges> arrived = new AtomicReference<>(ByteRanges.NONE);
            AtomicBoolean killed = new AtomicBoolean();
            try (FileChannel file = FileChannel.open(to, StandardOpenOption.WRITE)) {
                DataSink sink = (position, bytes) -> {
                    synchronized (killed) { // no stream goes on while the server is being killed
                        DataSink.of(file).write(position, bytes);
                        if (position > SIZE / 10 && killed.compareAndSet(false, true)) {
                            kill();
                        }
                    }
                };
                try (GridFtpSession session = open(GridFtpLab.C)) {
                    assertThatThrownBy(() -> session.get(at("file"), sink, mode, keeping(arrived)))
                            .isInstanceOf(TransientGridFtpException.class);
                    assertThat(session.isUsable()).isFalse();
                } finally {
                    assertThat(GridFtpLab.run("up")).isZero();
                }
                assertThat(requireNonNull(arrived.get()).total()).isBetween(1L, SIZE - 1L);
                try (GridFtpSession session = open(GridFtpLab.C)) {
                    TransferResult rest = session.get(
                            at("file"), sink, mode.withRestart(requireNonNull(arrived.get())), TransferListener.NONE);
                    assertThat(rest.bytes()).isLessThan(SIZE);
                }
            }
            assertSame(to);
        }
    }

    @Test
    void aPutAndAThirdPartyTransferGoOnAfterTheServerWasKilled() throws Exception {
        AtomicBoolean killed = new AtomicBoolean();
        try (FileChannel file = FileChannel.open(original)) {
            DataSource source = (position, buffer) -> {
                if (position > SIZE / 2 && killed.compareAndSet(false, true)) {
                    kill();
                }
                return file.read(buffer, position);
            };
            try (GridFtpSession session = open(GridFtpLab.C)) {
                assertThatThrownBy(
                                () -> session.put(source, at("killed"), TransferOptions.STREAM, TransferListener.NONE))
                        .isInstanceOf(TransientGridFtpException.class);
            } finally {
                assertThat(GridFtpLab.run("up")).isZero();
            }
        }
        long there = Files.size(remote.resolve("killed"));
        assertThat(there).isBetween(1L, SIZE - 1L);
        try (GridFtpSession from = open(GridFtpLab.A);
                GridFtpSession to = open(GridFtpLab.C)) {
            for (TransferOptions mode : List.of(TransferOptions.STREAM, TransferOptions.EXTENDED.withStreams(2))) {
                try (FileChannel file = FileChannel.open(remote.resolve("killed"), StandardOpenOption.WRITE)) {
                    file.truncate(there);
                }
                TransferResult rest = new ThirdParty(from, to, mode.withRestart(ByteRanges.upTo(there)))
                        .copy(at("file"), at("killed"), TransferListener.NONE);
                assertThat(rest.bytes()).isEqualTo(SIZE - there);
                assertSame(remote.resolve("killed"));
            }
        }
    }

    private static void kill() throws IOException {
        try {
            assertThat(GridFtpLab.run("kill")).isZero();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static TransferListener keeping(AtomicReference<ByteRanges> arrived) {
        return new TransferListener() {
            @Override
            public void arrived(ByteRanges ranges) {
                arrived.set(ranges);
            }
        };
    }
}
