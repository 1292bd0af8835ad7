// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.sftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.jobgate.transfer.ProtocolCases.assertFails;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jobgate.transfer.CutProxy;
import org.jobgate.transfer.Daemon;
import org.jobgate.transfer.Heard;
import org.jobgate.transfer.HomeFiles;
import org.jobgate.transfer.ProtocolCases;
import org.jobgate.transfer.SilentServer;
import org.jobgate.transfer.file.SmallFiles;
import org.jobgate.transfer.protocol.Entry;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With OpenSSH's own server, logged in as an account of the lab. */
class SftpProtocolIT {

    private static final String ACCOUNT = "jobgate-a";
    private static final Path SSHD = Path.of("/usr/sbin/sshd");
    private static final int SIZE = 3_000_001;

    @TempDir
    static Path folder;

    private static Path remote;
    private static Daemon server;
    private static int port;
    private static SftpProtocol protocol;
    private static byte[] content;

    private final Heard heard = new Heard();

    @BeforeAll
    static void prepare() throws Exception {
        Daemon.need(SSHD, "install it with: docker/lab/file-servers up");
        assumeTrue(
                Files.readString(Path.of("/etc/passwd")).contains("\n" + ACCOUNT + ":"),
                "SKIPPED: there is no account " + ACCOUNT + "; make it with: docker/lab/accounts up");
        Daemon.run("mkdir", "-p", "/run/sshd");
        Daemon.run("chmod", "755", folder.toString()); // the server reads the authorized keys as the account
        Path ssh = Files.createDirectories(folder.resolve("home/.ssh"));
        Daemon.run(
                "ssh-keygen",
                "-q",
                "-t",
                "ed25519",
                "-N",
                "",
                "-f",
                folder.resolve("host").toString());
        Daemon.run(
                "ssh-keygen",
                "-q",
                "-t",
                "rsa",
                "-N",
                "",
                "-f",
                folder.resolve("host-rsa").toString());
        Daemon.run(
                "ssh-keygen",
                "-q",
                "-t",
                "ed25519",
                "-N",
                "",
                "-f",
                ssh.resolve("id_ed25519").toString());
        port = Daemon.freePort();
        server = start();
        know(port, "host");
        protocol = new SftpProtocol(
                new SmallFiles(new HomeFiles(folder.resolve("home"))), Heard.TIMEOUT, new UrlPolicy(true));
        remote = Files.createTempDirectory(Path.of("/tmp"), "jobgate-sftp-it");
        content = Heard.content(SIZE);
        Files.write(remote.resolve("file"), content);
        giveAway();
    }

    private static Daemon start() throws Exception {
        Files.writeString(folder.resolve("sshd_config"), """
                Port %d
                ListenAddress 127.0.0.1
                HostKey %2$s/host
                HostKey %2$s/host-rsa
                PidFile none
                AuthorizedKeysFile %2$s/home/.ssh/id_ed25519.pub
                StrictModes no
                UsePAM yes
                PasswordAuthentication no
                KbdInteractiveAuthentication no
                AllowUsers %3$s
                Subsystem sftp internal-sftp
                """.formatted(port, folder, ACCOUNT));
        return Daemon.start(
                List.of(
                        SSHD.toString(),
                        "-D",
                        "-e",
                        "-f",
                        folder.resolve("sshd_config").toString()),
                Map.of(),
                port,
                folder.resolve("sshd.log"));
    }

    /** As ssh-keyscan would write it. */
    private static void know(int port, String key) throws Exception {
        Files.writeString(
                folder.resolve("home/.ssh/known_hosts"),
                "[127.0.0.1]:" + port + " " + Files.readString(folder.resolve(key + ".pub")),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private static void giveAway() throws Exception {
        Daemon.run("chown", "-R", ACCOUNT, remote.toString());
    }

    @AfterAll
    static void tidy() throws Exception {
        if (protocol != null) {
            protocol.close();
        }
        if (server != null) {
            server.close();
        }
        if (remote != null) {
            Daemon.run("rm", "-rf", remote.toString());
        }
    }

    private static URI url(int port, String name) {
        return URI.create("sftp://" + ACCOUNT + "@127.0.0.1:" + port + remote.resolve(name));
    }

    private static URI url(String name) {
        return url(port, name);
    }

    private static void assertThere(String name) throws Exception {
        ProtocolCases.assertThere(remote.resolve(name), content);
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

    /** The gateway's word for the same server: what scp(1) of OpenSSH does since version 9. */
    @Test
    void scpUrlsNameTheSameFiles() throws Exception {
        URI to = URI.create("scp://" + ACCOUNT + "@127.0.0.1:" + port + remote.resolve("by-scp"));
        assertThat(protocol.schemes()).containsExactlyInAnyOrder("sftp", "scp");
        protocol.store(Heard.source(content, 0), to, heard.context("scp1"));
        assertThere("by-scp");
        try (Source source = protocol.open(to, 0, "", heard.context("scp2"))) {
            assertThat(source.bytes().readAllBytes()).isEqualTo(content);
        }
        assertThat(protocol.delete(to, heard.context("scp3"))).isTrue();
    }

    @Test
    void afterACutReadingAndWritingGoOn() throws Exception {
        byte[] large = Heard.content(12_000_001); // several times what is asked for at once
        Files.write(remote.resolve("large"), large);
        giveAway();
        try (CutProxy cut = new CutProxy(port, 9_000_000)) {
            know(cut.port(), "host");
            byte[] begun;
            String version;
            try (Source source = protocol.open(url(cut.port(), "large"), 0, "", heard.context("c1"))) {
                version = source.version();
                begun = Heard.untilItBreaks(source);
            }
            assertThat(begun.length).isBetween(1_000_000, 9_000_000);
            try (Source rest = protocol.open(url("large"), begun.length, version, heard.context("c1"))) {
                byte[] whole = Arrays.copyOf(begun, large.length);
                assertThat(rest.start()).isEqualTo(begun.length);
                assertThat(rest.bytes().readNBytes(whole, begun.length, large.length - begun.length))
                        .isEqualTo(large.length - begun.length);
                assertThat(whole).isEqualTo(large);
            }
        }
        try (CutProxy cut = new CutProxy(port, 1_500_000)) {
            know(cut.port(), "host");
            assertFails(
                    Kind.TRANSIENT,
                    "broke off",
                    () -> protocol.store(Heard.source(content, 0), url(cut.port(), "sent"), heard.context("c2")));
        }
        // the server still writes what had arrived when the line was cut
        await().until(() -> protocol.kept(url("sent"), heard.context("c2")) >= 500_000);
        long kept = protocol.kept(url("sent"), heard.context("c2"));
        long marked = Long.parseLong(heard.marks.getLast());
        assertThat(kept).isLessThanOrEqualTo(1_500_000L).isGreaterThanOrEqualTo(marked);
        assertThat(remote.resolve("sent")).doesNotExist();
        assertThat(marked).isGreaterThan(200_000);
        protocol.store(Heard.source(content, (int) marked), url("sent"), heard.context("c2"));
        assertThere("sent");
    }

    @Test
    void aFileIsWrittenIntoDirectoriesThatAreMadeAndOverAnother() throws Exception {
        protocol.store(Heard.source(content, 0), url("new/deep/copy"), heard.context("w1"));
        assertThere("new/deep/copy");
        assertThat(heard.bytes).isEqualTo(SIZE);
        protocol.store(Heard.unmeasured(new byte[0]), url("new/deep/copy"), heard.context("w2"));
        assertThat(remote.resolve("new/deep/copy")).isEmptyFile();
        protocol.store(Heard.source(content, 0), url("new/deep/copy"), heard.context("w3"));
        assertThere("new/deep/copy");
        assertFails(
                Kind.PERMANENT,
                "is a directory",
                () -> protocol.store(Heard.source(content, 0), url("new/deep"), heard.context("w4")));
        protocol.abandon(url("new/deep"), heard.context("w4"));
        assertThat(protocol.kept(url("new/deep"), heard.context("w4"))).isZero();
        assertFails(
                Kind.TRANSIENT,
                "bytes",
                () -> protocol.store(
                        new Source(0, SIZE + 1L, "", new java.io.ByteArrayInputStream(content)),
                        url("short"),
                        heard.context("w5")));
        protocol.abandon(url("short"), heard.context("w5"));
    }

    @Test
    void aPartThatIsALinkIsReplacedAndNotFollowed() throws Exception {
        Path victim = Files.writeString(remote.resolve("victim"), "mine");
        Files.createSymbolicLink(remote.resolve(".jobgate-l1.part"), victim);
        giveAway();
        assertThat(protocol.kept(url("linked"), heard.context("l1"))).isZero();
        protocol.store(Heard.source(content, 0), url("linked"), heard.context("l1"));
        assertThere("linked");
        assertThat(victim).hasContent("mine");
    }

    @Test
    void directoriesAreListedAndDeletedAndLinksAreNotFollowed() throws Exception {
        protocol.makeDirectory(url("tree/sub/"), heard.context("d1"));
        protocol.makeDirectory(url("tree/sub/"), heard.context("d1"));
        Files.write(remote.resolve("tree/one"), content);
        Files.write(remote.resolve("tree/sub/two words"), content);
        Files.createSymbolicLink(remote.resolve("tree/way-out"), remote);
        giveAway();
        assertThat(protocol.list(url("tree/"), heard.context("d1")))
                .containsExactlyInAnyOrder(
                        new Entry("one", Entry.Kind.FILE, SIZE),
                        new Entry("sub", Entry.Kind.DIRECTORY, Source.UNKNOWN),
                        new Entry("way-out", Entry.Kind.OTHER, Source.UNKNOWN));
        assertThat(protocol.delete(url("tree"), heard.context("d1"))).isTrue();
        assertThat(protocol.delete(url("tree"), heard.context("d1"))).isFalse();
        assertThat(remote.resolve("tree")).doesNotExist();
        assertThere("file");
        assertFails(Kind.PERMANENT, "no such file", () -> protocol.list(url("tree/"), heard.context("d1")));
        assertFails(
                Kind.PERMANENT,
                "not deleted",
                () -> protocol.delete(URI.create("sftp://127.0.0.1:" + port + "/~/"), heard.context("d1")));
    }

    @Test
    void failuresSayWhetherAnotherAttemptHelps() throws Exception {
        assertFails(Kind.PERMANENT, "no such file", () -> protocol.open(url("none"), 0, "", heard.context("f1")));
        assertFails(Kind.PERMANENT, "no regular file", () -> protocol.open(url(""), 0, "", heard.context("f1")));
        URI secret = URI.create("sftp://" + ACCOUNT + "@127.0.0.1:" + port + "/etc/shadow");
        assertFails(Kind.PERMANENT, "not permitted", () -> protocol.open(secret, 0, "", heard.context("f1")));
        URI forbidden = URI.create("sftp://" + ACCOUNT + "@127.0.0.1:" + port + "/root/x/y");
        assertFails(
                Kind.PERMANENT,
                "not permitted",
                () -> protocol.store(Heard.source(content, 0), forbidden, heard.context("f1")));
        URI nobody = URI.create("sftp://127.0.0.1:1/x");
        assertFails(Kind.SERVER, "cannot be reached", () -> protocol.open(nobody, 0, "", heard.context("f1")));
        URI password = URI.create("sftp://u:secret@127.0.0.1:" + port + "/x");
        assertThatThrownBy(() -> protocol.open(password, 0, "", heard.context("f1")))
                .hasMessageContaining("no password")
                .message()
                .doesNotContain("secret");
        // without a user in the URL it is the account's name, which this server lets nobody in as
        URI stranger = URI.create("sftp://127.0.0.1:" + port + "/tmp/x");
        assertFails(
                Kind.PERMANENT,
                "does not let the user alice in",
                () -> protocol.open(stranger, 0, "", heard.context("f1")));
    }

    @Test
    void onlyHostsThatTheAccountKnowsAreTrusted() throws Exception {
        try (CutProxy unknown = new CutProxy(port, Long.MAX_VALUE);
                CutProxy wrong = new CutProxy(port, Long.MAX_VALUE);
                CutProxy rsa = new CutProxy(port, Long.MAX_VALUE)) {
            assertFails(
                    Kind.PERMANENT,
                    "is not in ~/.ssh/known_hosts",
                    () -> protocol.open(url(unknown.port(), "file"), 0, "", heard.context("k1")));
            know(wrong.port(), "home/.ssh/id_ed25519");
            assertFails(
                    Kind.PERMANENT,
                    "is not the one that",
                    () -> protocol.open(url(wrong.port(), "file"), 0, "", heard.context("k1")));
            know(rsa.port(), "host-rsa"); // the server has both, and shows the one that is known
            try (Source source = protocol.open(url(rsa.port(), "file"), 0, "", heard.context("k1"))) {
                assertThat(source.bytes().readAllBytes()).isEqualTo(content);
            }
        }
    }

    @Test
    void keysOfEveryKindAreUsedAndOthersRefused() throws Exception {
        for (String type : List.of("rsa", "ecdsa", "ed25519")) {
            Path home = Files.createDirectories(folder.resolve("home-" + type + "/.ssh"));
            Files.copy(folder.resolve("home/.ssh/known_hosts"), home.resolve("known_hosts"));
            String key = home.resolve("id_" + type).toString();
            Daemon.run("ssh-keygen", "-q", "-t", type, "-N", "", "-f", key);
            try (SftpProtocol other = new SftpProtocol(
                    new SmallFiles(new HomeFiles(folder.resolve("home-" + type))),
                    Heard.TIMEOUT,
                    new UrlPolicy(true))) {
                assertFails(
                        Kind.PERMANENT,
                        "does not let the user",
                        () -> other.open(url("file"), 0, "", heard.context("k2")));
                Files.writeString(
                        folder.resolve("home/.ssh/id_ed25519.pub"),
                        Files.readString(Path.of(key + ".pub")),
                        StandardOpenOption.APPEND);
                other.open(url("file"), 0, "", heard.context("k2")).close();
            }
            Daemon.run("ssh-keygen", "-q", "-p", "-N", "locked", "-f", key);
            try (SftpProtocol other = new SftpProtocol(
                    new SmallFiles(new HomeFiles(folder.resolve("home-" + type))),
                    Heard.TIMEOUT,
                    new UrlPolicy(true))) {
                assertFails(
                        Kind.PERMANENT,
                        "no private key without a passphrase",
                        () -> other.open(url("file"), 0, "", heard.context("k2")));
            }
        }
    }

    @Test
    void anInterruptEndsTheCall() throws Exception {
        assertThat(SilentServer.interrupted(port -> protocol.open(url(port, "file"), 0, "", heard.context("i1"))
                        .close()))
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void aServerThatWasStartedAnewIsFoundAgain() throws Exception {
        protocol.open(url("file"), 0, "", heard.context("s1")).close();
        assertThat(protocol.kept(url("x"), heard.context("s1"))).isZero();
        server.close();
        // until the end of the idle login has arrived, the failure is another one
        await().untilAsserted(() ->
                assertFails(Kind.SERVER, "cannot be reached", () -> protocol.kept(url("x"), heard.context("s1"))));
        server = start();
        assertThat(protocol.kept(url("x"), heard.context("s1"))).isZero();
    }
}
