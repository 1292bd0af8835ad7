// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the caller's own end of a transfer throws comes back to the caller, whatever it is, and nobody waits for the rest. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LocalFailureIT {

    private static final List<TransferOptions> MODES =
            List.of(TransferOptions.STREAM, TransferOptions.EXTENDED, TransferOptions.EXTENDED.withStreams(3));

    private static GsiSecurity user;
    private static Path remote;

    @BeforeAll
    static void prepare() throws Exception {
        GridFtpLab.need();
        user = new GsiSecurity(GridFtpLab.proxy(), GridFtpLab.validator(), Delegation.LIMITED);
        remote = GridFtpLab.directory("gridftp-local-failure");
        Files.write(remote.resolve("file"), new byte[4_000_000]);
        GridFtpLab.giveAway(remote);
    }

    @AfterAll
    static void tidy() throws Exception {
        if (remote != null) {
            GridFtpLab.remove(remote);
        }
    }

    private static Throwable[] kinds() {
        return new Throwable[] {
            new IOException("the disk here is full"),
            new IllegalStateException("the sink is broken"),
            new OutOfMemoryError("no room for another block")
        };
    }

    private static int failing(Throwable with) throws IOException {
        switch (with) {
            case IOException io -> throw io;
            case RuntimeException broken -> throw broken;
            case Error error -> throw error;
            default -> throw new IllegalArgumentException(with);
        }
    }

    @Test
    void ofASink() throws Exception {
        for (TransferOptions mode : MODES) {
            for (Throwable with : kinds()) {
                try (GridFtpSession session = GridFtpLab.open(GridFtpLab.A, user)) {
                    DataSink sink = (position, bytes) -> failing(with);
                    assertThatThrownBy(() ->
                                    session.get(remote.resolve("file").toString(), sink, mode, TransferListener.NONE))
                            .as("%s, %s", mode, with)
                            .isInstanceOf(IOException.class)
                            .hasStackTraceContaining(with.getMessage());
                }
            }
        }
    }

    @Test
    void ofASource() throws Exception {
        for (TransferOptions mode : MODES) {
            for (Throwable with : kinds()) {
                try (GridFtpSession session = GridFtpLab.open(GridFtpLab.A, user)) {
                    DataSource source = (position, buffer) -> failing(with);
                    assertThatThrownBy(() ->
                                    session.put(source, remote.resolve("sent").toString(), mode, TransferListener.NONE))
                            .as("%s, %s", mode, with)
                            .isInstanceOf(IOException.class)
                            .hasStackTraceContaining(with.getMessage());
                }
            }
        }
    }
}
