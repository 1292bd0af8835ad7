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
import java.util.function.Function;
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
    record Row(String name, Function<MessageGuard, Envelope> message, String code, String reason) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Row options(String name, Consumer<TestMessages.Options> change, String code, String reason) {
        return new Row(
                name,
                guard -> {
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
                guard -> {
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
                        guard -> TestMessages.plain(new TestMessages.Options(new Merlin(false, ""))),
                        "InvalidSecurity",
                        "takes only messages that say themselves"),
                new Row(
                        "encrypted but of nobody",
                        guard -> TestMessages.encrypted(
                                TestMessages.plain(new TestMessages.Options(new Merlin(false, ""))), GRID, e -> {}),
                        "InvalidSecurity",
                        "takes only messages that say themselves"),
                new Row(
                        "encrypted in a mode that answers questions",
                        guard -> TestMessages.encrypted(
                                TestMessages.signed(new TestMessages.Options(GRID.alice())),
                                GRID,
                                e -> e.setSymmetricEncAlgorithm(Names.XENC + "aes128-cbc")),
                        "UnsupportedAlgorithm",
                        "aes128-cbc"),
                new Row(
                        "encrypted for somebody else",
                        guard -> TestMessages.encrypted(
                                TestMessages.signed(new TestMessages.Options(GRID.alice())),
                                GRID,
                                e -> e.setUseThisCert(GRID.aliceCertificate)),
                        "FailedCheck",
                        "cannot be decrypted"),
                new Row(
                        "wrong password",
                        guard -> TestMessages.named("alice", "guess", WSConstants.PASSWORD_TEXT),
                        "FailedAuthentication",
                        "do not fit"),
                new Row(
                        "wrong digest",
                        guard -> TestMessages.named("alice", "guess", WSConstants.PASSWORD_DIGEST),
                        "FailedAuthentication",
                        "do not fit"),
                new Row(
                        "unknown user",
                        guard -> TestMessages.named("mallory", "secret word", WSConstants.PASSWORD_TEXT),
                        "FailedAuthentication",
                        "do not fit"));
    }

    /** A message of a context that is changed on its way, or by a client that knows no better. */
    private static Row inContext(String name, Consumer<Envelope> change, String code, String reason) {
        return new Row(
                "in a context: " + name,
                guard -> {
                    Envelope envelope = conversation(guard).signed();
                    change.accept(envelope);
                    return envelope;
                },
                code,
                reason);
    }

    private static Row madeInContext(
            String name, Function<TestConversation, Envelope> message, String code, String reason) {
        return new Row("in a context: " + name, guard -> message.apply(conversation(guard)), code, reason);
    }

    private static TestConversation conversation(MessageGuard guard) {
        return TestConversation.open(guard, GRID.alice(), Dialect.OASIS);
    }

    private static Element ofContext(Envelope envelope, String name) {
        return of(envelope, Dialect.OASIS.conversation(), name);
    }

    private static Consumer<Envelope> text(String name, String text) {
        return envelope -> ofContext(envelope, name).setTextContent(text);
    }

    private static void add(Element parent, String name, String text) {
        Element child = parent.getOwnerDocument().createElementNS(Dialect.OASIS.conversation(), name);
        child.setTextContent(text);
        parent.appendChild(child);
    }

    private static void copy(Envelope envelope, String name, String id) {
        Element copy = (Element) ofContext(envelope, name).cloneNode(true);
        copy.setAttributeNS(Names.WSU, "wsu:Id", id);
        Envelope.children(copy, Names.WSSE, "SecurityTokenReference")
                .forEach(reference -> reference.removeAttributeNS(Names.WSU, "Id"));
        security(envelope).appendChild(copy);
    }

    private static TestMessages.Options with(Consumer<TestMessages.Options> change) {
        TestMessages.Options options = new TestMessages.Options(new Merlin(false, ""));
        change.accept(options);
        return options;
    }

    static Stream<Row> conversations() {
        return Stream.of(
                inContext(
                        "unknown context",
                        text("Identifier", "urn:uuid:0"),
                        "BadContextToken",
                        "There is no security context urn:uuid:0"),
                inContext(
                        "unknown instance",
                        envelope -> add(ofContext(envelope, "SecurityContextToken"), "Instance", "urn:uuid:1"),
                        "BadContextToken",
                        "has no instance 'urn:uuid:1'"),
                inContext(
                        "a context token with something else in it",
                        envelope -> add(ofContext(envelope, "SecurityContextToken"), "Cookie", "x"),
                        "BadContextToken",
                        "one Identifier and at most one Instance"),
                inContext(
                        "two context tokens",
                        envelope -> copy(envelope, "SecurityContextToken", "another"),
                        "BadContextToken",
                        "2 SecurityContextTokens"),
                madeInContext(
                        "wrong key",
                        conversation -> {
                            conversation.secret = new byte[32];
                            return conversation.signed();
                        },
                        "FailedCheck",
                        "does not match the message"),
                madeInContext(
                        "the key of another context",
                        conversation -> {
                            conversation.secret = conversation(conversation.guard).secret;
                            return conversation.signed();
                        },
                        "FailedCheck",
                        "does not match the message"),
                inContext(
                        "not signed",
                        envelope -> security(envelope).removeChild(of(envelope, Names.DS, "Signature")),
                        "InvalidSecurity",
                        "names a security context and is not signed"),
                inContext(
                        "another token as well",
                        envelope -> security(envelope)
                                .appendChild(envelope.document().createElementNS(Names.WSSE, "wsse:EncryptedKey")),
                        "InvalidSecurity",
                        "a token of another kind as well: EncryptedKey"),
                inContext(
                        "signed with the context's own key",
                        envelope -> of(envelope, Names.DS, "KeyInfo")
                                .getElementsByTagNameNS(Names.WSSE, "Reference")
                                .item(0)
                                .getAttributes()
                                .getNamedItem("URI")
                                .setNodeValue("#the-context"),
                        "SecurityTokenUnavailable",
                        "no BinarySecurityToken"),
                inContext(
                        "rsa in the place of hmac",
                        envelope -> of(envelope, Names.DS, "SignatureMethod")
                                .setAttribute("Algorithm", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"),
                        "UnsupportedAlgorithm",
                        "rsa-sha256"),
                inContext(
                        "a signature value that is cut",
                        envelope -> of(envelope, Names.DS, "SignatureMethod")
                                .appendChild(envelope.document().createElementNS(Names.DS, "ds:HMACOutputLength")),
                        "UnsupportedAlgorithm",
                        "has parameters"),
                inContext(
                        "XSW 1: the signed body in a header of its own",
                        envelope -> wrapBody(envelope, "", body -> intoHeader(envelope, body)),
                        "InvalidSecurity",
                        "does not cover the Body"),
                inContext(
                        "XSW 3: the signed body inside the evil one",
                        envelope ->
                                wrapBody(envelope, "", body -> envelope.body().appendChild(body)),
                        "InvalidSecurity",
                        "does not cover the Body"),
                inContext(
                        "XSW 5: the evil body has the same id",
                        envelope -> {
                            String id = envelope.body().getAttributeNS(Names.WSU, "Id");
                            wrapBody(envelope, id, body -> intoHeader(envelope, body));
                        },
                        "InvalidSecurity",
                        "stands on two elements"),
                inContext(
                        "the derived key in a wrapper",
                        envelope -> {
                            Element key = ofContext(envelope, "DerivedKeyToken");
                            intoHeader(envelope, key);
                        },
                        "SecurityTokenUnavailable",
                        "no BinarySecurityToken"),
                madeInContext(
                        "unsigned resource",
                        conversation -> conversation.signed(with(o -> o.unsigned.add("ResourceID"))),
                        "InvalidSecurity",
                        "does not cover the header r:ResourceID"),
                madeInContext(
                        "no Timestamp",
                        conversation -> conversation.signed(with(o -> o.absent.add("Timestamp"))),
                        "InvalidSecurity",
                        "has no Timestamp"),
                madeInContext(
                        "for another service",
                        conversation ->
                                conversation.signed(with(o -> o.to = "https://gate:8443/wsrf/services/Another")),
                        "InvalidSecurity",
                        "not for ManagedJobFactoryService"),
                inContext(
                        "changed body",
                        envelope ->
                                of(envelope, "http://example.org/o", "program").setTextContent("/bin/evil"),
                        "FailedCheck",
                        "does not match the message"),
                madeInContext(
                        "sha1 as digest",
                        conversation -> conversation.signed(with(o -> o.digest = Names.DS + "sha1")),
                        "UnsupportedAlgorithm",
                        "SHA-1"),
                inContext("a Nonce of no bytes", text("Nonce", " "), "InvalidSecurityToken", "has 0 bytes"),
                inContext("a short Nonce", text("Nonce", "AAAAAAAA"), "InvalidSecurityToken", "has 6 bytes"),
                inContext(
                        "an oversized Nonce",
                        text("Nonce", "A".repeat(4000)),
                        "InvalidSecurityToken",
                        "4000 characters"),
                inContext(
                        "a Nonce that is not base64", text("Nonce", "!!!!"), "InvalidSecurityToken", "must be base64"),
                inContext(
                        "no Nonce",
                        envelope -> {
                            Element nonce = ofContext(envelope, "Nonce");
                            nonce.getParentNode().removeChild(nonce);
                        },
                        "InvalidSecurityToken",
                        "has no Nonce"),
                inContext("Length 8", text("Length", "8"), "InvalidSecurityToken", "Length of a derived key is 8"),
                inContext("Length 65", text("Length", "65"), "InvalidSecurityToken", "Length of a derived key is 65"),
                inContext(
                        "an endless Length",
                        text("Length", "2000000000"),
                        "InvalidSecurityToken",
                        "no number of bytes"),
                inContext(
                        "Offset out of bounds",
                        text("Offset", "1025"),
                        "InvalidSecurityToken",
                        "Offset of a derived key is 1025"),
                inContext("Offset below 0", text("Offset", "-1"), "InvalidSecurityToken", "no number of bytes"),
                inContext(
                        "a Length that a comment cuts",
                        envelope -> {
                            Element length = ofContext(envelope, "Length");
                            length.setTextContent("3");
                            length.appendChild(envelope.document().createComment(""));
                            length.appendChild(envelope.document().createTextNode("2"));
                        },
                        "UnsupportedSecurityToken",
                        "Length, which is not served there"),
                inContext(
                        "Generation in the place of Offset",
                        envelope -> add(ofContext(envelope, "DerivedKeyToken"), "Generation", "1"),
                        "UnsupportedSecurityToken",
                        "Generation"),
                inContext(
                        "two Offsets",
                        envelope -> add(ofContext(envelope, "DerivedKeyToken"), "Offset", "1"),
                        "InvalidSecurity",
                        "says something twice"),
                inContext(
                        "an oversized Label",
                        envelope -> add(ofContext(envelope, "DerivedKeyToken"), "Label", "a".repeat(300)),
                        "InvalidSecurityToken",
                        "longer than 256 characters"),
                inContext(
                        "another derivation",
                        envelope -> ofContext(envelope, "DerivedKeyToken")
                                .setAttribute("Algorithm", "http://example.org/p_md5"),
                        "UnsupportedAlgorithm",
                        "p_md5"),
                inContext(
                        "a key derived from something else",
                        envelope -> ofContext(envelope, "DerivedKeyToken")
                                .getElementsByTagNameNS(Names.WSSE, "Reference")
                                .item(0)
                                .getAttributes()
                                .getNamedItem("URI")
                                .setNodeValue("#elsewhere"),
                        "UnknownDerivationSource",
                        "not derived from the SecurityContextToken"),
                inContext(
                        "a derived key without the context's token",
                        envelope -> security(envelope).removeChild(ofContext(envelope, "SecurityContextToken")),
                        "UnknownDerivationSource",
                        "without the SecurityContextToken"),
                inContext(
                        "many derived keys",
                        envelope -> {
                            for (int i = 0; i < 4; i++) {
                                copy(envelope, "DerivedKeyToken", "further-" + i);
                            }
                        },
                        "InvalidSecurity",
                        "holds 5 derived keys"));
    }

    private static Row asked(String name, String type, String further, String code, String reason) {
        return new Row(
                "a context asked for: " + name,
                guard -> TestMessages.signed(with(o -> {
                    o.crypto = GRID.alice();
                    o.body = TestConversation.request(Dialect.OASIS, type, further);
                })),
                code,
                reason);
    }

    private static Row askedInContext(
            String name, Function<TestConversation, String> body, String code, String reason) {
        return new Row(
                "a context asked for: " + name,
                guard -> {
                    TestConversation conversation = conversation(guard);
                    return conversation.signed(with(o -> o.body = body.apply(conversation)));
                },
                code,
                reason);
    }

    static Stream<Row> contextRequests() {
        return Stream.of(
                asked("another kind of request", "Validate", "", "InvalidRequest", "Validate' is not served"),
                asked(
                        "another kind of key",
                        "Issue",
                        "<t:KeyType>http://example.org/Bearer</t:KeyType>",
                        "InvalidRequest",
                        "The KeyType"),
                asked(
                        "another kind of token",
                        "Issue",
                        "<t:TokenType>http://example.org/saml</t:TokenType>",
                        "InvalidRequest",
                        "2 elements TokenType"),
                asked(
                        "another computation of the key",
                        "Issue",
                        "<t:ComputedKeyAlgorithm>http://example.org/x</t:ComputedKeyAlgorithm>",
                        "InvalidRequest",
                        "The ComputedKeyAlgorithm"),
                asked(
                        "a key of an odd size",
                        "Issue",
                        "<t:KeySize>100000</t:KeySize>",
                        "InvalidRequest",
                        "The KeySize '100000'"),
                asked(
                        "little entropy",
                        "Issue",
                        TestConversation.entropy(Dialect.OASIS, new byte[8]),
                        "InvalidRequest",
                        "has 8 bytes"),
                asked(
                        "oversized entropy",
                        "Issue",
                        TestConversation.entropy(Dialect.OASIS, new byte[4000]),
                        "InvalidRequest",
                        "more than 64 bytes need"),
                asked("entropy of another kind", "Issue", "<t:Entropy/>", "InvalidRequest", "no BinarySecret"),
                asked(
                        "a life that is over",
                        "Issue",
                        "<t:Lifetime><u:Expires>2020-01-01T00:00:00Z</u:Expires></t:Lifetime>",
                        "InvalidRequest",
                        "ended at"),
                asked(
                        "a life until no time",
                        "Issue",
                        "<t:Lifetime><u:Expires>soon</u:Expires></t:Lifetime>",
                        "InvalidRequest",
                        "'soon' is no time"),
                asked(
                        "renewed from outside",
                        "Renew",
                        "",
                        "FailedAuthentication",
                        "not protected with a security context"),
                asked(
                        "cancelled from outside",
                        "Cancel",
                        "",
                        "FailedAuthentication",
                        "not protected with a security context"),
                askedInContext(
                        "from inside another",
                        conversation -> TestConversation.request(Dialect.OASIS, "Issue", ""),
                        "FailedAuthentication",
                        "by a message of another one"),
                askedInContext(
                        "another one cancelled",
                        conversation -> conversation.cancel(conversation(conversation.guard).id).body,
                        "FailedAuthentication",
                        "is not the security context that the request is protected with"),
                askedInContext(
                        "nothing to cancel",
                        conversation -> TestConversation.request(Dialect.OASIS, "Cancel", ""),
                        "InvalidRequest",
                        "has no CancelTarget"));
    }

    private static MessageGuard guard() {
        return TestMessages.security(GRID, TestMessages.settings(Protection.REQUIRE, false), passwords)
                .of(TestMessages.SERVICE)
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource({"wrapping", "signatures", "tokensAndTimes", "conversations", "contextRequests"})
    void isRefusedWithItsReason(Row row) {
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
        byte[] message = conversation(guard).signed().bytes();
        guard.open(new MessageGuard.Arrived(message, null, true));
        assertRefused(guard, new MessageGuard.Arrived(message, null, true), "InvalidSecurity", "a replay");
    }

    @Test
    void aContextOfOneOverTheConnectionOfAnotherIsRefused() {
        MessageGuard guard = guard();
        byte[] message = conversation(guard).signed().bytes();
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
        List<Row> rows = Stream.of(wrapping(), signatures(), tokensAndTimes(), conversations(), contextRequests())
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
