// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import eu.emi.security.authn.x509.X509Credential;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.Adler32;
import org.junit.jupiter.api.Test;

/** The client against globus-gridftp-server of Debian, as docker/lab/gridftp runs it. */
class GridFtpIT extends GridFtpServers {

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
    void pairsOfSessionsStayTogetherWithSeveralTransfersAtOnce() throws Exception {
        int atOnce = 4;
        int connections = Integer.MAX_VALUE;
        try (GridFtpPool pool = new GridFtpPool(GridFtpLab.SETTINGS, GridFtpPool.Limits.DEFAULTS, Clock.systemUTC());
                ExecutorService workers = Executors.newFixedThreadPool(atOnce)) {
            // while sessions are being opened, which goes on for long on a busy machine, pairs are parted
            for (int round = 0; round < 10 && connections > 2 * atOnce; round++) {
                connections = connectionsOf(40, pool, workers);
            }
        }
        assertThat(connections).isLessThanOrEqualTo(2 * atOnce);
        assertThat(remote.resolve("pair-39")).hasContent("ten bytes\n");
    }

    /** Over how many connections so many files went. */
    private int connectionsOf(int files, GridFtpPool pool, ExecutorService workers) throws Exception {
        Set<Object> connections = ConcurrentHashMap.newKeySet();
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            String name = "pair-" + i;
            all.add(workers.submit(() -> {
                try (GridFtpPool.Pair pair = pool.leasePair(GridFtpLab.A, GridFtpLab.B, user)) {
                    GridFtpSession to = pair.receiver().session();
                    new ThirdParty(pair.sender().session(), to, TransferOptions.EXTENDED)
                            .copy(at("small"), at(name), TransferListener.NONE);
                    connections.add(requireNonNull(to.kept()).which());
                }
                return null;
            }));
        }
        for (Future<?> each : all) {
            each.get(3, TimeUnit.MINUTES);
        }
        return connections.size();
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
