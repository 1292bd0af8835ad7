// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.transfer.ProtocolCases.assertFails;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jobgate.transfer.Daemon;
import org.jobgate.transfer.Heard;
import org.jobgate.transfer.ProtocolCases;
import org.jobgate.transfer.SilentServer;
import org.jobgate.transfer.protocol.Entry;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With vsftpd, which lists as ls does; and with pyftpdlib's server, which knows MLSD. */
class FtpProtocolIT {

    private static final Path VSFTPD = Path.of("/usr/sbin/vsftpd");
    private static final int SIZE = 3_000_001;

    @TempDir
    static Path folder;

    private static Path root;
    private static Daemon server;
    private static int port;
    private static FtpProtocol protocol;
    private static byte[] content;

    private final Heard heard = new Heard();

    @BeforeAll
    static void prepare() throws Exception {
        Daemon.need(VSFTPD, "install it with: docker/lab/file-servers up");
        root = Files.createTempDirectory(Path.of("/tmp"), "jobgate-ftp-it");
        Files.createDirectories(root.resolve("pub"));
        content = Heard.content(SIZE);
        protocol = new FtpProtocol(Heard.TIMEOUT, new UrlPolicy(true));
        port = Daemon.freePort();
        Daemon.run("mkdir", "-p", folder.resolve("empty").toString());
        server = start("");
    }

    private static Daemon start(String more) throws Exception {
        Path config = Files.writeString(
                folder.resolve("vsftpd.conf"), """
                listen=YES
                listen_address=127.0.0.1
                listen_port=%d
                background=NO
                anonymous_enable=YES
                local_enable=NO
                write_enable=YES
                anon_root=%s
                anon_upload_enable=YES
                anon_mkdir_write_enable=YES
                anon_other_write_enable=YES
                anon_umask=022
                no_anon_password=NO
                secure_chroot_dir=%s
                seccomp_sandbox=NO
                %s
                """.formatted(port, root, folder.resolve("empty"), more));
        return Daemon.start(
                List.of(VSFTPD.toString(), config.toString()), Map.of(), port, folder.resolve("vsftpd.log"));
    }

    @BeforeEach
    void content() throws Exception {
        Files.write(root.resolve("pub/file"), content);
        giveAway();
    }

    private static void giveAway() throws Exception {
        Daemon.run("chmod", "755", root.toString());
        Daemon.run("chown", "-R", "ftp", root.resolve("pub").toString());
    }

    @AfterAll
    static void tidy() throws Exception {
        if (server != null) {
            server.close();
        }
        if (root != null) {
            Daemon.run("rm", "-rf", root.toString());
        }
    }

    private static URI url(int port, String name) {
        return URI.create("ftp://127.0.0.1:" + port + "/pub/" + name);
    }

    private static URI url(String name) {
        return url(port, name);
    }

    private static void assertThere(String name) throws Exception {
        ProtocolCases.assertThere(root.resolve("pub").resolve(name), content);
    }

    @Test
    void aFileIsMadeLongerUnderItsOwnName() throws Exception {
        Heard.makeLonger(protocol, url("growing"), content, heard.context("a1"));
        assertThere("growing");
    }

    @Test
    void aFileIsReadAndGoesOnWhereItStopped() throws Exception {
        ProtocolCases.readAndGoOn(protocol, url("file"), content, heard.context("r1"));
    }

    /** The server is killed: of a connection that ends early nothing else tells that it was not the end. */
    @Test
    void afterACutReadingAndWritingGoOn() throws Exception {
        server.close();
        // all of it would take half a minute: more than the kill does
        server = start("anon_max_rate=100000");
        byte[] first;
        byte[] others;
        String version;
        try (Source source = protocol.open(url("file"), 0, "", heard.context("c1"))) {
            version = source.version();
            first = source.bytes().readNBytes(1000);
            server.close();
            others = Heard.untilItBreaks(source);
        }
        byte[] begun = Arrays.copyOf(first, first.length + others.length);
        System.arraycopy(others, 0, begun, first.length, others.length);
        assertThat(begun.length).isBetween(1000, SIZE - 1);
        server = start("");
        try (Source rest = protocol.open(url("file"), begun.length, version, heard.context("c1"))) {
            byte[] whole = Arrays.copyOf(begun, SIZE);
            assertThat(rest.start()).isEqualTo(begun.length);
            assertThat(rest.bytes().readNBytes(whole, begun.length, SIZE - begun.length))
                    .isEqualTo(SIZE - begun.length);
            assertThat(whole).isEqualTo(content);
        }
        byte[] half = Arrays.copyOf(content, SIZE / 2);
        assertFails(
                Kind.TRANSIENT,
                "bytes",
                () -> protocol.store(
                        new Source(0, SIZE, "", new java.io.ByteArrayInputStream(half)),
                        url("sent"),
                        heard.context("c2")));
        assertThat(root.resolve("pub/sent")).doesNotExist();
        assertThat(protocol.kept(url("sent"), heard.context("c2"))).isEqualTo(half.length);
        assertThat(heard.marks).last().isEqualTo(Integer.toString(half.length));
        protocol.store(Heard.source(content, half.length), url("sent"), heard.context("c2"));
        assertThere("sent");
    }

    @Test
    void aFileIsWrittenIntoDirectoriesThatAreMadeAndOverAnother() throws Exception {
        protocol.store(Heard.source(content, 0), url("new/deep/copy"), heard.context("w1"));
        assertThere("new/deep/copy");
        assertThat(heard.bytes).isEqualTo(SIZE);
        protocol.store(Heard.unmeasured(new byte[0]), url("new/deep/copy"), heard.context("w2"));
        assertThat(root.resolve("pub/new/deep/copy")).isEmptyFile();
        Files.write(root.resolve("pub/new/.jobgate-w3.part"), content);
        giveAway();
        assertThat(protocol.kept(url("new/other"), heard.context("w3"))).isEqualTo(SIZE);
        protocol.abandon(url("new/other"), heard.context("w3"));
        protocol.abandon(url("new/other"), heard.context("w3"));
        assertThat(protocol.kept(url("new/other"), heard.context("w3"))).isZero();
    }

    @Test
    void directoriesAreListedAndDeletedAndLinksAreNotFollowed() throws Exception {
        protocol.makeDirectory(url("tree/sub*/"), heard.context("d1"));
        protocol.makeDirectory(url("tree/sub*/"), heard.context("d1"));
        Files.write(root.resolve("pub/tree/one"), content);
        Files.write(root.resolve("pub/tree/sub*/two words"), content);
        Files.createSymbolicLink(root.resolve("pub/tree/way-out"), Path.of(".."));
        giveAway();
        assertThat(protocol.list(url("tree/"), heard.context("d1")))
                .containsExactlyInAnyOrder(
                        new Entry("one", Entry.Kind.FILE, SIZE),
                        new Entry("sub*", Entry.Kind.DIRECTORY, Source.UNKNOWN),
                        new Entry("way-out", Entry.Kind.OTHER, Source.UNKNOWN));
        assertThat(protocol.list(url("tree/sub*/"), heard.context("d1")))
                .containsExactly(new Entry("two words", Entry.Kind.FILE, SIZE));
        assertThat(protocol.delete(url("tree"), heard.context("d1"))).isTrue();
        assertThat(protocol.delete(url("tree"), heard.context("d1"))).isFalse();
        assertThat(root.resolve("pub/tree")).doesNotExist();
        assertThere("file");
        assertFails(Kind.PERMANENT, "CWD", () -> protocol.list(url("tree/"), heard.context("d1")));
        assertFails(
                Kind.PERMANENT,
                "not deleted",
                () -> protocol.delete(URI.create("ftp://127.0.0.1:" + port + "/"), heard.context("d1")));
    }

    @Test
    void failuresSayWhetherAnotherAttemptHelps() throws Exception {
        assertFails(Kind.PERMANENT, "550", () -> protocol.open(url("none"), 0, "", heard.context("f1")));
        Files.write(root.resolve("secret"), content);
        Daemon.run("chmod", "600", root.resolve("secret").toString());
        URI secret = URI.create("ftp://127.0.0.1:" + port + "/secret");
        assertFails(Kind.PERMANENT, "550", () -> protocol.open(secret, 0, "", heard.context("f1")));
        URI forbidden = URI.create("ftp://127.0.0.1:" + port + "/x");
        assertFails(
                Kind.PERMANENT, "553", () -> protocol.store(Heard.source(content, 0), forbidden, heard.context("f1")));
        assertFails(
                Kind.PERMANENT,
                "MKD",
                () -> protocol.makeDirectory(URI.create("ftp://127.0.0.1:" + port + "/x/y/"), heard.context("f1")));
        assertFails(Kind.PERMANENT, "DELE", () -> protocol.delete(secret, heard.context("f1")));
        URI nobody = URI.create("ftp://127.0.0.1:1/x");
        assertFails(Kind.SERVER, "cannot be reached", () -> protocol.open(nobody, 0, "", heard.context("f1")));
        URI command = URI.create("ftp://127.0.0.1:" + port + "/pub/x%0D%0ADELE%20/pub/file");
        assertFails(Kind.PERMANENT, "control characters", () -> protocol.open(command, 0, "", heard.context("f1")));
        URI user = URI.create("ftp://u@127.0.0.1:" + port + "/pub/file");
        assertFails(Kind.PERMANENT, "no user", () -> protocol.open(user, 0, "", heard.context("f1")));
    }

    /** A server that names another host for the data, as one that makes us attack somebody else would. */
    @Test
    void dataConnectionsGoToTheServerOnly() throws Exception {
        server.close();
        server = start("pasv_address=203.0.113.7\nallow_writeable_chroot=YES\ncmds_denied=EPSV");
        try (Source source = protocol.open(url("file"), 0, "", heard.context("b1"))) {
            assertThat(source.bytes().readAllBytes()).isEqualTo(content);
        } finally {
            server.close();
            server = start("");
        }
    }

    @Test
    void anInterruptEndsTheCall() throws Exception {
        assertThat(SilentServer.interrupted(port -> protocol.open(url(port, "file"), 0, "", heard.context("i1"))
                        .close()))
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void aListIsReadAsFactsWhereTheServerKnowsThem() throws Exception {
        Path program = Path.of("/usr/lib/python3/dist-packages/pyftpdlib/servers.py");
        assumeTrue(
                Files.exists(program), "SKIPPED: there is no pyftpdlib; install it with: docker/lab/file-servers up");
        Files.createDirectories(root.resolve("pub/facts/sub"));
        Files.write(root.resolve("pub/facts/one"), content);
        giveAway();
        int other = Daemon.freePort();
        try (Daemon second = Daemon.start(
                List.of(
                        "/usr/bin/python3",
                        "-m",
                        "pyftpdlib",
                        "-i",
                        "127.0.0.1",
                        "-p",
                        "" + other,
                        "-w",
                        "-D",
                        "-d",
                        root.toString()),
                Map.of(),
                other,
                folder.resolve("pyftpdlib.log"))) {
            assertThat(protocol.list(url(other, "facts/"), heard.context("m1")))
                    .containsExactlyInAnyOrder(
                            new Entry("one", Entry.Kind.FILE, SIZE),
                            new Entry("sub", Entry.Kind.DIRECTORY, Source.UNKNOWN));
            try (Source source = protocol.open(url(other, "file"), 0, "", heard.context("m1"))) {
                assertThat(source.bytes().readAllBytes()).isEqualTo(content);
            }
            protocol.store(Heard.source(content, 0), url(other, "facts/new/copy"), heard.context("m2"));
            assertThere("facts/new/copy");
            assertThat(protocol.delete(url(other, "facts"), heard.context("m2")))
                    .isTrue();
            assertThat(protocol.delete(url(other, "facts"), heard.context("m2")))
                    .isFalse();
            assertThat(second.log()).contains("MLSD");
        }
    }
}
