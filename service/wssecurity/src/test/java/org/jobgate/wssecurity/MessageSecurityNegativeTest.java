// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.dom.WSConstants;
import org.jobgate.gram.soap.MessageGuard;
import org.jobgate.gram.soap.SoapFaultException;
import org.jobgate.identity.Identity;
import org.jobgate.job.FaultException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Protected messages that must not pass, each with its own reason. The numbers of signature wrapping are those of McIntosh and Austel, and Somorovsky. */
class MessageSecurityNegativeTest {

    private static final TestSigner GRID = new TestSigner();
    private static final String EVIL =
            "<o:create xmlns:o='http://example.org/o'><o:program>/bin/evil</o:program></o:create>";

    private static Passwords passwords = Passwords.none();

    @BeforeAll
    static void users(@TempDir Path directory) throws Exception {
        passwords = MessageSecurityTest.passwords(directory);
    }

    /**
     * One message.
     *
     * @param code the local part of the fault's code
     * @param reason what the fault says
     */
    record Row(String name, Supplier<Envelope> message, String code, String reason) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Row options(String name, Consumer<TestMessages.Options> change, String code, String reason) {
        return new Row(
                name,
                () -> {
                    TestMessages.Options options = new TestMessages.Options(GRID.alice());
                    change.accept(options);
                    return TestMessages.signed(options);
                },
                code,
                reason);
    }

    private static Row tampered(String name, Consumer<Envelope> change, String code, String reason) {
        return new Row(
                name,
                () -> {
                    Envelope envelope = TestMessages.signed(new TestMessages.Options(GRID.alice()));
                    change.accept(envelope);
                    return envelope;
                },
                code,
                reason);
    }

    private static Element security(Envelope envelope) {
        return envelope.security().orElseThrow();
    }

    private static Element of(Envelope envelope, String namespace, String name) {
        return (Element) requireNonNull(
                envelope.document().getElementsByTagNameNS(namespace, name).item(0), name);
    }

    /** A body with another content, with this id or none. */
    private static Element evilBody(Document document, String id) {
        Element body = document.createElementNS(Names.SOAP, "s:Body");
        if (!id.isEmpty()) {
            body.setAttributeNS(Names.WSU, "wsu:Id", id);
        }
        Element create = document.createElementNS("http://example.org/o", "o:create");
        create.setTextContent("/bin/evil");
        body.appendChild(create);
        return body;
    }

    private static Element wrapper(Document document) {
        return document.createElementNS("http://example.org/wrapper", "w:wrapper");
    }

    /** Puts the signed body somewhere else, and an evil one in its place. */
    private static void wrapBody(Envelope envelope, String id, Consumer<Element> place) {
        Element body = envelope.body();
        Node root = body.getParentNode();
        root.replaceChild(evilBody(envelope.document(), id), body);
        place.accept(body);
    }

    private static Element intoHeader(Envelope envelope, Element wrapped) {
        Element around = wrapper(envelope.document());
        around.appendChild(wrapped);
        security(envelope).getParentNode().appendChild(around);
        return around;
    }

    static Stream<Row> wrapping() {
        return Stream.of(
                tampered(
                        "XSW 1: the signed body in a header of its own, another body without id",
                        envelope -> wrapBody(envelope, "", body -> intoHeader(envelope, body)),
                        "InvalidSecurity",
                        "does not cover the Body"),
                tampered(
                        "XSW 2: the signed body in the Security header",
                        envelope -> wrapBody(
                                envelope, "", body -> security(envelope).appendChild(body)),
                        "UnsupportedSecurityToken",
                        "which is not served"),
                tampered(
                        "XSW 3: the signed body inside the evil one",
                        envelope ->
                                wrapBody(envelope, "", body -> envelope.body().appendChild(body)),
                        "InvalidSecurity",
                        "does not cover the Body"),
                tampered(
                        "XSW 4: the evil body has another id",
                        envelope -> wrapBody(envelope, "id-evil", body -> intoHeader(envelope, body)),
                        "InvalidSecurity",
                        "does not cover the Body"),
                tampered(
                        "XSW 5: the evil body has the same id",
                        envelope -> {
                            String id = envelope.body().getAttributeNS(Names.WSU, "Id");
                            wrapBody(envelope, id, body -> intoHeader(envelope, body));
                        },
                        "InvalidSecurity",
                        "stands on two elements"),
                tampered(
                        "XSW 6: the signed body inside the signature's Object",
                        envelope -> wrapBody(envelope, "", body -> {
                            Element object = envelope.document().createElementNS(Names.DS, "ds:Object");
                            object.appendChild(body);
                            of(envelope, Names.DS, "Signature").appendChild(object);
                        }),
                        "InvalidSecurity",
                        "does not cover the Body"),
                tampered(
                        "XSW 7: the signed address in a wrapper, another one in its place",
                        envelope -> {
                            Element to = of(envelope, TestMessages.WSA, "To");
                            Element evil = (Element) to.cloneNode(true);
                            evil.removeAttributeNS(Names.WSU, "Id");
                            to.getParentNode().replaceChild(evil, to);
                            intoHeader(envelope, to);
                        },
                        "InvalidSecurity",
                        "does not cover the header a:To"),
                tampered(
                        "XSW 8: the signed Timestamp in a wrapper, a new one in its place",
                        envelope -> {
                            Element timestamp = of(envelope, Names.WSU, "Timestamp");
                            Element evil = (Element) timestamp.cloneNode(true);
                            evil.removeAttributeNS(Names.WSU, "Id");
                            timestamp.getParentNode().replaceChild(evil, timestamp);
                            intoHeader(envelope, timestamp);
                        },
                        "FailedCheck",
                        "does not match the message"),
                tampered(
                        "a header added behind the signature",
                        envelope -> intoHeader(envelope, wrapper(envelope.document())),
                        "InvalidSecurity",
                        "does not cover the header w:wrapper"));
    }

    static Stream<Row> signatures() {
        return Stream.of(
                options("unsigned body", o -> o.unsigned.add("Body"), "InvalidSecurity", "does not cover the Body"),
                options("unsigned To", o -> o.unsigned.add("To"), "InvalidSecurity", "does not cover the header a:To"),
                options(
                        "unsigned resource",
                        o -> o.unsigned.add("ResourceID"),
                        "InvalidSecurity",
                        "does not cover the header r:ResourceID"),
                options(
                        "unsigned Timestamp",
                        o -> o.unsigned.add("Timestamp"),
                        "InvalidSecurity",
                        "does not cover the Timestamp"),
                options("no Timestamp", o -> o.absent.add("Timestamp"), "InvalidSecurity", "has no Timestamp"),
                options(
                        "no MessageID",
                        o -> o.absent.add("MessageID"),
                        "InvalidSecurity",
                        "0 WS-Addressing headers MessageID"),
                options("no Action", o -> o.absent.add("Action"), "InvalidSecurity", "0 WS-Addressing headers Action"),
                options(
                        "for another service",
                        o -> o.to = "https://gate:8443/wsrf/services/DelegationService",
                        "InvalidSecurity",
                        "not for ManagedJobFactoryService"),
                options(
                        "sha1",
                        o -> {
                            o.signature = Names.DS + "rsa-sha1";
                            o.digest = Names.DS + "sha1";
                        },
                        "UnsupportedAlgorithm",
                        "SHA-1"),
                options("sha1 as digest alone", o -> o.digest = Names.DS + "sha1", "UnsupportedAlgorithm", "SHA-1"),
                options(
                        "inclusive canonicalization",
                        o -> o.canonicalization = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
                        "UnsupportedAlgorithm",
                        "CanonicalizationMethod"),
                options(
                        "another authority's certificate",
                        o -> o.crypto = GRID.mallory(),
                        "FailedAuthentication",
                        "no trusted authority"),
                options(
                        "a proxy without the certificate it was made from",
                        o -> o.crypto = GRID.aliceByProxy(),
                        "FailedAuthentication",
                        "certificates are not good"),
                options(
                        "foreign KeyIdentifier: SKI",
                        o -> o.key = WSConstants.THUMBPRINT_IDENTIFIER,
                        "SecurityTokenUnavailable",
                        "KeyIdentifier"),
                options(
                        "issuer and serial number only",
                        o -> o.key = WSConstants.ISSUER_SERIAL,
                        "SecurityTokenUnavailable",
                        "X509Data"),
                tampered(
                        "changed body",
                        envelope ->
                                of(envelope, "http://example.org/o", "program").setTextContent("/bin/evil"),
                        "FailedCheck",
                        "does not match the message"),
                tampered(
                        "changed signature value",
                        envelope -> of(envelope, Names.DS, "SignatureValue").setTextContent("AAAA"),
                        "FailedCheck",
                        "does not match the message"),
                tampered(
                        "unknown transform",
                        envelope -> of(envelope, Names.DS, "Transform")
                                .setAttribute("Algorithm", "http://www.w3.org/TR/1999/REC-xslt-19991116"),
                        "UnsupportedAlgorithm",
                        "xslt"),
                tampered(
                        "reference to something outside",
                        envelope -> of(envelope, Names.DS, "Reference").setAttribute("URI", "http://example.org/x"),
                        "InvalidSecurity",
                        "refers to 'http://example.org/x'"),
                tampered(
                        "reference to the whole message",
                        envelope -> of(envelope, Names.DS, "Reference").setAttribute("URI", ""),
                        "InvalidSecurity",
                        "refers to ''"),
                tampered(
                        "hmac in the place of rsa",
                        envelope -> of(envelope, Names.DS, "SignatureMethod")
                                .setAttribute("Algorithm", Names.DS + "hmac-sha1"),
                        "UnsupportedAlgorithm",
                        "hmac-sha1"),
                tampered(
                        "two signatures",
                        envelope -> security(envelope)
                                .appendChild(of(envelope, Names.DS, "Signature").cloneNode(true)),
                        "InvalidSecurity",
                        "stands on two elements"),
                tampered(
                        "two Security headers",
                        envelope -> security(envelope)
                                .getParentNode()
                                .appendChild(envelope.document().createElementNS(Names.WSSE, "wsse:Security")),
                        "InvalidSecurity",
                        "2 Security headers"),
                tampered(
                        "for another actor",
                        envelope -> security(envelope).setAttributeNS(Names.SOAP, "s:actor", "urn:somebody"),
                        "InvalidSecurity",
                        "another actor"));
    }

    static Stream<Row> tokensAndTimes() {
        Instant now = Instant.now();
        return Stream.of(
                options(
                        "future timestamp",
                        o -> {
                            o.created = now.plus(Duration.ofMinutes(10));
                            o.expires = o.created.plus(Duration.ofMinutes(1));
                        },
                        "InvalidSecurity",
                        "still to come"),
                options(
                        "expired",
                        o -> {
                            o.created = now.minus(Duration.ofMinutes(10));
                            o.expires = now.minus(Duration.ofMinutes(6));
                        },
                        "MessageExpired",
                        "expired at"),
                options(
                        "too long a life",
                        o -> o.expires = now.plus(Duration.ofDays(1)),
                        "InvalidSecurity",
                        "messageSecurity.maxAge"),
                options(
                        "expires before it is created",
                        o -> o.expires = now.minus(Duration.ofMinutes(1)),
                        "InvalidSecurity",
                        "before it is created"),
                options(
                        "older than the service",
                        o -> {
                            o.created = now.minus(Duration.ofMinutes(3));
                            o.expires = now.plus(Duration.ofMinutes(1));
                        },
                        "MessageExpired",
                        "before this service started"),
                tampered(
                        "oversized token",
                        envelope ->
                                of(envelope, Names.WSSE, "BinarySecurityToken").setTextContent("A".repeat(20_000)),
                        "InvalidSecurityToken",
                        "messageSecurity.maxTokenBytes = 16384"),
                tampered(
                        "token that is no certificate",
                        envelope -> of(envelope, Names.WSSE, "BinarySecurityToken")
                                .setTextContent(
                                        Base64.getEncoder().encodeToString("rubbish".getBytes(StandardCharsets.UTF_8))),
                        "InvalidSecurityToken",
                        "cannot be read"),
                tampered(
                        "token of an unknown kind",
                        envelope -> of(envelope, Names.WSSE, "BinarySecurityToken")
                                .setAttribute("ValueType", "http://example.org/kerberos"),
                        "UnsupportedSecurityToken",
                        "kerberos"),
                tampered(
                        "a SAML assertion",
                        envelope -> security(envelope)
                                .appendChild(envelope.document()
                                        .createElementNS("urn:oasis:names:tc:SAML:2.0:assertion", "saml:Assertion")),
                        "UnsupportedSecurityToken",
                        "saml:Assertion"),
                tampered(
                        "a GT4 security context",
                        envelope -> security(envelope)
                                .appendChild(envelope.document()
                                        .createElementNS(
                                                "http://schemas.xmlsoap.org/ws/2004/04/sc",
                                                "wsc:SecurityContextToken")),
                        "UnsupportedSecurityToken",
                        "SecurityContextToken"),
                new Row(
                        "nothing at all",
                        () -> TestMessages.plain(new TestMessages.Options(new Merlin(false, ""))),
                        "InvalidSecurity",
                        "takes only messages that say themselves"),
                new Row(
                        "encrypted but of nobody",
                        () -> TestMessages.encrypted(
                                TestMessages.plain(new TestMessages.Options(new Merlin(false, ""))), GRID, e -> {}),
                        "InvalidSecurity",
                        "takes only messages that say themselves"),
                new Row(
                        "encrypted in a mode that answers questions",
                        () -> TestMessages.encrypted(
                                TestMessages.signed(new TestMessages.Options(GRID.alice())),
                                GRID,
                                e -> e.setSymmetricEncAlgorithm(Names.XENC + "aes128-cbc")),
                        "UnsupportedAlgorithm",
                        "aes128-cbc"),
                new Row(
                        "encrypted for somebody else",
                        () -> TestMessages.encrypted(
                                TestMessages.signed(new TestMessages.Options(GRID.alice())),
                                GRID,
                                e -> e.setUseThisCert(GRID.aliceCertificate)),
                        "FailedCheck",
                        "cannot be decrypted"),
                new Row(
                        "wrong password",
                        () -> TestMessages.named("alice", "guess", WSConstants.PASSWORD_TEXT),
                        "FailedAuthentication",
                        "do not fit"),
                new Row(
                        "wrong digest",
                        () -> TestMessages.named("alice", "guess", WSConstants.PASSWORD_DIGEST),
                        "FailedAuthentication",
                        "do not fit"),
                new Row(
                        "unknown user",
                        () -> TestMessages.named("mallory", "secret word", WSConstants.PASSWORD_TEXT),
                        "FailedAuthentication",
                        "do not fit"));
    }

    private static MessageGuard guard() {
        return TestMessages.security(GRID, TestMessages.settings(Protection.REQUIRE, false), passwords)
                .of(TestMessages.SERVICE)
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource({"wrapping", "signatures", "tokensAndTimes"})
    void isRefusedWithItsReason(Row row) {
        MessageGuard guard = guard();
        byte[] message = row.message().get().bytes();
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
        List<Row> rows = Stream.of(wrapping(), signatures(), tokensAndTimes())
                .flatMap(part -> part)
                .toList();
        String table = RefusedMessagesPage.table(rows);
        String text = Files.readString(page);
        if ("write".equals(System.getProperty("jobgate.docs"))) {
            text = RefusedMessagesPage.with(text, table);
            Files.writeString(page, text);
        }
        assertThat(text)
                .as("stale? rewrite it with -Dtest=MessageSecurityNegativeTest -Djobgate.docs=write")
                .contains(table);
        assertThat(rows.stream().map(Row::name)).doesNotHaveDuplicates();
    }
}
