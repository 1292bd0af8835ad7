// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The GridFTP servers of the lab, and files on both sides. */
abstract class GridFtpServers {

    static final int SIZE = 20_000_003;

    @TempDir
    static Path local;

    static OpensslCertChainValidator validator;
    static GsiSecurity user;
    static Path remote;
    static Path original;
    static byte[] content;

    @BeforeAll
    static void prepare() throws Exception {
        GridFtpLab.need();
        validator = GridFtpLab.validator();
        user = new GsiSecurity(GridFtpLab.proxy(), validator, Delegation.LIMITED);
        remote = GridFtpLab.directory("gridftp-it");
        content = new byte[SIZE];
        new Random(7).nextBytes(content);
        original = Files.write(local.resolve("original"), content);
        Files.write(remote.resolve("file"), content);
        Files.writeString(remote.resolve("small"), "ten bytes\n");
        GridFtpLab.giveAway(remote);
    }

    @AfterAll
    static void tidy() throws Exception {
        if (remote != null) {
            GridFtpLab.remove(remote);
        }
    }

    static String at(String name) {
        return remote.resolve(name).toString();
    }

    static GridFtpSession open(ServerAddress server) throws GridFtpException {
        return GridFtpLab.open(server, user);
    }

    static TransferResult get(GridFtpSession session, String name, Path to, TransferOptions options)
            throws IOException {
        try (FileChannel file = FileChannel.open(to, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            return session.get(at(name), DataSink.of(file), options, TransferListener.NONE);
        }
    }

    static TransferResult put(GridFtpSession session, String name, TransferOptions options) throws IOException {
        try (FileChannel file = FileChannel.open(original)) {
            return session.put(DataSource.of(file), at(name), options, TransferListener.NONE);
        }
    }

    static void assertSame(Path file) throws IOException {
        assertThat(Files.mismatch(original, file))
                .as("the first byte that differs in %s", file)
                .isEqualTo(-1);
    }

    static final List<TransferOptions> KEEPING = List.of(
            TransferOptions.EXTENDED,
            TransferOptions.EXTENDED.withSecurity(DataAuthentication.SELF, Protection.PRIVATE),
            TransferOptions.EXTENDED.withSecurity(DataAuthentication.NONE, Protection.CLEAR));

    /** Tries until somebody listens there. */
    static Socket stranger(int port) throws InterruptedException {
        while (true) {
            try {
                return new Socket(InetAddress.getLoopbackAddress(), port);
            } catch (IOException nobodyYet) {
                Thread.sleep(0, 100_000);
            }
        }
    }

    static void assertFault(Fault fault, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        PermanentGridFtpException e = catchThrowableOfType(PermanentGridFtpException.class, call);
        assertThat(e).isNotNull();
        assertThat(e.fault()).as(e.getMessage()).isEqualTo(fault);
        assertThat(e.reply()).isNotNull();
    }
}
