// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import eu.emi.security.authn.x509.X509Credential;
import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.zip.Adler32;
import org.jobgate.gridftp.OwnDataConnection.Direction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client against globus-gridftp-server of Debian, as docker/lab/gridftp runs it. */
class GridFtpIT {

    private static final int SIZE = 20_000_003;

    @TempDir
    private static Path local;

    private static OpensslCertChainValidator validator;
    private static GsiSecurity user;
    private static Path remote;
    private static Path original;
    private static byte[] content;

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

    private static String at(String name) {
        return remote.resolve(name).toString();
    }

    private static GridFtpSession open(ServerAddress server) throws GridFtpException {
        return GridFtpLab.open(server, user);
    }

    private static TransferResult get(GridFtpSession session, String name, Path to, TransferOptions options)
            throws IOException {
        try (FileChannel file = FileChannel.open(to, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            return session.get(at(name), DataSink.of(file), options, TransferListener.NONE);
        }
    }

    private static TransferResult put(GridFtpSession session, String name, TransferOptions options) throws IOException {
        try (FileChannel file = FileChannel.open(original)) {
            return session.put(DataSource.of(file), at(name), options, TransferListener.NONE);
        }
    }

    private static void assertSame(Path file) throws IOException {
        assertThat(Files.mismatch(original, file))
                .as("the first byte that differs in %s", file)
                .isEqualTo(-1);
    }

    private static void moveBothWays(GridFtpSession session, TransferOptions options) throws IOException {
        String name = "copy";
        assertThat(put(session, name, options).bytes()).isEqualTo(SIZE);
        assertSame(remote.resolve(name));
        Path back = Files.createTempFile(local, "back", "");
        assertThat(get(session, name, back, options).bytes()).isEqualTo(SIZE);
        assertSame(back);
        session.deleteFile(at(name));
    }

    @Test
    void filesComeAndGoInBothModesWithEveryAuthentication() throws Exception {
        DataAuthentication me = DataAuthentication.subject("/O=Grid/OU=lab/CN=" + GridFtpLab.ACCOUNT);
        try (GridFtpSession session = open(GridFtpLab.A)) {
            for (TransferOptions mode : List.of(TransferOptions.STREAM, TransferOptions.EXTENDED.withStreams(4))) {
                for (DataAuthentication who : List.of(DataAuthentication.NONE, DataAuthentication.SELF, me)) {
                    moveBothWays(session, mode.withSecurity(who, Protection.CLEAR));
                }
                moveBothWays(session, mode.withSecurity(DataAuthentication.SELF, Protection.PRIVATE));
                moveBothWays(session, mode.withBuffers(1 << 20, 1 << 20));
            }
        }
    }

    @Test
    void somebodyElseAtTheDataChannelIsRefused() throws Exception {
        TransferOptions bob = TransferOptions.STREAM.withSecurity(
                DataAuthentication.subject("/O=Grid/OU=lab/CN=jobgate-b"), Protection.CLEAR);
        try (GridFtpSession session = open(GridFtpLab.A)) {
            assertThatThrownBy(() -> get(session, "file", local.resolve("not"), bob))
                    .isInstanceOf(GridFtpException.class)
                    .extracting(e -> ((GridFtpException) e).fault())
                    .isEqualTo(Fault.AUTHENTICATION);
        }
    }

    @Test
    void aThirdPartyTransferGoesFromServerToServer() throws Exception {
        try (GridFtpSession from = open(GridFtpLab.A);
                GridFtpSession to = open(GridFtpLab.B)) {
            for (TransferOptions options : List.of(
                    TransferOptions.STREAM,
                    TransferOptions.EXTENDED.withStreams(4),
                    TransferOptions.EXTENDED.withStripes(),
                    TransferOptions.STREAM.withSecurity(DataAuthentication.SELF, Protection.SAFE),
                    TransferOptions.EXTENDED.withSecurity(DataAuthentication.SELF, Protection.PRIVATE),
                    TransferOptions.EXTENDED.withSecurity(DataAuthentication.NONE, Protection.CLEAR))) {
                TransferResult result =
                        new ThirdParty(from, to, options).copy(at("file"), at("third"), TransferListener.NONE);
                assertThat(result.bytes()).isEqualTo(SIZE);
                assertSame(remote.resolve("third"));
                to.deleteFile(at("third"));
            }
        }
        // this process is at 127.0.0.1, b at 127.0.0.2: that is where a sent the file
        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
            assertThat(GridFtpLab.logOf("a", remote.resolve("file")))
                    .anyMatch(line -> line.contains("DEST=[127.0.0.2]") && line.contains("TYPE=RETR"))
                    .anyMatch(line -> line.contains("DEST=[127.0.0.2]") && line.contains("STREAMS=4"));
            assertThat(GridFtpLab.logOf("b", remote.resolve("third")))
                    .anyMatch(line -> line.contains("TYPE=STOR") && line.contains("NBYTES=" + SIZE));
        });
    }

    @Test
    void manySmallFilesUseTheSameDataConnection() throws Exception {
        try (GridFtpSession from = open(GridFtpLab.A);
                GridFtpSession to = open(GridFtpLab.B)) {
            ThirdParty pair = new ThirdParty(from, to, TransferOptions.EXTENDED);
            for (int i = 0; i < 5; i++) {
                assertThat(pair.copy(at("small"), at("small-" + i), TransferListener.NONE)
                                .bytes())
                        .isEqualTo(10);
                assertThat(remote.resolve("small-" + i)).hasContent("ten bytes\n");
            }
            // a failure in between gives no file the bytes of another
            assertThatThrownBy(() -> pair.copy(at("none"), at("small-x"), TransferListener.NONE))
                    .isInstanceOf(PermanentGridFtpException.class);
            assertThat(pair.copy(at("file"), at("big"), TransferListener.NONE).bytes())
                    .isEqualTo(SIZE);
            assertSame(remote.resolve("big"));
        }
    }

    private static DataSocket left(GridFtpSession session, TransferOptions options, Direction way) {
        DataSocket data = requireNonNull(session.ownData().take(options, way), "no data connection was left open");
        session.ownData().leave(data, options, way);
        return data;
    }

    private static final List<TransferOptions> KEEPING = List.of(
            TransferOptions.EXTENDED,
            TransferOptions.EXTENDED.withSecurity(DataAuthentication.SELF, Protection.PRIVATE),
            TransferOptions.EXTENDED.withSecurity(DataAuthentication.NONE, Protection.CLEAR));

    @Test
    void filesSentOneAfterAnotherGoOverTheSameDataConnection() throws Exception {
        for (TransferOptions options : KEEPING) {
            try (GridFtpSession session = open(GridFtpLab.A)) {
                put(session, "first", options);
                assertSame(remote.resolve("first"));
                DataSocket data = left(session, options, Direction.SEND);
                for (String name : List.of("second", "third")) {
                    assertThat(put(session, name, options).bytes()).isEqualTo(SIZE);
                    assertSame(remote.resolve(name));
                    assertThat(left(session, options, Direction.SEND)).isSameAs(data);
                }
            }
        }
    }

    @Test
    void filesFetchedOneAfterAnotherComeOverTheSameDataConnection() throws Exception {
        for (TransferOptions options : KEEPING) {
            try (GridFtpSession session = open(GridFtpLab.A)) {
                Path first = Files.createTempFile(local, "first", "");
                assertThat(get(session, "file", first, options).bytes()).isEqualTo(SIZE);
                assertSame(first);
                DataSocket data = left(session, options, Direction.FETCH);
                for (int i = 0; i < 3; i++) {
                    Path small = Files.createTempFile(local, "small", "");
                    assertThat(get(session, "small", small, options).bytes()).isEqualTo(10);
                    assertThat(small).hasContent("ten bytes\n");
                    assertThat(left(session, options, Direction.FETCH)).isSameAs(data);
                }
            }
        }
    }

    /** One speaks no TLS, the other says nothing: neither ends the transfer, nor keeps the server out. */
    @Test
    void strangersAtTheDataPortAreNotListenedTo() throws Exception {
        int port;
        // none that the system gives to who connects: one that tries long enough would be connected to itself
        try (ServerSocket free = new PortRange(21_000, 21_999).listen(InetAddress.getLoopbackAddress(), 1, 0)) {
            port = free.getLocalPort();
        }
        GridFtpSettings settings = GridFtpLab.SETTINGS.withDataPorts(new PortRange(port, port));
        try (GridFtpSession session = GridFtpSession.open(GridFtpLab.A, user, settings, Clock.systemUTC())) {
            FutureTask<Socket> silent = new FutureTask<>(() -> stranger(port));
            FutureTask<Socket> loud = new FutureTask<>(() -> {
                Socket socket = stranger(port);
                socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                return socket;
            });
            Thread.ofVirtual().start(silent);
            Thread.ofVirtual().start(loud);
            Path file = Files.createTempFile(local, "beside", "");
            get(session, "file", file, TransferOptions.EXTENDED);
            assertSame(file);
            silent.get(1, TimeUnit.MINUTES).close();
            loud.get(1, TimeUnit.MINUTES).close();
        }
    }

    /** Tries until somebody listens there. */
    private static Socket stranger(int port) throws InterruptedException {
        while (true) {
            try {
                return new Socket(InetAddress.getLoopbackAddress(), port);
            } catch (IOException nobodyYet) {
                Thread.sleep(0, 100_000);
            }
        }
    }

    @Test
    void whatComesBetweenTwoFetchesGivesNoFileTheBytesOfAnother() throws Exception {
        TransferOptions options = TransferOptions.EXTENDED;
        try (GridFtpSession session = open(GridFtpLab.A)) {
            Path file = Files.createTempFile(local, "fetched", "");
            get(session, "small", file, options);
            assertFault(
                    Fault.NOT_FOUND,
                    () -> session.get(at("none"), (position, bytes) -> {}, options, TransferListener.NONE));
            assertThat(session.ownData().isLeft()).isFalse();
            get(session, "file", file, options);
            assertSame(file);
            put(session, "sent", options);
            assertSame(remote.resolve("sent"));
            assertThat(session.ownData().isLeft(Direction.FETCH)).isFalse();
            get(session, "file", file, options);
            assertSame(file);
            left(session, options, Direction.FETCH).close();
            get(session, "file", file, options);
            assertSame(file);
            get(session, "file", file, options.withStreams(4));
            assertSame(file);
            assertThat(session.ownData().isLeft()).isFalse();
        }
    }

    @Test
    void aDataConnectionThatWasLeftIsNotUsedWhereItWouldNotServe() throws Exception {
        TransferOptions options = TransferOptions.EXTENDED;
        try (GridFtpSession session = open(GridFtpLab.A)) {
            put(session, "first", options);
            assertFault(
                    Fault.DENIED,
                    () -> session.put((position, buffer) -> -1, "/root/not-for-us", options, TransferListener.NONE));
            assertThat(session.ownData().isLeft()).isFalse();
            put(session, "second", options);
            assertSame(remote.resolve("second"));

            get(session, "second", local.resolve("second"), TransferOptions.STREAM);
            assertSame(local.resolve("second"));
            assertThat(session.ownData().isLeft()).isFalse();
            put(session, "third", options);
            assertSame(remote.resolve("third"));

            left(session, options, Direction.SEND).close();
            put(session, "fourth", options);
            assertSame(remote.resolve("fourth"));
            put(session, "fifth", options.withBuffers(1 << 20, 1 << 18));
            assertSame(remote.resolve("fifth"));
        }
    }

    @Test
    void pairsOfSessionsStayTogetherWithSeveralTransfersAtOnce() throws Exception {
        int atOnce = 4;
        int files = 60;
        Set<Object> connections = ConcurrentHashMap.newKeySet();
        try (GridFtpPool pool = new GridFtpPool(GridFtpLab.SETTINGS, GridFtpPool.Limits.DEFAULTS, Clock.systemUTC());
                ExecutorService workers = Executors.newFixedThreadPool(atOnce)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < files; i++) {
                String name = "pair-" + i;
                boolean late = i >= files / 3;
                all.add(workers.submit(() -> {
                    try (GridFtpPool.Pair pair = pool.leasePair(GridFtpLab.A, GridFtpLab.B, user)) {
                        GridFtpSession to = pair.receiver().session();
                        new ThirdParty(pair.sender().session(), to, TransferOptions.EXTENDED)
                                .copy(at("small"), at(name), TransferListener.NONE);
                        if (late) {
                            connections.add(requireNonNull(to.kept()).which());
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get(3, TimeUnit.MINUTES);
            }
        }
        // a transfer may find that another has just taken its receiver; while sessions are being opened, each may
        assertThat(connections).hasSizeLessThanOrEqualTo(2 * atOnce);
        assertThat(remote.resolve("pair-" + (files - 1))).hasContent("ten bytes\n");
    }

    @Test
    void ofAPairThatCannotBeWholeNothingStaysInUse() throws Exception {
        GridFtpPool.Limits one = new GridFtpPool.Limits(1, 4, Duration.ofMinutes(1), Duration.ofMinutes(1));
        ServerAddress nobody = new ServerAddress("localhost", 1);
        try (GridFtpPool pool = new GridFtpPool(GridFtpLab.SETTINGS, one, Clock.systemUTC())) {
            assertThatThrownBy(() -> pool.leasePair(GridFtpLab.A, nobody, user))
                    .isInstanceOf(TransientGridFtpException.class);
            assertThatThrownBy(() -> pool.leasePair(nobody, GridFtpLab.B, user))
                    .isInstanceOf(TransientGridFtpException.class);
            try (GridFtpPool.Pair pair = pool.leasePair(GridFtpLab.A, GridFtpLab.B, user)) {
                assertThat(pair.sender().isFresh()).isFalse();
                assertThat(pair.receiver().session().features()).isNotEmpty();
            }
            // with an idle sender, too
            assertThatThrownBy(() -> pool.leasePair(GridFtpLab.A, nobody, user))
                    .isInstanceOf(TransientGridFtpException.class);
            pool.lease(GridFtpLab.A, user).close();
        }
    }

    @Test
    void partsAreFetchedSentAndMoved() throws Exception {
        TransferOptions.Part part = new TransferOptions.Part(1000, 3_000_000, 5);
        try (GridFtpSession session = open(GridFtpLab.A);
                GridFtpSession other = open(GridFtpLab.B)) {
            for (TransferOptions mode : List.of(TransferOptions.STREAM, TransferOptions.EXTENDED.withStreams(2))) {
                Path got = Files.createTempFile(local, "part", "");
                get(session, "file", got, mode.withPart(part));
                assertThat(Files.readAllBytes(got)).isEqualTo(Arrays.copyOfRange(content, 1000, 3_001_000));
                put(session, "sent", mode.withPart(part));
                new ThirdParty(session, other, mode.withPart(part))
                        .copy(at("file"), at("moved"), TransferListener.NONE);
                for (String name : List.of("sent", "moved")) {
                    byte[] there = Files.readAllBytes(remote.resolve(name));
                    assertThat(Arrays.copyOfRange(there, 5, there.length))
                            .isEqualTo(Arrays.copyOfRange(content, 1000, 3_001_000));
                    session.deleteFile(at(name));
                }
            }
        }
    }

    @Test
    void directoriesAreMadeListedAndRemoved() throws Exception {
        try (GridFtpSession session = open(GridFtpLab.A)) {
            session.makeDirectory(at("d"));
            put(session, "d/a b;c", TransferOptions.STREAM);
            session.makeDirectory(at("d/sub"));
            List<DirectoryEntry> entries = session.list(at("d"), DataAuthentication.SELF);
            assertThat(entries).extracting(DirectoryEntry::name).containsExactlyInAnyOrder("a b;c", "sub");
            assertThat(entries)
                    .filteredOn(e -> e.name().equals("a b;c"))
                    .extracting(DirectoryEntry::size)
                    .containsExactly((long) SIZE);
            assertThat(session.stat(at("d")).orElseThrow().type()).isEqualTo(DirectoryEntry.Type.DIRECTORY);
            assertThat(session.stat(at("none"))).isEmpty();
            assertThat(session.size(at("d/a b;c"))).isEqualTo(SIZE);
            assertThatThrownBy(() -> session.removeDirectory(at("d"))).isInstanceOf(PermanentGridFtpException.class);
            session.rename(at("d/a b;c"), at("d/e"));
            session.deleteFile(at("d/e"));
            session.removeDirectory(at("d/sub"));
            session.removeDirectory(at("d"));
            assertThat(remote.resolve("d")).doesNotExist();
        }
    }

    @Test
    void checksumsAreThoseOfTheContent() throws Exception {
        Adler32 adler = new Adler32();
        adler.update(content);
        MessageDigest md5 = MessageDigest.getInstance("MD5");
        md5.update(content, 10, 1000);
        try (GridFtpSession session = open(GridFtpLab.A)) {
            assertThat(session.features()).contains("CKSM", "DCAU", "PARALLEL", "MLST", "ERET", "ESTO", "SPAS");
            assertThat(session.checksum("ADLER32", at("file"), 0, -1))
                    .isEqualTo(String.format("%08x", adler.getValue()));
            assertThat(session.checksum("MD5", at("file"), 10, 1000))
                    .isEqualTo(HexFormat.of().formatHex(md5.digest()));
        }
    }

    @Test
    void refusalsSayWhatTheyAreAndLeaveTheSessionUsable() throws Exception {
        try (GridFtpSession session = open(GridFtpLab.A)) {
            for (TransferOptions mode : List.of(TransferOptions.STREAM, TransferOptions.EXTENDED)) {
                assertFault(Fault.NOT_FOUND, () -> get(session, "none", local.resolve("none"), mode));
                assertFault(
                        Fault.DENIED,
                        () -> session.put((position, buffer) -> -1, "/root/not-for-us", mode, TransferListener.NONE));
            }
            assertFault(Fault.NOT_FOUND, () -> session.deleteFile(at("none")));
            assertFault(Fault.EXISTS, () -> session.makeDirectory(remote.toString()));
            assertFault(Fault.UNSUPPORTED, () -> session.execute("FROBNICATE"));
            assertThat(session.size(at("file"))).isEqualTo(SIZE);
        }
    }

    private static void assertFault(Fault fault, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        PermanentGridFtpException e = catchThrowableOfType(PermanentGridFtpException.class, call);
        assertThat(e).isNotNull();
        assertThat(e.fault()).as(e.getMessage()).isEqualTo(fault);
        assertThat(e.reply()).isNotNull();
    }

    @Test
    void aFailureOfOurOwnSideIsGivenAsItIs() throws Exception {
        IOException full = new IOException("disk full");
        try (GridFtpSession session = open(GridFtpLab.A)) {
            for (TransferOptions mode : List.of(TransferOptions.STREAM, TransferOptions.EXTENDED.withStreams(3))) {
                assertThatThrownBy(() -> session.get(
                                at("file"),
                                (position, bytes) -> {
                                    throw full;
                                },
                                mode,
                                TransferListener.NONE))
                        .isSameAs(full);
            }
        }
    }

    @Test
    void iPv6Works() throws Exception {
        try (GridFtpSession session = open(GridFtpLab.SIX);
                GridFtpSession other = open(GridFtpLab.SIX)) {
            moveBothWays(session, TransferOptions.STREAM);
            moveBothWays(session, TransferOptions.EXTENDED.withStreams(2));
            for (TransferOptions options : List.of(TransferOptions.STREAM, TransferOptions.EXTENDED.withStripes())) {
                new ThirdParty(session, other, options).copy(at("file"), at("six"), TransferListener.NONE);
                assertSame(remote.resolve("six"));
            }
        }
    }

    @Test
    void aServerWithTheCertificateOfAnotherHostIsRefused() {
        assertThatThrownBy(() -> open(GridFtpLab.WRONG))
                .isInstanceOf(PermanentGridFtpException.class)
                .hasMessageContaining("elsewhere.example.org");
    }

    @Test
    void theServerRefusesAnExpiredProxyAndAStranger() throws Exception {
        Instant now = Instant.now();
        X509Credential expired = GridPki.proxy(
                GridFtpLab.certificate(),
                o -> o.setValidityBounds(
                        Date.from(now.minus(Duration.ofHours(2))), Date.from(now.minus(Duration.ofHours(1)))));
        Clock anHourAgo = Clock.fixed(now.minus(Duration.ofMinutes(90)), ZoneOffset.UTC);
        GsiSecurity late = new GsiSecurity(expired, validator, Delegation.LIMITED);
        assertThatThrownBy(() -> GridFtpSession.open(GridFtpLab.A, late, GridFtpLab.SETTINGS, anHourAgo))
                .isInstanceOf(PermanentGridFtpException.class)
                .extracting(e -> ((GridFtpException) e).fault())
                .isEqualTo(Fault.AUTHENTICATION);
        GsiSecurity nobody = new GsiSecurity(GridFtpLab.stranger(), validator, Delegation.NONE);
        assertThatThrownBy(() -> GridFtpLab.open(GridFtpLab.A, nobody))
                .isInstanceOf(PermanentGridFtpException.class)
                .extracting(e -> ((GridFtpException) e).fault())
                .isEqualTo(Fault.AUTHENTICATION);
    }

    @Test
    void everyKindOfCredentialAndDelegationMovesFiles() throws Exception {
        X509Credential limited = GridPki.proxy(GridFtpLab.certificate(), o -> o.setLimited(true));
        X509Credential second = GridPki.proxy(GridFtpLab.proxy(), o -> {});
        for (GsiSecurity security : List.of(
                new GsiSecurity(GridFtpLab.certificate(), validator, Delegation.FULL),
                new GsiSecurity(GridFtpLab.proxy(), validator, Delegation.FULL),
                new GsiSecurity(limited, validator, Delegation.FULL),
                new GsiSecurity(second, validator, Delegation.LIMITED))) {
            try (GridFtpSession from = GridFtpLab.open(GridFtpLab.A, security);
                    GridFtpSession to = GridFtpLab.open(GridFtpLab.B, security)) {
                new ThirdParty(from, to, TransferOptions.STREAM)
                        .copy(at("small"), at("delegated"), TransferListener.NONE);
                assertThat(remote.resolve("delegated")).hasContent("ten bytes\n");
            }
        }
        GsiSecurity none = new GsiSecurity(GridFtpLab.proxy(), validator, Delegation.NONE);
        try (GridFtpSession session = GridFtpLab.open(GridFtpLab.A, none)) {
            moveBothWays(session, TransferOptions.EXTENDED.withSecurity(DataAuthentication.NONE, Protection.CLEAR));
        }
    }
}
