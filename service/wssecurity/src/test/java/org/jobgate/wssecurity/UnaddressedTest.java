// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jobgate.identity.Identity;
import org.jobgate.soap.MessageGuard;
import org.jobgate.soap.SoapFaultException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Messages of clients that sign the Body and the Timestamp and know nothing of WS-Addressing. */
class UnaddressedTest {

    private static final TestSigner GRID = new TestSigner();
    private static final Identity OWN = new Identity(TestSigner.ALICE, "tls", false);
    private static final List<String> ADDRESSING = List.of("To", "Action", "MessageID");

    private final MessageGuard guard = guard(new Unaddressed(Set.of(TestMessages.SERVICE), Set.of()));
    private final MessageGuard open =
            guard(new Unaddressed(Set.of(TestMessages.SERVICE), Set.of(TestMessages.SERVICE)));

    private static MessageGuard guard(Unaddressed unaddressed) {
        SecuritySettings common = TestMessages.settings(Protection.REQUIRE, false);
        SecuritySettings settings = new SecuritySettings(
                common.byDefault(),
                common.services(),
                common.sha1(),
                common.maxAge(),
                common.skew(),
                common.tokenCharacters(),
                common.depth(),
                common.remembered(),
                unaddressed,
                common.names(),
                common.conversations());
        return TestMessages.security(GRID, settings, Passwords.none())
                .of(TestMessages.SERVICE)
                .orElseThrow();
    }

    private static TestMessages.Options without(List<String> headers) {
        TestMessages.Options options = new TestMessages.Options(GRID.alice());
        options.absent.addAll(headers);
        return options;
    }

    private static MessageGuard.Opened send(MessageGuard guard, Envelope message, @Nullable Identity connection) {
        return guard.open(
                new MessageGuard.Arrived(message.bytes(), connection, new X509Certificate[0], true, "192.0.2.1"));
    }

    private static String refusal(MessageGuard guard, Envelope message, @Nullable Identity connection) {
        return String.valueOf(catchThrowableOfType(SoapFaultException.class, () -> send(guard, message, connection))
                .getMessage());
    }

    @Test
    void overAConnectionOfTheSignerItIsTakenOnce() {
        Envelope message = TestMessages.signed(without(ADDRESSING));

        MessageGuard.Opened opened = send(guard, message, OWN);

        assertThat(opened.identity()).isNotNull().extracting(Identity::method).isEqualTo("signature");
        assertThat(opened.signing()).isNotNull();
        assertThat(refusal(guard, message, OWN)).contains("has come before");
        assertThat(send(guard, TestMessages.signed(without(ADDRESSING)), OWN).identity())
                .isNotNull();
    }

    @Test
    void overAnyOtherConnectionOnlyWhereTheSiteSaysSo() {
        Envelope message = TestMessages.signed(without(ADDRESSING));
        assertThat(refusal(guard, message, null)).contains("for whom it is", "messageSecurity.unaddressed");
        assertThat(refusal(guard, message, new Identity("/O=Grid/CN=Mallory", "tls", false)))
                .contains("for whom it is");
        assertThat(refusal(guard, message, new Identity(TestSigner.ALICE, "tls", true)))
                .as("a limited proxy, such as a job elsewhere has it")
                .contains("for whom it is");

        assertThat(send(open, message, null).identity()).isNotNull();
        assertThat(refusal(open, message, null)).contains("has come before");
    }

    /** The client that this is for sends To and Action; what is sent on from another service has another To. */
    @Test
    void whatSaysForWhomItIsNeedsNothingElse() {
        Envelope message = TestMessages.signed(without(List.of("MessageID", "Action")));
        assertThat(send(guard, message, null).identity()).isNotNull();
        assertThat(refusal(guard, message, null)).contains("has come before");

        TestMessages.Options other = without(List.of("MessageID"));
        other.to = "https://gate:8443/wsrf/services/OtherService";
        assertThat(refusal(open, TestMessages.signed(other), OWN)).contains("not for " + TestMessages.SERVICE);

        TestMessages.Options elsewhere = without(List.of("MessageID"));
        elsewhere.to = "https://other.example.org:8443/bes/" + TestMessages.SERVICE;
        assertThat(refusal(open, TestMessages.signed(elsewhere), OWN)).contains("no address of this gateway");
    }

    @Test
    void whatIsThereMustBeSigned() {
        for (String part : List.of("Body", "Timestamp", "To", "Action", "MessageID", "ResourceID")) {
            TestMessages.Options options = without(List.of());
            options.unsigned.add(part);
            assertThat(refusal(open, TestMessages.signed(options), OWN))
                    .as(part)
                    .contains("does not cover");
        }
        assertThat(refusal(open, TestMessages.signed(without(List.of("To", "Timestamp"))), OWN))
                .contains("no Timestamp");
    }

    @Test
    void aMessageIdTellsMessagesOfTheSameMomentApart() {
        TestMessages.Options first = without(List.of("To", "Action"));
        TestMessages.Options second = without(List.of("To", "Action"));
        second.created = first.created;
        second.expires = first.expires;
        second.messageId = "uuid:" + UUID.randomUUID();
        send(guard, TestMessages.signed(first), OWN);
        send(guard, TestMessages.signed(second), OWN);
        assertThat(refusal(guard, TestMessages.signed(second), OWN)).contains("has come before");
    }

    @Test
    void otherServicesAskForAllOfIt() {
        MessageGuard strict = guard(Unaddressed.NONE);
        for (String header : ADDRESSING) {
            assertThat(refusal(strict, TestMessages.signed(without(List.of(header))), OWN))
                    .contains("0 WS-Addressing headers " + header);
        }
    }
}
