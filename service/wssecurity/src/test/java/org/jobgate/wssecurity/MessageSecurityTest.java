// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.dom.WSConstants;
import org.jobgate.identity.Identity;
import org.jobgate.soap.MessageGuard;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is taken of protected messages, and what comes out of them. What is refused: MessageSecurityNegativeTest. */
class MessageSecurityTest {

    private static final TestSigner GRID = new TestSigner();

    private final MessageSecurity required =
            TestMessages.security(GRID, TestMessages.settings(Protection.REQUIRE, false), Passwords.none());

    private static MessageGuard.Opened open(MessageSecurity security, Envelope message, @Nullable Identity transport) {
        return security.of(TestMessages.SERVICE)
                .orElseThrow()
                .open(new MessageGuard.Arrived(message.bytes(), transport, true));
    }

    private static Identity identity(MessageGuard.Opened opened) {
        return requireNonNull(opened.identity(), "nobody");
    }

    @Test
    void aSignedMessageIsOfItsSignerAndLosesItsSecurityHeader() {
        MessageGuard.Opened opened = open(required, TestMessages.signed(new TestMessages.Options(GRID.alice())), null);

        assertThat(identity(opened)).isEqualTo(new Identity(TestSigner.ALICE, "signature", false));
        assertThat(opened.signing()).isNotNull();
        assertThat(new String(opened.envelope(), StandardCharsets.UTF_8))
                .contains("/bin/date", "Fork")
                .doesNotContain("Security");
    }

    @Test
    void aPathOfProxiesSpeaksForItsOwner() {
        TestMessages.Options options = new TestMessages.Options(GRID.aliceByProxy());
        options.chain = true;
        MessageGuard.Opened opened = open(required, TestMessages.signed(options), null);
        assertThat(identity(opened).subject()).isEqualTo(TestSigner.ALICE);
    }

    @Test
    void theConnectionMayBeOfTheSamePerson() {
        Envelope message = TestMessages.signed(new TestMessages.Options(GRID.alice()));
        assertThat(identity(open(required, message, new Identity(TestSigner.ALICE, "tls", false)))
                        .method())
                .isEqualTo("signature");
    }

    @Test
    void sha1IsTakenWhereTheSiteSaysSo() {
        MessageSecurity old =
                TestMessages.security(GRID, TestMessages.settings(Protection.REQUIRE, true), Passwords.none());
        TestMessages.Options options = new TestMessages.Options(GRID.alice());
        options.signature = Names.DS + "rsa-sha1";
        options.digest = Names.DS + "sha1";
        assertThat(open(old, TestMessages.signed(options), null).signing()).isNotNull();
    }

    @Test
    void anEncryptedBodyIsDecryptedBeforeItsSignatureIsLookedAt() {
        Envelope message = TestMessages.encrypted(
                TestMessages.signed(new TestMessages.Options(GRID.alice())), GRID, encrypt -> {});
        assertThat(new String(message.bytes(), StandardCharsets.UTF_8)).doesNotContain("/bin/date");

        MessageGuard.Opened opened = open(required, message, null);

        assertThat(new String(opened.envelope(), StandardCharsets.UTF_8)).contains("/bin/date");
        assertThat(identity(opened).subject()).isEqualTo(TestSigner.ALICE);
    }

    @Test
    void aNameAndAPasswordAreTakenAsTextAndAsDigest(@TempDir Path directory) throws Exception {
        MessageSecurity security =
                TestMessages.security(GRID, TestMessages.settings(Protection.REQUIRE, false), passwords(directory));
        for (String type : new String[] {WSConstants.PASSWORD_TEXT, WSConstants.PASSWORD_DIGEST}) {
            MessageGuard.Opened opened = open(security, TestMessages.named("alice", "secret word", type), null);
            assertThat(identity(opened)).isEqualTo(new Identity("/O=Test/CN=Alice", "password", false));
            assertThat(opened.signing()).isNull();
        }
    }

    static Passwords passwords(Path directory) throws Exception {
        Path file = Files.createFile(
                directory.resolve("passwords"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, "# name, password, subject\nalice\tsecret word\t/O=Test/CN=Alice\n");
        return Passwords.read(file, (account, password) -> false);
    }

    @Test
    void aFileOfPasswordsThatOthersCanReadIsRefused(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("passwords"), "a\tb\t/O=c\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> Passwords.read(file, (account, password) -> false))
                .hasMessageContaining("chmod 600");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(file, "a b /O=c\n");
        assertThatThrownBy(() -> Passwords.read(file, (account, password) -> false))
                .hasMessageContaining("line 1 is not");
    }

    @Test
    void aPlainMessageIsTakenByItsConnectionWhereProtectionIsNotRequired() {
        MessageSecurity accepting =
                TestMessages.security(GRID, TestMessages.settings(Protection.ACCEPT, false), Passwords.none());
        Identity tls = new Identity(TestSigner.ALICE, "tls", false);
        Envelope plain = TestMessages.plain(new TestMessages.Options(new Merlin(false, "")));
        assertThat(open(accepting, plain, tls).identity()).isEqualTo(tls);
        assertThat(open(accepting, plain, null).identity()).isNull();
    }

    @Test
    void aServiceMayHaveAnotherRuleThanTheRest() {
        SecuritySettings settings = TestMessages.settings(Protection.OFF, false);
        SecuritySettings mixed = new SecuritySettings(
                Protection.OFF,
                Map.of("DelegationService", Protection.REQUIRE),
                false,
                settings.maxAge(),
                settings.skew(),
                settings.tokenCharacters(),
                settings.depth(),
                settings.remembered(),
                settings.unaddressed(),
                settings.names(),
                settings.conversations());
        MessageSecurity security = TestMessages.security(GRID, mixed, Passwords.none());
        assertThat(security.of(TestMessages.SERVICE)).isEmpty();
        assertThat(security.of("DelegationService")).isPresent();
    }

    /** The reply is verified by a guard whose trusted signer is the service. */
    @Test
    void aReplyIsSignedByTheServiceOverAllItsParts() {
        TestMessages.Options options = new TestMessages.Options(new Merlin(false, ""));
        MessageGuard guard = required.of(TestMessages.SERVICE).orElseThrow();
        MessageGuard.Opened request = open(required, TestMessages.signed(new TestMessages.Options(GRID.alice())), null);
        byte[] reply = requireNonNull(request.signing(), "unsigned")
                .apply(TestMessages.plain(options).bytes());

        MessageGuard.Opened opened = guard.open(new MessageGuard.Arrived(reply, null, true));

        assertThat(identity(opened).subject()).isEqualTo("/O=Test/CN=localhost");
    }
}
