// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.stub.TrialCertificates;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that go on after a break, with a server that does what real ones do seldom. Real ones: SrmGridFtpCommandsIT. */
@Timeout(300)
class GridFtpFileTest {
    private static final int LARGE = 40 << 20;

    @TempDir
    private static Path shared;

    private static TrialCertificates certificates;

    @TempDir
    private Path folder;

    @BeforeAll
    static void certificates() {
        certificates = TrialCertificates.make(shared, "rsa");
    }

    private static GridFtpFile file(GridFtpStub server) throws Exception {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        return new GridFtpFile(
                server.url(),
                server.user(),
                server.trusted(),
                Duration.ofSeconds(20),
                new Console("test", nowhere, nowhere, true, () -> false),
                bytes -> {});
    }

    private Path large() throws IOException {
        Path local = folder.resolve("large");
        try (RandomAccessFile made = new RandomAccessFile(local.toFile(), "rw")) {
            made.setLength(LARGE);
        }
        return local;
    }

    private static List<String> restarts(GridFtpStub server) {
        return server.commands.stream().filter(one -> one.startsWith("REST")).toList();
    }

    /** A server that has a file of this size at the path, whatever is brought, and dies in the first attempt when it has read so much. */
    private static GridFtpStub.Script full(int dies, AtomicLong read) {
        AtomicLong attempts = new AtomicLong();
        return (command, talk) -> {
            if (command.startsWith("SIZE")) {
                talk.say("213 " + LARGE);
            } else if (command.startsWith("REST")) {
                talk.say("350 good");
            } else if (attempts.incrementAndGet() == 1) {
                if (dies > 0) {
                    read.addAndGet(talk.data().getInputStream().readNBytes(dies).length);
                } else {
                    talk.dropData();
                }
                talk.die();
            } else {
                talk.say("150 now");
                try (Socket data = talk.data()) {
                    read.set(data.getInputStream().transferTo(OutputStream.nullOutputStream()));
                }
                talk.say("226 done");
            }
        };
    }

    @Test
    void nothingOfAFileThatWasThereIsTakenForWhatIsBrought() throws Exception {
        AtomicLong read = new AtomicLong();
        try (GridFtpStub server = new GridFtpStub(certificates, full(0, read))) {
            assertThat(file(server).bring(large())).isEqualTo(LARGE);
            assertThat(restarts(server)).isEmpty();
            assertThat(read).hasValue(LARGE);
        }
    }

    @Test
    void aFileThatIsBroughtGoesOnWhereItWasSentTo() throws Exception {
        int before = 24 << 20;
        AtomicLong read = new AtomicLong();
        try (GridFtpStub server = new GridFtpStub(certificates, full(before, read))) {
            assertThat(file(server).bring(large())).isEqualTo(LARGE);
            assertThat(restarts(server)).hasSize(1);
            assertThat(Long.parseLong(restarts(server).getFirst().substring("REST ".length())))
                    .isEqualTo(LARGE - read.get())
                    .isBetween(1L, (long) before);
        }
    }

    private static byte[] bytes(int count, char of) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) of);
        return bytes;
    }

    /** Gives 400 of 1000 bytes, and after that another file of the same size. */
    private static GridFtpStub.Script changing(String written) {
        AtomicLong attempts = new AtomicLong();
        return (command, talk) -> {
            switch (command.substring(0, 4)) {
                case "SIZE" -> talk.say("213 1000");
                case "MDTM" -> talk.say(written);
                case "REST" -> talk.say("350 good");
                default -> {
                    boolean isFirst = attempts.incrementAndGet() == 1;
                    talk.say("150 now");
                    try (Socket data = talk.data()) {
                        data.getOutputStream().write(isFirst ? bytes(400, 'a') : bytes(1000, 'b'));
                    }
                    if (isFirst) {
                        Thread.sleep(500); // until they are read
                        talk.die();
                    }
                    talk.say("226 done");
                }
            }
        };
    }

    @Test
    void aFileOfUnknownTimeIsFetchedFromItsBeginningAfterABreak() throws Exception {
        Path got = folder.resolve("got");
        try (GridFtpStub server = new GridFtpStub(certificates, changing("500 what?"))) {
            assertThat(file(server).fetch(got)).isEqualTo(1000);
            assertThat(restarts(server)).isEmpty();
            assertThat(got).hasBinaryContent(bytes(1000, 'b'));
        }
    }

    @Test
    void aPipeCannotBeginAgain() throws Exception {
        try (GridFtpStub server = new GridFtpStub(certificates, changing("500 what?"))) {
            assertThatThrownBy(() -> file(server).fetch(Path.of("/dev/null")))
                    .isInstanceOf(CommandException.class)
                    .hasMessageContaining("does not tell whether the file is still the same");
        }
    }

    @Test
    void noMoreIsWrittenThanTheFileHas() throws Exception {
        AtomicLong written = new AtomicLong();
        int most = 64 << 20;
        GridFtpStub.Script endless = (command, talk) -> {
            switch (command.substring(0, 4)) {
                case "SIZE" -> talk.say("213 1000");
                case "MDTM" -> talk.say("213 20260101000000");
                default -> {
                    talk.say("150 now");
                    try (Socket data = talk.data()) {
                        while (written.addAndGet(1000) < most) {
                            data.getOutputStream().write(bytes(1000, 'a'));
                        }
                    }
                    talk.say("226 done");
                }
            }
        };
        Path got = folder.resolve("got");
        try (GridFtpStub server = new GridFtpStub(certificates, endless)) {
            assertThatThrownBy(() -> file(server).fetch(got))
                    .isInstanceOf(CommandException.class)
                    .hasMessageContaining("became larger");
            assertThat(written.get()).isLessThan(most);
            assertThat(got).doesNotExist();
        }
    }

    /** Says for so many times a fifth of a second that bytes have come, and that all is over. */
    private static GridFtpStub.Script markers(boolean isMore, int times) {
        return (command, talk) -> {
            try (Socket data = talk.data()) {
                talk.say("150 now");
                for (int i = 1; i <= times; i++) {
                    Thread.sleep(200);
                    talk.say("112-Perf Marker\r\n Timestamp: " + i
                            + ".0\r\n Stripe Index: 0\r\n Stripe Bytes Transferred: " + (isMore ? i : 1)
                            + "\r\n Total Stripe Count: 1\r\n112 End.");
                }
                talk.say("226 done");
            }
        };
    }

    private static void transfer(GridFtpStub server) throws Exception {
        try (GridFtpSession session = server.opened(2_000)) {
            session.transfer("STOR /f", 0, (data, moving) -> {}); // all of it is sent at once
        }
    }

    @Test
    void aTransferOfWhichTheServerSaysForEverTheSameIsGivenUp() throws Exception {
        try (GridFtpStub server = new GridFtpStub(certificates, markers(false, 50))) {
            assertThatThrownBy(() -> transfer(server))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("No data has moved");
        }
    }

    @Test
    void aTransferOfWhichTheServerTellsMoreBytesIsWaitedFor() throws Exception {
        try (GridFtpStub server = new GridFtpStub(certificates, markers(true, 20))) {
            transfer(server);
            assertThat(server.commands).containsExactly("STOR /f");
        }
    }
}
