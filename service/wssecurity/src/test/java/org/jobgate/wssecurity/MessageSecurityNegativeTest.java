// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.jobgate.wssecurity.RefusedMessage.GRID;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.apache.wss4j.dom.WSConstants;
import org.jobgate.identity.Identity;
import org.jobgate.job.FaultException;
import org.jobgate.soap.MessageGuard;
import org.jobgate.soap.SoapFaultException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Protected messages that must not pass, each with its own reason: {@link RefusedSignatures}, {@link RefusedInContexts}, and some in a row. */
class MessageSecurityNegativeTest {

    private static final String EVIL =
            "<o:create xmlns:o='http://example.org/o'><o:program>/bin/evil</o:program></o:create>";

    private static Passwords passwords = Passwords.none();

    @BeforeAll
    static void users(@TempDir Path directory) throws Exception {
        passwords = MessageSecurityTest.passwords(directory);
    }

    private static Stream<RefusedMessage> rows() {
        return Stream.of(
                        RefusedSignatures.wrapping(),
                        RefusedSignatures.signatures(),
                        RefusedSignatures.tokensAndTimes(),
                        RefusedInContexts.conversations(),
                        RefusedInContexts.contextRequests())
                .flatMap(part -> part);
    }

    private static MessageGuard guard() {
        return TestMessages.security(GRID, TestMessages.settings(Protection.REQUIRE, false), passwords)
                .of(TestMessages.SERVICE)
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void isRefusedWithItsReason(RefusedMessage row) {
        MessageGuard guard = guard();
        byte[] message = row.message().apply(guard).bytes();
        assertRefused(guard, new MessageGuard.Arrived(message, null, true), row.code(), row.reason());
    }

    private static void assertRefused(MessageGuard guard, MessageGuard.Arrived request, String code, String reason) {
        SoapFaultException fault = catchThrowableOfType(SoapFaultException.class, () -> guard.open(request));
        assertThat(fault).isNotNull().hasMessageContaining(reason);
        assertThat(fault.standardCode().map(QName::getLocalPart)).contains(code);
    }

    @Test
    void aReplayIsRefused() {
        MessageGuard guard = guard();
        TestMessages.Options options = new TestMessages.Options(GRID.alice());
        byte[] message = TestMessages.signed(options).bytes();
        guard.open(new MessageGuard.Arrived(message, null, true));
        assertRefused(guard, new MessageGuard.Arrived(message, null, true), "InvalidSecurity", "a replay");
    }

    @Test
    void aReplayInAContextIsRefused() {
        MessageGuard guard = guard();
        byte[] message = RefusedInContexts.conversation(guard).signed().bytes();
        guard.open(new MessageGuard.Arrived(message, null, true));
        assertRefused(guard, new MessageGuard.Arrived(message, null, true), "InvalidSecurity", "a replay");
    }

    @Test
    void aContextOfOneOverTheConnectionOfAnotherIsRefused() {
        MessageGuard guard = guard();
        byte[] message = RefusedInContexts.conversation(guard).signed().bytes();
        Identity bob = new Identity("/O=Test/CN=Bob", "tls", false);
        assertRefused(guard, new MessageGuard.Arrived(message, bob, true), "FailedAuthentication", "/O=Test/CN=Bob");
    }

    @Test
    void aContextIsNotOpenedOverAnOpenConnection() {
        byte[] message = TestMessages.signed(TestConversation.issue(GRID.alice(), Dialect.OASIS, ""))
                .bytes();
        assertRefused(guard(), new MessageGuard.Arrived(message, null, false), "RequestFailed", "over https only");
    }

    @Test
    void theSameDigestOfAPasswordIsTakenOnce() {
        MessageGuard guard = guard();
        byte[] message = TestMessages.named("alice", "secret word", WSConstants.PASSWORD_DIGEST)
                .bytes();
        guard.open(new MessageGuard.Arrived(message, null, true));
        assertRefused(guard, new MessageGuard.Arrived(message, null, true), "InvalidSecurity", "a replay");
    }

    @Test
    void aPasswordOverAnOpenConnectionIsRefused() {
        byte[] message = TestMessages.named("alice", "secret word", WSConstants.PASSWORD_TEXT)
                .bytes();
        assertRefused(
                guard(), new MessageGuard.Arrived(message, null, false), "FailedAuthentication", "over https only");
    }

    @Test
    void aMessageOfOneOverTheConnectionOfAnotherIsRefused() {
        byte[] message =
                TestMessages.signed(new TestMessages.Options(GRID.alice())).bytes();
        Identity bob = new Identity("/O=Test/CN=Bob", "tls", false);
        assertRefused(guard(), new MessageGuard.Arrived(message, bob, true), "FailedAuthentication", "/O=Test/CN=Bob");
    }

    @Test
    void aFullMemoryRefusesWhatIsNewAndSaysTheLimit() {
        MessageGuard guard = guard();
        for (int i = 0; i < 100; i++) {
            guard.open(new MessageGuard.Arrived(
                    TestMessages.named("alice", "secret word", WSConstants.PASSWORD_DIGEST)
                            .bytes(),
                    null,
                    true));
        }
        byte[] message = TestMessages.named("alice", "secret word", WSConstants.PASSWORD_DIGEST)
                .bytes();
        FaultException fault = catchThrowableOfType(
                FaultException.class, () -> guard.open(new MessageGuard.Arrived(message, null, true)));
        assertThat(fault).hasMessageContaining("messageSecurity.maxRemembered");
    }

    @Test
    void aDocumentTypeAndEndlessDepthAreNotRead() {
        String doctype = "<!DOCTYPE x [<!ENTITY e 'x'>]><s:Envelope xmlns:s='" + Names.SOAP + "'><s:Body>&e;" + EVIL
                + "</s:Body></s:Envelope>";
        String deep = "<s:Envelope xmlns:s='" + Names.SOAP + "'><s:Body>" + "<a>".repeat(10_000) + "</a>".repeat(10_000)
                + "</s:Body></s:Envelope>";
        for (String text : new String[] {doctype, deep, "<a/>", "no XML"}) {
            SoapFaultException fault = catchThrowableOfType(
                    SoapFaultException.class,
                    () -> guard().open(new MessageGuard.Arrived(text.getBytes(StandardCharsets.UTF_8), null, true)));
            assertThat(fault).isNotNull().hasMessageContaining("SOAP 1.1 envelope");
        }
    }

    @Test
    void theTableOfThePageIsThis() throws Exception {
        Path page = Path.of(System.getProperty("jobgate.root"), "docs", "operate", "refusals.md");
        List<RefusedMessage> rows = rows().toList();
        String table = RefusedMessagesPage.table(rows);
        String text = Files.readString(page);
        if ("write".equals(System.getProperty("jobgate.docs"))) {
            text = RefusedMessagesPage.with(text, table);
            Files.writeString(page, text);
        }
        assertThat(text)
                .as("stale? rewrite it with -Dtest=MessageSecurityNegativeTest -Djobgate.docs=write")
                .contains(table);
        assertThat(rows.stream().map(RefusedMessage::name)).doesNotHaveDuplicates();
    }
}
