// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.util.Base64;
import javax.crypto.spec.SecretKeySpec;
import javax.xml.crypto.dsig.Reference;
import javax.xml.crypto.dsig.XMLSignature;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMValidateContext;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.common.derivedKey.P_SHA1;
import org.jobgate.soap.MessageGuard;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

/**
 * Signed replies as others verify them: by the JDK, which shares no code of signatures with what signs, and by what GT 4.0's clients do not
 * take. The issuer of all certificates here signs with SHA-256.
 */
class SignedReplyTest {

    private static final TestSigner GRID = new TestSigner();

    /** A reply whose values rely on a prefix that only the Envelope declares. */
    private static final String FAULT =
            "<s:Fault xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:type='a:Fault'/>";

    private final MessageSecurity security =
            TestMessages.security(GRID, TestMessages.settings(Protection.REQUIRE, true), Passwords.none());

    private static Envelope reply(MessageGuard.Opened request) {
        TestMessages.Options options = new TestMessages.Options(new Merlin(false, ""));
        options.body = FAULT;
        byte[] plain = TestMessages.plain(options).bytes();
        return Envelope.parse(requireNonNull(request.signing(), "unsigned").apply(plain), TestMessages.DEPTH);
    }

    private static Element only(Element root, String namespace, String name) {
        var found = root.getElementsByTagNameNS(namespace, name);
        assertThat(found.getLength()).as(name).isEqualTo(1);
        return (Element) found.item(0);
    }

    private static void assertTakenByGt40(Envelope reply) {
        Element method = only(reply.document().getDocumentElement(), Names.DS, "CanonicalizationMethod");
        assertThat(method.getAttribute("Algorithm")).isEqualTo(Names.EXCLUSIVE);
        assertThat(method.hasChildNodes())
                .as("children of CanonicalizationMethod")
                .isFalse();
    }

    private static DOMValidateContext context(Envelope reply, Key key) {
        Element envelope = reply.document().getDocumentElement();
        DOMValidateContext context = new DOMValidateContext(key, only(envelope, Names.DS, "Signature"));
        var all = envelope.getElementsByTagName("*");
        for (int i = 0; i < all.getLength(); i++) {
            Element element = (Element) all.item(i);
            if (element.hasAttributeNS(Names.WSU, "Id")) {
                context.setIdAttributeNS(element, Names.WSU, "Id");
            }
        }
        return context;
    }

    private static void assertVerifiedByTheJdk(Envelope reply, Key key, String algorithm) throws Exception {
        DOMValidateContext context = context(reply, key);
        XMLSignature signature =
                XMLSignatureFactory.getInstance("DOM", "XMLDSig").unmarshalXMLSignature(context);
        for (Object reference : signature.getSignedInfo().getReferences()) {
            assertThat(((Reference) reference).validate(context))
                    .as(((Reference) reference).getURI())
                    .isTrue();
        }
        assertThat(signature.validate(context)).isTrue();
        assertThat(signature.getSignedInfo().getSignatureMethod().getAlgorithm())
                .isEqualTo(algorithm);
        // Body, Timestamp and the four headers
        assertThat(signature.getSignedInfo().getReferences()).hasSize(6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sha1", "sha256"})
    void aReplyListsNoPrefixesInItsCanonicalizationAndTheJdkVerifiesIt(String digest) throws Exception {
        TestMessages.Options options = new TestMessages.Options(GRID.alice());
        options.signature = digest.equals("sha1") ? Names.DS + "rsa-sha1" : options.signature;
        options.digest = digest.equals("sha1") ? Names.DS + "sha1" : options.digest;
        MessageGuard guard = security.of(TestMessages.SERVICE).orElseThrow();

        Envelope reply = reply(TestConversation.open(guard, TestMessages.signed(options)));

        assertTakenByGt40(reply);
        assertVerifiedByTheJdk(reply, GRID.service.getPublic(), "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256");
        // WSS4J, as a guard that trusts the service
        assertThat(requireNonNull(TestConversation.open(guard, reply).identity())
                        .subject())
                .isEqualTo("/O=Test/CN=localhost");
    }

    @ParameterizedTest
    @EnumSource
    void aReplyInAContextAsWell(Dialect dialect) throws Exception {
        MessageGuard guard = security.of(TestMessages.SERVICE).orElseThrow();
        TestConversation conversation = TestConversation.open(guard, GRID.alice(), dialect);

        Envelope reply = reply(TestConversation.open(guard, conversation.signed()));

        assertTakenByGt40(reply);
        assertVerifiedByTheJdk(
                reply,
                derived(reply, dialect, conversation.secret),
                "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256");
    }

    private static Key derived(Envelope reply, Dialect dialect, byte[] secret) throws Exception {
        Element token = only(reply.document().getDocumentElement(), dialect.conversation(), "DerivedKeyToken");
        byte[] nonce = Base64.getMimeDecoder()
                .decode(only(token, dialect.conversation(), "Nonce").getTextContent());
        byte[] label = "WS-SecureConversationWS-SecureConversation".getBytes(StandardCharsets.UTF_8);
        byte[] seed = new byte[label.length + nonce.length];
        System.arraycopy(label, 0, seed, 0, label.length);
        System.arraycopy(nonce, 0, seed, label.length, nonce.length);
        return new SecretKeySpec(new P_SHA1().createKey(secret, seed, 0, 32), "HmacSHA256");
    }

    /** What a Reference's list of prefixes is for: a value that names one cannot be given another meaning. */
    @Test
    void aPrefixOfAValueIsSignedWithIt() throws Exception {
        MessageGuard guard = security.of(TestMessages.SERVICE).orElseThrow();
        Envelope reply =
                reply(TestConversation.open(guard, TestMessages.signed(new TestMessages.Options(GRID.alice()))));
        reply.body().setAttributeNS("http://www.w3.org/2000/xmlns/", "xmlns:a", "urn:another");

        DOMValidateContext context = context(reply, GRID.service.getPublic());
        XMLSignature signature =
                XMLSignatureFactory.getInstance("DOM", "XMLDSig").unmarshalXMLSignature(context);

        assertThat(signature.getSignatureValue().validate(context)).isTrue();
        assertThat(signature.validate(context)).isFalse();
    }
}
