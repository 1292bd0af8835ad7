// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jobgate.transfer.file.SmallFiles;
import org.jobgate.transfer.ftp.FtpProtocol;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferPassword;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.jobgate.transfer.sftp.SftpProtocol;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files with a name and a password of their own, at OpenSSH's server and at vsftpd, which let the user in by that alone. */
class PasswordsIT {

    private static final String USER = "jobgate-pw-it";
    private static final String PASSWORD = "Sesame:of the IT";
    private static final Path SSHD = Path.of("/usr/sbin/sshd");
    private static final Path VSFTPD = Path.of("/usr/sbin/vsftpd");
    private static final byte[] CONTENT = Heard.content(300_001);

    @TempDir
    static Path folder;

    private static Path home;
    private static Daemon sshd;
    private static Daemon vsftpd;
    private static int sshPort;
    private static int ftpPort;

    private final Heard heard = new Heard();

    @BeforeAll
    static void prepare() throws Exception {
        Daemon.need(SSHD, "install it with: docker/lab/file-servers up");
        Daemon.need(VSFTPD, "install it with: docker/lab/file-servers up");
        assumeTrue(Files.exists(Path.of("/etc/pam.d/sshd")), "SKIPPED: there is no /etc/pam.d/sshd");
        home = Files.createTempDirectory(Path.of("/tmp"), "jobgate-pw-it");
        new ProcessBuilder("userdel", USER).start().waitFor(); // of a run that was killed
        Daemon.run("useradd", "-M", "-d", home.toString(), "-s", "/bin/sh", USER);
        Process chpasswd = new ProcessBuilder("chpasswd").start();
        try (var in = chpasswd.getOutputStream()) {
            in.write((USER + ":" + PASSWORD + "\n").getBytes(StandardCharsets.UTF_8));
        }
        assertThat(chpasswd.waitFor()).isZero();
        Files.write(home.resolve("file"), CONTENT);
        Daemon.run("chown", "-R", USER, home.toString());
        sshd = startSsh();
        vsftpd = startFtp();
    }

    private static Daemon startSsh() throws Exception {
        Daemon.run("mkdir", "-p", "/run/sshd");
        Daemon.run(
                "ssh-keygen",
                "-q",
                "-t",
                "ed25519",
                "-N",
                "",
                "-f",
                folder.resolve("host").toString());
        sshPort = Daemon.freePort();
        Path config = Files.writeString(folder.resolve("sshd_config"), """
                Port %d
                ListenAddress 127.0.0.1
                HostKey %s/host
                PidFile none
                UsePAM yes
                PubkeyAuthentication no
                PasswordAuthentication yes
                KbdInteractiveAuthentication no
                AllowUsers %s
                Subsystem sftp internal-sftp
                """.formatted(sshPort, folder, USER));
        Path ssh = Files.createDirectories(folder.resolve("home/.ssh"));
        Files.writeString(
                ssh.resolve("known_hosts"),
                "[127.0.0.1]:" + sshPort + " " + Files.readString(folder.resolve("host.pub")));
        return Daemon.start(
                List.of(SSHD.toString(), "-D", "-e", "-f", config.toString()),
                Map.of(),
                sshPort,
                folder.resolve("sshd.log"));
    }

    private static Daemon startFtp() throws Exception {
        ftpPort = Daemon.freePort();
        Files.createDirectory(folder.resolve("empty"));
        Path config = Files.writeString(folder.resolve("vsftpd.conf"), """
                listen=YES
                listen_address=127.0.0.1
                listen_port=%d
                background=NO
                anonymous_enable=NO
                local_enable=YES
                write_enable=YES
                pam_service_name=sshd
                secure_chroot_dir=%s
                seccomp_sandbox=NO
                """.formatted(ftpPort, folder.resolve("empty")));
        return Daemon.start(
                List.of(VSFTPD.toString(), config.toString()), Map.of(), ftpPort, folder.resolve("vsftpd.log"));
    }

    @AfterAll
    static void tidy() throws Exception {
        if (sshd != null) {
            sshd.close();
        }
        if (vsftpd != null) {
            vsftpd.close();
        }
        if (home != null) {
            Daemon.run("rm", "-rf", home.toString());
            Daemon.run("userdel", "-f", USER);
        }
    }

    private TransferContext context(String id, String password) {
        TransferContext none = heard.context(id);
        return new TransferContext(
                id,
                none.account(),
                new TransferPassword("job/" + password.hashCode(), USER, password),
                none.options(),
                none.isProgram(),
                none.idleTimeout(),
                none.marker(),
                none.progress());
    }

    private void assertOnlyWithThePassword(Protocol protocol, String urls) throws Exception {
        assertThat(protocol.takesPassword()).isTrue();
        protocol.store(Heard.source(CONTENT, 0), URI.create(urls + "/sent"), context("p1", PASSWORD));
        assertThat(home.resolve("sent")).hasBinaryContent(CONTENT);
        try (Source source = protocol.open(URI.create(urls + "/file"), 0, "", context("p2", PASSWORD))) {
            assertThat(source.bytes().readAllBytes()).isEqualTo(CONTENT);
        }
        // and not over what was opened with the right one
        assertRefused(() -> protocol.open(URI.create(urls + "/file"), 0, "", context("p3", PASSWORD + "x")));
        assertRefused(() -> protocol.open(URI.create(urls + "/file"), 0, "", heard.context("p4")));
        assertThat(protocol.delete(URI.create(urls + "/sent"), context("p5", PASSWORD)))
                .isTrue();
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(TransferException.class, e -> {
            assertThat(e.kind()).as(e.sentence()).isEqualTo(TransferException.Kind.PERMANENT);
            assertThat(e.sentence() + e.remedy()).doesNotContain(PASSWORD);
        });
    }

    @Test
    void bySftpAndScp() throws Exception {
        SmallFiles account = new SmallFiles(new HomeFiles(folder.resolve("home")));
        try (SftpProtocol sftp = new SftpProtocol(account, Heard.TIMEOUT, new UrlPolicy(true))) {
            assertOnlyWithThePassword(sftp, "sftp://127.0.0.1:" + sshPort + home);
            assertOnlyWithThePassword(sftp, "scp://" + USER + "@127.0.0.1:" + sshPort + home);
            URI other = URI.create("sftp://root@127.0.0.1:" + sshPort + home + "/file");
            assertThatThrownBy(() -> sftp.open(other, 0, "", context("p6", PASSWORD)))
                    .hasMessageContaining("another user than the password is of");
        }
    }

    @Test
    void byFtp() throws Exception {
        try (FtpProtocol ftp = new FtpProtocol(Heard.TIMEOUT, new UrlPolicy(true))) {
            assertOnlyWithThePassword(ftp, "ftp://127.0.0.1:" + ftpPort + home);
        }
        assertThat(logs()).doesNotContain(PASSWORD);
    }

    private static String logs() throws IOException {
        return sshd.log() + vsftpd.log();
    }
}
