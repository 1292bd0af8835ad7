// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.sftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import org.apache.sshd.client.config.hosts.KnownHostHashValue;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.mac.BuiltinMacs;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.sftp.KnownHosts.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** URLs and known hosts; the rest needs a server: SftpProtocolIT. */
class SftpTest {

    private static KeyPair key() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        return generator.generateKeyPair();
    }

    private static String line(KeyPair key) {
        return PublicKeyEntry.toString(key.getPublic());
    }

    private static KnownHosts hosts(String file) {
        return KnownHosts.parse(file.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aHostIsKnownByNamePortAndKey() throws Exception {
        KeyPair own = key();
        KeyPair other = key();
        KnownHosts hosts = hosts("# a comment\n\nnonsense\nssh-rsa\n" + "a.example.org,10.0.0.1 " + line(own)
                + "\n[a.example.org]:2222 " + line(other) + "\n@cert-authority *.example.org " + line(other) + "\n");
        assertThat(hosts.verdict("a.example.org", 22, own.getPublic())).isEqualTo(Verdict.TRUSTED);
        assertThat(hosts.verdict("10.0.0.1", 22, own.getPublic())).isEqualTo(Verdict.TRUSTED);
        assertThat(hosts.verdict("a.example.org", 22, other.getPublic())).isEqualTo(Verdict.CHANGED);
        assertThat(hosts.verdict("a.example.org", 2222, other.getPublic())).isEqualTo(Verdict.TRUSTED);
        assertThat(hosts.verdict("a.example.org", 2222, own.getPublic())).isEqualTo(Verdict.CHANGED);
        assertThat(hosts.verdict("b.example.org", 22, other.getPublic())).isEqualTo(Verdict.UNKNOWN);
        assertThat(hosts.types("a.example.org", 22)).containsExactly("ecdsa-sha2-nistp256");
    }

    @Test
    void aRevokedKeyIsNeverTrusted() throws Exception {
        KeyPair own = key();
        KnownHosts hosts = hosts("a " + line(own) + "\n@revoked * " + line(own) + "\n");
        assertThat(hosts.verdict("a", 22, own.getPublic())).isEqualTo(Verdict.REVOKED);
    }

    @Test
    void namesMayBeHashed() throws Exception {
        KeyPair own = key();
        // as ssh-keygen -H writes it: HMAC-SHA1 of the name
        byte[] salt = new byte[20];
        byte[] digest = KnownHostHashValue.calculateHashValue("a.example.org", 22, BuiltinMacs.hmacsha1, salt);
        java.util.Base64.Encoder base64 = java.util.Base64.getEncoder();
        KnownHosts hosts = hosts(
                "|1|" + base64.encodeToString(salt) + "|" + base64.encodeToString(digest) + " " + line(own) + "\n");
        assertThat(hosts.verdict("a.example.org", 22, own.getPublic())).isEqualTo(Verdict.TRUSTED);
        assertThat(hosts.verdict("b.example.org", 22, own.getPublic())).isEqualTo(Verdict.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({
        "sftp://h/a/b, alice, 22, /a/b",
        "sftp://h:2222//a/b/, alice, 2222, /a/b",
        "sftp://bob@h/~/a%20b, bob, 22, a b",
        "sftp://h/~/, alice, 22, .",
        "sftp://h/, alice, 22, /",
    })
    void aUrlPointsSomewhere(String url, String user, int port, String path) throws Exception {
        assertThat(SftpPlace.of(URI.create(url), "alice")).isEqualTo(new SftpPlace("h", port, user, path));
    }

    @Test
    void thePartOfAFileIsBesideIt() throws Exception {
        SftpPlace place = SftpPlace.of(URI.create("sftp://h/a/b"), "alice");
        assertThat(place.unfinished("1").path()).isEqualTo("/a/.jobgate-1.part");
        assertThat(place.parent().parent().path()).isEqualTo("/");
        SftpPlace home = SftpPlace.of(URI.create("sftp://h/~/b"), "alice");
        assertThat(home.unfinished("1").path()).isEqualTo(".jobgate-1.part");
        assertThat(home.parent().isTop()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "sftp://u:secret@h/a",
        "sftp://u%3Asecret@h/a",
        "sftp://@h/a",
        "sftp://u%0A@h/a",
        "sftp://h",
        "sftp://h/a%00b"
    })
    void otherUrlsAreRefusedWithoutSayingWhatIsInThem(String url) {
        assertThatThrownBy(() -> SftpPlace.of(URI.create(url), "alice"))
                .isInstanceOf(TransferException.class)
                .message()
                .doesNotContain("secret");
    }
}
