// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static org.jobgate.wssecurity.RefusedMessage.GRID;
import static org.jobgate.wssecurity.RefusedMessage.options;
import static org.jobgate.wssecurity.RefusedMessage.tampered;
import static org.jobgate.wssecurity.Tampering.first;
import static org.jobgate.wssecurity.Tampering.intoHeader;
import static org.jobgate.wssecurity.Tampering.security;
import static org.jobgate.wssecurity.Tampering.wrapBody;
import static org.jobgate.wssecurity.Tampering.wrapper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.stream.Stream;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.dom.WSConstants;
import org.w3c.dom.Element;

/** Signed, encrypted and named messages that must not pass. The numbers of signature wrapping are those of McIntosh and Austel, and Somorovsky. */
final class RefusedSignatures {

    private RefusedSignatures() {}

    static Stream<RefusedMessage> wrapping() {
        return Stream.of(
                tampered(
                        "XSW 1: the signed body in a header of its own, another body without id",
                        Tampering::wrapBodyIntoHeader,
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
                        Tampering::wrapBodyIntoEvilOne,
                        "InvalidSecurity",
                        "does not cover the Body"),
                tampered(
                        "XSW 4: the evil body has another id",
                        envelope -> wrapBody(envelope, "id-evil", body -> intoHeader(envelope, body)),
                        "InvalidSecurity",
                        "does not cover the Body"),
                tampered(
                        "XSW 5: the evil body has the same id",
                        Tampering::wrapBodyOfTheSameId,
                        "InvalidSecurity",
                        "stands on two elements"),
                tampered(
                        "XSW 6: the signed body inside the signature's Object",
                        envelope -> wrapBody(envelope, "", body -> {
                            Element object = envelope.document().createElementNS(Names.DS, "ds:Object");
                            object.appendChild(body);
                            first(envelope, Names.DS, "Signature").appendChild(object);
                        }),
                        "InvalidSecurity",
                        "does not cover the Body"),
                tampered(
                        "XSW 7: the signed address in a wrapper, another one in its place",
                        envelope -> {
                            Element to = first(envelope, TestMessages.WSA, "To");
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
                            Element timestamp = first(envelope, Names.WSU, "Timestamp");
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

    static Stream<RefusedMessage> signatures() {
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
                        "for another host",
                        o -> o.to = "https://other:8443/wsrf/services/" + TestMessages.SERVICE,
                        "InvalidSecurity",
                        "which is no address of this gateway"),
                options(
                        "for another port of the host",
                        o -> o.to = "https://gate:8444/wsrf/services/" + TestMessages.SERVICE,
                        "InvalidSecurity",
                        "which is no address of this gateway"),
                options(
                        "for no host at all",
                        o -> o.to = "urn:x/" + TestMessages.SERVICE,
                        "InvalidSecurity",
                        "which is no address of this gateway"),
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
                tampered("changed body", Tampering::changeProgram, "FailedCheck", "does not match the message"),
                tampered(
                        "changed signature value",
                        envelope -> first(envelope, Names.DS, "SignatureValue").setTextContent("AAAA"),
                        "FailedCheck",
                        "does not match the message"),
                tampered(
                        "unknown transform",
                        envelope -> first(envelope, Names.DS, "Transform")
                                .setAttribute("Algorithm", "http://www.w3.org/TR/1999/REC-xslt-19991116"),
                        "UnsupportedAlgorithm",
                        "xslt"),
                tampered(
                        "reference to something outside",
                        envelope -> first(envelope, Names.DS, "Reference").setAttribute("URI", "http://example.org/x"),
                        "InvalidSecurity",
                        "refers to 'http://example.org/x'"),
                tampered(
                        "reference to the whole message",
                        envelope -> first(envelope, Names.DS, "Reference").setAttribute("URI", ""),
                        "InvalidSecurity",
                        "refers to ''"),
                tampered(
                        "hmac in the place of rsa",
                        envelope -> first(envelope, Names.DS, "SignatureMethod")
                                .setAttribute("Algorithm", Names.DS + "hmac-sha1"),
                        "UnsupportedAlgorithm",
                        "hmac-sha1"),
                tampered(
                        "two signatures",
                        envelope -> security(envelope)
                                .appendChild(
                                        first(envelope, Names.DS, "Signature").cloneNode(true)),
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

    static Stream<RefusedMessage> tokensAndTimes() {
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
                        envelope -> first(envelope, Names.WSSE, "BinarySecurityToken")
                                .setTextContent("A".repeat(20_000)),
                        "InvalidSecurityToken",
                        "messageSecurity.maxTokenBytes = 16384"),
                tampered(
                        "token that is no certificate",
                        envelope -> first(envelope, Names.WSSE, "BinarySecurityToken")
                                .setTextContent(
                                        Base64.getEncoder().encodeToString("rubbish".getBytes(StandardCharsets.UTF_8))),
                        "InvalidSecurityToken",
                        "cannot be read"),
                tampered(
                        "token of an unknown kind",
                        envelope -> first(envelope, Names.WSSE, "BinarySecurityToken")
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
                new RefusedMessage(
                        "nothing at all",
                        guard -> TestMessages.plain(new TestMessages.Options(new Merlin(false, ""))),
                        "InvalidSecurity",
                        "takes only messages that say themselves"),
                new RefusedMessage(
                        "encrypted but of nobody",
                        guard -> TestMessages.encrypted(
                                TestMessages.plain(new TestMessages.Options(new Merlin(false, ""))), GRID, e -> {}),
                        "InvalidSecurity",
                        "takes only messages that say themselves"),
                new RefusedMessage(
                        "encrypted in a mode that answers questions",
                        guard -> TestMessages.encrypted(
                                TestMessages.signed(new TestMessages.Options(GRID.alice())),
                                GRID,
                                e -> e.setSymmetricEncAlgorithm(Names.XENC + "aes128-cbc")),
                        "UnsupportedAlgorithm",
                        "aes128-cbc"),
                new RefusedMessage(
                        "encrypted for somebody else",
                        guard -> TestMessages.encrypted(
                                TestMessages.signed(new TestMessages.Options(GRID.alice())),
                                GRID,
                                e -> e.setUseThisCert(GRID.aliceCertificate)),
                        "FailedCheck",
                        "cannot be decrypted"),
                new RefusedMessage(
                        "wrong password",
                        guard -> TestMessages.named("alice", "guess", WSConstants.PASSWORD_TEXT),
                        "FailedAuthentication",
                        "do not fit"),
                new RefusedMessage(
                        "wrong digest",
                        guard -> TestMessages.named("alice", "guess", WSConstants.PASSWORD_DIGEST),
                        "FailedAuthentication",
                        "do not fit"),
                new RefusedMessage(
                        "unknown user",
                        guard -> TestMessages.named("mallory", "secret word", WSConstants.PASSWORD_TEXT),
                        "FailedAuthentication",
                        "do not fit"));
    }
}
