// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static org.jobgate.wssecurity.RefusedMessage.GRID;
import static org.jobgate.wssecurity.Tampering.first;
import static org.jobgate.wssecurity.Tampering.intoHeader;
import static org.jobgate.wssecurity.Tampering.pointElsewhere;
import static org.jobgate.wssecurity.Tampering.security;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.wss4j.common.crypto.Merlin;
import org.jobgate.soap.MessageGuard;
import org.w3c.dom.Element;

/** Messages in security contexts, and requests for contexts, that must not pass. */
final class RefusedInContexts {

    private RefusedInContexts() {}

    /** A message of a context that is changed on its way, or by a client that knows no better. */
    private static RefusedMessage inContext(String name, Consumer<Envelope> change, String code, String reason) {
        return new RefusedMessage(
                "in a context: " + name,
                guard -> {
                    Envelope envelope = conversation(guard).signed();
                    change.accept(envelope);
                    return envelope;
                },
                code,
                reason);
    }

    private static RefusedMessage madeInContext(
            String name, Function<TestConversation, Envelope> message, String code, String reason) {
        return new RefusedMessage("in a context: " + name, guard -> message.apply(conversation(guard)), code, reason);
    }

    static TestConversation conversation(MessageGuard guard) {
        return TestConversation.open(guard, GRID.alice(), Dialect.OASIS);
    }

    private static Element ofContext(Envelope envelope, String name) {
        return first(envelope, Dialect.OASIS.conversation(), name);
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

    static Stream<RefusedMessage> conversations() {
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
                        envelope -> security(envelope).removeChild(first(envelope, Names.DS, "Signature")),
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
                        envelope -> pointElsewhere(first(envelope, Names.DS, "KeyInfo"), "#the-context"),
                        "SecurityTokenUnavailable",
                        "no BinarySecurityToken"),
                inContext(
                        "rsa in the place of hmac",
                        envelope -> first(envelope, Names.DS, "SignatureMethod")
                                .setAttribute("Algorithm", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"),
                        "UnsupportedAlgorithm",
                        "rsa-sha256"),
                inContext(
                        "a signature value that is cut",
                        envelope -> first(envelope, Names.DS, "SignatureMethod")
                                .appendChild(envelope.document().createElementNS(Names.DS, "ds:HMACOutputLength")),
                        "UnsupportedAlgorithm",
                        "has parameters"),
                inContext(
                        "XSW 1: the signed body in a header of its own",
                        Tampering::wrapBodyIntoHeader,
                        "InvalidSecurity",
                        "does not cover the Body"),
                inContext(
                        "XSW 3: the signed body inside the evil one",
                        Tampering::wrapBodyIntoEvilOne,
                        "InvalidSecurity",
                        "does not cover the Body"),
                inContext(
                        "XSW 5: the evil body has the same id",
                        Tampering::wrapBodyOfTheSameId,
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
                madeInContext(
                        "for another host",
                        conversation -> conversation.signed(
                                with(o -> o.to = "https://other:8443/wsrf/services/" + TestMessages.SERVICE)),
                        "InvalidSecurity",
                        "which is no address of this gateway"),
                inContext("changed body", Tampering::changeProgram, "FailedCheck", "does not match the message"),
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
                        envelope -> pointElsewhere(ofContext(envelope, "DerivedKeyToken"), "#elsewhere"),
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

    private static RefusedMessage asked(String name, String type, String further, String code, String reason) {
        return new RefusedMessage(
                "a context asked for: " + name,
                guard -> TestMessages.signed(with(o -> {
                    o.crypto = GRID.alice();
                    o.body = TestConversation.request(Dialect.OASIS, type, further);
                })),
                code,
                reason);
    }

    private static RefusedMessage askedInContext(
            String name, Function<TestConversation, String> body, String code, String reason) {
        return new RefusedMessage(
                "a context asked for: " + name,
                guard -> {
                    TestConversation conversation = conversation(guard);
                    return conversation.signed(with(o -> o.body = body.apply(conversation)));
                },
                code,
                reason);
    }

    static Stream<RefusedMessage> contextRequests() {
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
}
