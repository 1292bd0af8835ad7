// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.X509Credential;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jobgate.files.FileNames;
import org.jobgate.gridftp.GridFtpLab;
import org.jobgate.gridftp.GridFtpPool;
import org.jobgate.gridftp.PortRange;
import org.jobgate.gridftp.ServerAddress;
import org.jobgate.transfer.Heard;
import org.jobgate.transfer.protocol.Entry;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferCredential;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferProxy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The protocol class with the servers of docker/lab/gridftp. */
class GsiftpProtocolIT {

    private static final int SIZE = 3_000_001;

    private static GsiftpProtocol protocol;
    private static TransferCredential credential;
    private static Path remote;
    private static byte[] content;

    private final Heard heard = new Heard();

    @BeforeAll
    static void prepare() throws Exception {
        GridFtpLab.need();
        GridFtpPool pool = new GridFtpPool(GridFtpLab.SETTINGS, GridFtpPool.Limits.DEFAULTS, Clock.systemUTC());
        protocol = new GsiftpProtocol(pool, GridFtpLab.validator());
        X509Credential proxy = GridFtpLab.proxy();
        credential = new TransferProxy(
                "1",
                List.of(proxy.getCertificateChain()),
                proxy.getKey(),
                proxy.getCertificate().getNotAfter().toInstant());
        remote = GridFtpLab.directory("gsiftp-it");
        content = new byte[SIZE];
        new Random(3).nextBytes(content);
        Files.write(remote.resolve("file"), content);
        GridFtpLab.giveAway(remote);
    }

    @AfterAll
    static void tidy() throws Exception {
        if (protocol != null) {
            protocol.close();
            GridFtpLab.remove(remote);
        }
    }

    private static URI url(ServerAddress server, String name) {
        return URI.create("gsiftp://" + server + remote.resolve(name));
    }

    private TransferContext context(String id, @Nullable String marker, Map<String, String> options) {
        return new TransferContext(
                id, GridFtpLab.ACCOUNT, credential, options, false, Duration.ofSeconds(60), marker, heard);
    }

    private TransferContext context(String id) {
        return context(id, null, Map.of());
    }

    private static void assertThere(String name) throws Exception {
        assertThat(Files.readAllBytes(remote.resolve(name))).isEqualTo(content);
        try (var files = Files.list(remote.resolve(name).getParent())) {
            assertThat(files.map(Path::toString)).noneMatch(other -> other.contains(".jobgate-"));
        }
    }

    @Test
    void aFileGoesFromServerToServerIntoADirectoryThatIsMade() throws Exception {
        URI from = url(GridFtpLab.A, "file");
        URI to = url(GridFtpLab.B, "new/deep/copy");
        assertThat(protocol.moves(from, to)).isTrue();
        assertThat(protocol.moves(from, URI.create("file:///tmp/x"))).isFalse();
        protocol.move(from, to, context("t1", null, Map.of("parallelStreams", "3", "tcpBufferSize", "65536")));
        assertThere("new/deep/copy");
        assertThat(heard.bytes).isEqualTo(SIZE);
        assertThat(heard.marks).last().asString().endsWith(" 0-" + SIZE);
        protocol.move(from, to, context("t2", null, Map.of("notpt", "true", "dcau", "false")));
        assertThere("new/deep/copy");
    }

    @Test
    void whatHasArrivedIsNotSentAgainUnlessTheSourceHasChanged() throws Exception {
        URI from = url(GridFtpLab.A, "file");
        protocol.move(from, url(GridFtpLab.B, "once"), context("t3"));
        String version = heard.marks.get(0).substring(0, heard.marks.get(0).indexOf(' '));
        Files.write(remote.resolve("again.jobgate-t4"), Arrays.copyOf(content, 2_000_000));
        GridFtpLab.giveAway(remote);
        heard.bytes = 0;
        protocol.move(from, url(GridFtpLab.B, "again"), context("t4", version + " 0-2000000", Map.of()));
        assertThere("again");
        assertThat(heard.bytes).isEqualTo(SIZE - 2_000_000);
        Files.write(remote.resolve("changed.jobgate-t5"), new byte[2_000_000]);
        GridFtpLab.giveAway(remote);
        protocol.move(from, url(GridFtpLab.B, "changed"), context("t5", "1-1 0-2000000", Map.of()));
        assertThere("changed");
    }

    @Test
    void aFileIsReadAndWrittenAndGoesOnWhereItStopped() throws Exception {
        String version;
        try (Source source = protocol.open(url(GridFtpLab.A, "file"), 0, "", context("t6"))) {
            assertThat(source.size()).isEqualTo(SIZE);
            assertThat(source.bytes().readAllBytes()).isEqualTo(content);
            version = source.version();
        }
        try (Source source = protocol.open(url(GridFtpLab.A, "file"), 1_000_000, version, context("t6"))) {
            assertThat(source.start()).isEqualTo(1_000_000);
            assertThat(source.bytes().readAllBytes()).isEqualTo(Arrays.copyOfRange(content, 1_000_000, SIZE));
        }
        try (Source source = protocol.open(url(GridFtpLab.A, "file"), 1_000_000, "other", context("t6"))) {
            assertThat(source.start()).isZero();
            assertThat(source.bytes().read()).isEqualTo(content[0] & 0xff); // and closed early
        }
        URI to = url(GridFtpLab.B, "d1/stored");
        protocol.store(new Source(0, SIZE, "", new ByteArrayInputStream(content)), to, context("t7"));
        assertThere("d1/stored");
        Files.write(remote.resolve("d1/rest.jobgate-t8"), Arrays.copyOf(content, 500));
        GridFtpLab.giveAway(remote);
        URI rest = url(GridFtpLab.B, "d1/rest");
        assertThat(protocol.kept(rest, context("t8"))).isEqualTo(500);
        protocol.abandon(rest, context("t8"));
        assertThat(protocol.kept(rest, context("t8"))).isZero();
        Files.write(remote.resolve("d1/rest.jobgate-t8"), Arrays.copyOf(content, 500));
        GridFtpLab.giveAway(remote);
        byte[] left = Arrays.copyOfRange(content, 500, SIZE);
        protocol.store(new Source(500, SIZE, "", new ByteArrayInputStream(left)), rest, context("t8"));
        assertThere("d1/rest");
    }

    @Test
    void smallFilesComeAtThePortsThatServersMayConnectTo() throws Exception {
        try (GridFtpPool pool = new GridFtpPool(
                        GridFtpLab.SETTINGS.withDataPorts(new PortRange(52000, 52100)),
                        GridFtpPool.Limits.DEFAULTS,
                        Clock.systemUTC());
                GsiftpProtocol connected = new GsiftpProtocol(pool, GridFtpLab.validator(), true)) {
            for (int size : List.of(0, 1, 10_000, 256 * 1024, 256 * 1024 + 1, 10_001)) {
                byte[] bytes = Arrays.copyOf(content, size);
                Files.write(remote.resolve("small"), bytes);
                try (Source source = connected.open(url(GridFtpLab.A, "small"), 0, "", context("t12"))) {
                    assertThat(source.size()).isEqualTo(size);
                    assertThat(source.bytes().readAllBytes())
                            .as("%d bytes", size)
                            .isEqualTo(bytes);
                }
            }
        }
    }

    @Test
    void aFileIsMadeLongerUnderItsOwnName() throws Exception {
        URI to = url(GridFtpLab.A, "growing");
        Heard.makeLonger(protocol, to, content, context("t11"));
        assertThere("growing");
    }

    @Test
    void directoriesAreListedAndDeletedAndLinksAreNotFollowed() throws Exception {
        URI directory = url(GridFtpLab.A, "tree/sub/");
        protocol.makeDirectory(directory, context("t9"));
        protocol.makeDirectory(directory, context("t9"));
        Files.write(remote.resolve("tree/one"), content);
        Files.createSymbolicLink(remote.resolve("tree/link"), remote.resolve("file"));
        Files.createSymbolicLink(remote.resolve("tree/way-out"), remote);
        GridFtpLab.giveAway(remote.resolve("tree/one"));
        List<Entry> entries = protocol.list(url(GridFtpLab.A, "tree/"), context("t9"));
        assertThat(entries).contains(new Entry("one", Entry.Kind.FILE, SIZE));
        assertThat(entries)
                .filteredOn(e -> e.kind() == Entry.Kind.OTHER)
                .extracting(Entry::name)
                .containsExactlyInAnyOrder("link", "way-out");
        assertThat(protocol.delete(url(GridFtpLab.A, "tree"), context("t9"))).isTrue();
        assertThat(protocol.delete(url(GridFtpLab.A, "tree"), context("t9"))).isFalse();
        assertThat(remote.resolve("tree")).doesNotExist();
        assertThere("file");
    }

    /** What is listed is asked for as it is; a name that no command can hold keeps nothing else from being listed. */
    @Test
    void namesThatAreNotUtf8AreBytesAtTheServerToo() throws Exception {
        Path odd = Files.createDirectory(remote.resolve("odd"));
        String make =
                "cd \"$1\" && printf x >\"$(printf 'caf\\351')\" && printf y >\"$(printf 'a\\nb')\" && printf z >'c d'"
                        + " && printf q >\"$(printf 'e\\r\\ntype=dir; ..')\"";
        assertThat(new ProcessBuilder("/bin/sh", "-c", make, "sh", odd.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        GridFtpLab.giveAway(odd);
        List<Entry> entries = protocol.list(url(GridFtpLab.A, "odd/"), context("n1"));
        assertThat(entries)
                .extracting(entry -> FileNames.encoded(entry.name()))
                .contains("caf%E9", "c%20d")
                .doesNotContain("..");
        assertThat(entries).filteredOn(entry -> entry.name().startsWith("a")).hasSize(1);
        protocol.move(url(GridFtpLab.A, "odd/caf%E9"), url(GridFtpLab.B, "odd/ber%FC/x"), context("n2"));
        try (Source source = protocol.open(url(GridFtpLab.A, "odd/ber%FC/x"), 0, "", context("n3"))) {
            assertThat(source.bytes().readAllBytes()).containsExactly('x');
        }
        String there = "cd \"$1\" && test \"$(cat \"$(printf 'ber\\374')/x\")\" = x";
        assertThat(new ProcessBuilder("/bin/sh", "-c", there, "sh", odd.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        assertThatThrownBy(() -> protocol.open(url(GridFtpLab.A, "odd/none%E9"), 0, "", context("n4"))
                        .close())
                .hasMessageContaining("none%E9");
        assertThat(protocol.delete(url(GridFtpLab.A, "odd/caf%E9"), context("n5")))
                .isTrue();
        assertThat(protocol.delete(url(GridFtpLab.A, "odd/ber%FC"), context("n5")))
                .isTrue();
        assertThere("file");
    }

    @Test
    void failuresSayWhetherAnotherAttemptHelps() {
        assertKind(TransferException.Kind.PERMANENT, url(GridFtpLab.A, "none"), url(GridFtpLab.B, "x"));
        assertKind(
                TransferException.Kind.PERMANENT,
                url(GridFtpLab.A, "file"),
                URI.create("gsiftp://" + GridFtpLab.B + "/root/x"));
        assertKind(
                TransferException.Kind.PERMANENT,
                URI.create("gsiftp://" + GridFtpLab.A + "/tmp/a%0D%0ADELE%20/tmp/b"),
                url(GridFtpLab.B, "x"));
        assertKind(
                TransferException.Kind.SERVER, URI.create("gsiftp://localhost:1/etc/hostname"), url(GridFtpLab.B, "x"));
        assertKind(TransferException.Kind.PERMANENT, url(GridFtpLab.WRONG, "file"), url(GridFtpLab.B, "x"));
    }

    /** The server's certificate is of another host: only who names its subject uses it, and only with that name. */
    @Test
    void aServerIsKnownByTheSubjectThatIsNamedForIt() throws Exception {
        String elsewhere = "/O=Grid/OU=lab/CN=elsewhere.example.org";
        URI wrong = url(GridFtpLab.WRONG, "file");
        for (String name : List.of(elsewhere, "CN=elsewhere.example.org,OU=lab,O=Grid")) {
            protocol.move(wrong, url(GridFtpLab.B, "named"), context("s1", null, Map.of("sourceSubjectName", name)));
            assertThere("named");
        }
        protocol.move(
                url(GridFtpLab.B, "file"),
                url(GridFtpLab.WRONG, "made/there"),
                context("s2", null, Map.of("destinationSubjectName", elsewhere)));
        assertThere("made/there");
        Map<String, String> both = Map.of("sourceSubjectName", elsewhere, "subjectName", "/O=Grid/OU=lab/CN=gridftp-b");
        protocol.move(wrong, url(GridFtpLab.B, "relayed"), context("s3", null, both));
        Map<String, String> relay = Map.of("sourceSubjectName", elsewhere, "notpt", "true");
        protocol.move(wrong, url(GridFtpLab.B, "relayed"), context("s4", null, relay));
        assertThere("relayed");
        TransferContext named = context("s5", null, Map.of("subjectName", elsewhere));
        assertThat(protocol.list(url(GridFtpLab.WRONG, ""), named))
                .extracting(Entry::name)
                .contains("file");
        assertThat(protocol.delete(url(GridFtpLab.WRONG, "relayed"), named)).isTrue();
        // the session that the name has opened serves nobody who does not name it
        assertKind(TransferException.Kind.PERMANENT, wrong, url(GridFtpLab.B, "x"));
        for (Map<String, String> other : List.of(
                Map.of("destinationSubjectName", elsewhere),
                Map.of("sourceSubjectName", "/O=Grid/OU=lab/CN=gridftp-a"),
                Map.of("sourceSubjectName", elsewhere, "destinationSubjectName", "/O=Grid/OU=lab/CN=gridftp-a"))) {
            assertThatThrownBy(() -> protocol.move(wrong, url(GridFtpLab.B, "x"), context("s6", null, other)))
                    .as("%s", other)
                    .isInstanceOfSatisfying(TransferException.class, e -> {
                        assertThat(e.kind()).isEqualTo(TransferException.Kind.PERMANENT);
                        assertThat(e.sentence()).contains("the certificate is of CN=");
                    });
        }
    }

    private void assertKind(TransferException.Kind kind, URI from, URI to) {
        assertThatThrownBy(() -> protocol.move(from, to, context("t10")))
                .isInstanceOfSatisfying(TransferException.class, e -> {
                    assertThat(e.kind()).as(e.sentence()).isEqualTo(kind);
                    assertThat(e.remedy()).isNotEmpty();
                });
    }
}
