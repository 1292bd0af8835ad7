// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.namespace.QName;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.common.ext.WSPasswordCallback;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.engine.WSSecurityEngine;
import org.apache.wss4j.dom.engine.WSSecurityEngineResult;
import org.apache.wss4j.dom.handler.RequestData;
import org.jobgate.identity.Identity;
import org.jobgate.soap.MessageGuard;
import org.jobgate.soap.SoapFaultException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Element;

/** Security contexts from their opening to their end, with WSS4J as the client. What is refused of their messages: MessageSecurityNegativeTest. */
class ConversationTest {

    private static final TestSigner GRID = new TestSigner();
    private static final Duration HOUR = Duration.ofHours(1);

    private Duration later = Duration.ZERO;
    private String revoked = "";
    private final Clock clock = ((InstantSource) () -> Instant.now().plus(later)).withZone(ZoneOffset.UTC);
    private final MessageGuard guard = guard(Protection.REQUIRE, Passwords.none());

    private MessageGuard guard(Protection protection, Passwords passwords) {
        ChainTrust trust = chain -> {
            if (!revoked.isEmpty()) {
                throw new CertificateException(revoked);
            }
            return GRID.trust().check(chain);
        };
        return TestMessages.security(GRID, TestMessages.settings(protection, false), passwords, trust, clock)
                .of(TestMessages.SERVICE)
                .orElseThrow();
    }

    private TestConversation open() {
        return TestConversation.open(guard, GRID.alice(), Dialect.OASIS);
    }

    /** Options of a message of that later time. */
    private TestMessages.Options now() {
        TestMessages.Options options = new TestMessages.Options(new Merlin(false, ""));
        options.created = clock.instant();
        options.expires = options.created.plus(Duration.ofMinutes(4));
        return options;
    }

    private static void assertRefused(MessageGuard guard, Envelope message, String code, String reason) {
        assertRefused(guard, new MessageGuard.Arrived(message.bytes(), null, true), code, reason);
    }

    private static void assertRefused(MessageGuard guard, MessageGuard.Arrived request, String code, String reason) {
        SoapFaultException fault = catchThrowableOfType(SoapFaultException.class, () -> guard.open(request));
        assertThat(fault).isNotNull().hasMessageContaining(reason);
        assertThat(fault.standardCode().map(QName::getLocalPart)).contains(code);
    }

    @ParameterizedTest
    @EnumSource
    void messagesOfAContextAreOfWhoHasOpenedIt(Dialect dialect) {
        TestConversation conversation = TestConversation.open(guard, GRID.alice(), dialect);

        for (String algorithm : List.of(WSConstants.HMAC_SHA256, WSConstants.HMAC_SHA1)) {
            TestConversation.Manner manner = new TestConversation.Manner();
            manner.algorithm = algorithm;
            MessageGuard.Opened opened = TestConversation.open(guard, conversation.signed(manner));
            assertThat(opened.identity()).isEqualTo(new Identity(TestSigner.ALICE, "signature", false));
            assertThat(opened.answer()).isNull();
            assertThat(new String(opened.envelope(), StandardCharsets.UTF_8))
                    .contains("/bin/date", "Fork")
                    .doesNotContain("Security");
        }
    }

    @Test
    void aPathOfProxiesOpensOneForItsOwner() {
        TestMessages.Options options = TestConversation.issue(GRID.aliceByProxy(), Dialect.OASIS, "");
        options.chain = true;
        TestConversation conversation = TestConversation.of(
                Dialect.OASIS, guard, TestConversation.open(guard, TestMessages.signed(options)), null);
        assertThat(conversation.caller(conversation.signed()).subject()).isEqualTo(TestSigner.ALICE);
    }

    @Test
    void aPasswordOpensOneForItsUser(@TempDir Path directory) throws Exception {
        MessageGuard known = guard(Protection.REQUIRE, MessageSecurityTest.passwords(directory));
        Envelope message = TestMessages.named(
                "alice",
                "secret word",
                WSConstants.PASSWORD_DIGEST,
                TestConversation.request(Dialect.OASIS, "Issue", ""));
        TestConversation conversation =
                TestConversation.of(Dialect.OASIS, known, TestConversation.open(known, message), null);
        assertThat(conversation.caller(conversation.signed()).method()).isEqualTo("password");
    }

    /** An account that is locked is out when the context ends, for the system is asked by the password only. */
    @Test
    void oneThatAnAccountsPasswordHasOpenedIsNotRenewed(@TempDir Path directory) throws Exception {
        Path file = Files.createFile(
                directory.resolve("passwords"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, "alice\t$pam$\t/O=Test/CN=Alice\n");
        MessageGuard known = guard(Protection.REQUIRE, Passwords.read(file, (account, password) -> true));
        Envelope message = TestMessages.named(
                "alice",
                "of the account",
                WSConstants.PASSWORD_TEXT,
                TestConversation.request(Dialect.OASIS, "Issue", ""));
        TestConversation conversation =
                TestConversation.of(Dialect.OASIS, known, TestConversation.open(known, message), null);
        later = Duration.ofMinutes(30);
        assertThat(conversation.caller(conversation.signed(now())).subject()).isEqualTo("/O=Test/CN=Alice");
        TestMessages.Options renewal = now();
        renewal.body = conversation.renewal();
        assertRefused(known, conversation.signed(renewal), "UnableToRenew", "the credential that opened it ends at");
    }

    @Test
    void aConnectionsCertificateOpensOneAndATokenDoesNot() {
        MessageGuard accepting = guard(Protection.ACCEPT, Passwords.none());
        byte[] message = TestMessages.plain(TestConversation.issue(GRID.alice(), Dialect.OASIS, ""))
                .bytes();
        Identity alice = new Identity(TestSigner.ALICE, "tls", false);
        X509Certificate[] chain = {GRID.aliceCertificate};
        MessageGuard.Opened opened = accepting.open(new MessageGuard.Arrived(message, alice, chain, true));
        TestConversation conversation = TestConversation.of(Dialect.OASIS, accepting, opened, null);
        assertThat(opened.signing()).isNull();
        assertThat(conversation.caller(conversation.signed())).isEqualTo(alice);

        assertRefused(
                accepting,
                new MessageGuard.Arrived(message, new Identity(TestSigner.ALICE, "token", false), true),
                "FailedAuthentication",
                "by none of them");
    }

    @Test
    void anEncryptedBodyIsDecryptedWithADerivedKey() {
        TestConversation conversation = open();
        TestConversation.Manner manner = new TestConversation.Manner();
        manner.encrypted = true;
        Envelope message = conversation.signed(manner);
        assertThat(new String(message.bytes(), StandardCharsets.UTF_8)).doesNotContain("/bin/date");
        assertThat(new String(TestConversation.open(guard, message).envelope(), StandardCharsets.UTF_8))
                .contains("/bin/date");
    }

    @Test
    void aReplyIsSignedInTheMannerOfItsRequest() throws Exception {
        TestConversation conversation = open().renewed();
        TestConversation.Manner manner = new TestConversation.Manner();
        manner.algorithm = WSConstants.HMAC_SHA384;
        manner.length = 24;
        MessageGuard.Opened request = TestConversation.open(guard, conversation.signed(manner));

        Envelope reply = Envelope.parse(
                requireNonNull(request.signing(), "unsigned")
                        .apply(TestMessages.plain(now()).bytes()),
                TestMessages.DEPTH);

        List<String> asked = new ArrayList<>();
        RequestData data = new RequestData();
        data.setSigVerCrypto(new Merlin(false, ""));
        data.setDisableBSPEnforcement(true);
        data.setCallbackHandler(callbacks -> {
            WSPasswordCallback callback = (WSPasswordCallback) callbacks[0];
            asked.add(callback.getIdentifier());
            callback.setKey(conversation.secret);
        });
        Element security = reply.security().orElseThrow();
        Map<Integer, List<WSSecurityEngineResult>> results =
                new WSSecurityEngine().processSecurityHeader(security, data).getActionResults();
        assertThat(asked).contains(conversation.id);
        WSSecurityEngineResult signature =
                requireNonNull(results.get(WSConstants.SIGN)).getFirst();
        assertThat(signature.get(WSSecurityEngineResult.TAG_SIGNATURE_METHOD)).isEqualTo(WSConstants.HMAC_SHA384);
        new Coverage(Verdicts.references(signature))
                .require(
                        reply,
                        Envelope.children(security, Names.WSU, "Timestamp").getFirst());
        assertThat(ContextShape.length(
                        (Element) security.getElementsByTagNameNS(Dialect.OASIS.conversation(), "DerivedKeyToken")
                                .item(0)))
                .isEqualTo(24);
    }

    @Test
    void aRenewedContextHasAnotherKeyAndTheOneBeforeUntilTheNextRenewal() {
        TestConversation first = open();
        TestConversation second = first.renewed();
        assertThat(second.id).isEqualTo(first.id);
        assertThat(second.instance).isNotEmpty();
        assertThat(second.secret).isNotEqualTo(first.secret);
        first.caller(first.signed());
        second.caller(second.signed());

        second.renewed();

        second.caller(second.signed());
        assertRefused(guard, first.signed(), "BadContextToken", "has no instance");
    }

    @Test
    void aContextLastsUntilItsEndAndLongerIfRenewed() {
        TestConversation kept = open();
        TestConversation left = open();
        later = HOUR.minusMinutes(1);
        TestMessages.Options renewal = now();
        renewal.body = kept.renewal();
        TestConversation renewed = kept.renewed(renewal);
        later = HOUR.plusMinutes(1);
        assertRefused(guard, left.signed(now()), "RenewNeeded", "expired at");
        renewed.caller(renewed.signed(now()));
    }

    @Test
    void aContextDoesNotOutliveTheCertificatesThatOpenedIt() {
        TestMessages.Options options = TestConversation.issue(GRID.aliceByProxy(), Dialect.OASIS, "");
        options.chain = true;
        later = Duration.ofHours(11).plusMinutes(30);
        options.created = clock.instant();
        options.expires = options.created.plusSeconds(60);
        TestConversation conversation = TestConversation.of(
                Dialect.OASIS, guard, TestConversation.open(guard, TestMessages.signed(options)), null);
        Instant end = Instant.parse(TestConversation.text(conversation.response, Names.WSU, "Expires"));
        assertThat(end).isBefore(clock.instant().plus(Duration.ofMinutes(31)));

        TestMessages.Options renewal = now();
        renewal.body = conversation.renewal();
        assertRefused(guard, conversation.signed(renewal), "UnableToRenew", "the credential that opened it ends at");
    }

    @Test
    void aRevokedCertificateEndsItsContexts() {
        TestConversation conversation = open();
        conversation.caller(conversation.signed());
        revoked = "it is revoked";
        later = Conversations.RECHECK.plusSeconds(1);
        assertRefused(guard, conversation.signed(now()), "FailedAuthentication", "it is revoked");
        revoked = "";
        assertRefused(guard, conversation.signed(now()), "BadContextToken", "There is no security context");
    }

    @Test
    void aCancelledContextIsGoneAndTheAnswerIsStillSigned() {
        TestConversation conversation = open();
        MessageGuard.Opened opened =
                TestConversation.open(guard, conversation.signed(conversation.cancel(conversation.id)));
        assertThat(TestConversation.response(opened)
                        .getElementsByTagNameNS(Dialect.OASIS.trust(), "RequestedTokenCancelled")
                        .getLength())
                .isEqualTo(1);
        assertThat(opened.signing()).isNotNull();
        assertRefused(guard, conversation.signed(), "BadContextToken", "There is no security context");
    }

    @Test
    void tooManyContextsOfOneAndOfAllAreRefusedUntilSomeEnd() {
        for (int i = 0; i < 4; i++) {
            open();
        }
        Envelope more = TestMessages.signed(TestConversation.issue(GRID.alice(), Dialect.OASIS, ""));
        assertRefused(guard, more, "RequestFailed", "messageSecurity.maxContextsOfOne = 4");
        later = HOUR.plusMinutes(1);
        TestMessages.Options options = TestConversation.issue(GRID.alice(), Dialect.OASIS, "");
        options.created = clock.instant();
        options.expires = options.created.plusSeconds(60);
        assertThat(TestConversation.open(guard, TestMessages.signed(options)).answer())
                .isNotNull();
    }

    @Test
    void theLimitOfAllContextsHoldsForEverybodyTogether() {
        Conversations conversations = new Conversations(
                TestMessages.settings(Protection.REQUIRE, false).conversations(), clock);
        for (int i = 0; i < 6; i++) {
            Identity one = new Identity("/O=Test/CN=" + i, "signature", false);
            conversations.opened(new Bootstrap(one, Instant.MAX, () -> one), Dialect.OASIS, new byte[32], Instant.MAX);
        }
        Identity seventh = new Identity("/O=Test/CN=7", "signature", false);
        SoapFaultException fault = catchThrowableOfType(
                SoapFaultException.class,
                () -> conversations.opened(
                        new Bootstrap(seventh, Instant.MAX, () -> seventh), Dialect.OASIS, new byte[32], Instant.MAX));
        assertThat(fault).hasMessageContaining("messageSecurity.maxContexts = 6");
    }

    @Test
    void contextsAreNotServedWhereTheSiteDoesNotSaySo() {
        SecuritySettings settings = TestMessages.settings(Protection.REQUIRE, false);
        SecuritySettings without = new SecuritySettings(
                Protection.REQUIRE,
                Map.of(),
                false,
                settings.maxAge(),
                settings.skew(),
                settings.tokenCharacters(),
                settings.depth(),
                settings.remembered(),
                settings.unaddressed(),
                settings.names(),
                new ConversationSettings(
                        Set.of("DelegationService"),
                        HOUR,
                        settings.conversations().total(),
                        settings.conversations().ofOne()));
        MessageSecurity security = TestMessages.security(GRID, without, Passwords.none());
        MessageGuard off = security.of(TestMessages.SERVICE).orElseThrow();
        Envelope request = TestMessages.signed(TestConversation.issue(GRID.alice(), Dialect.OASIS, ""));
        assertThat(Optional.ofNullable(TestConversation.open(off, request).answer()))
                .as("the service itself answers it")
                .isEmpty();
        assertRefused(off, open().signed(), "UnsupportedSecurityToken", "SecurityContextToken");
    }
}
