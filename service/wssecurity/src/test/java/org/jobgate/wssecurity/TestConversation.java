// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Consumer;
import javax.xml.namespace.QName;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.common.derivedKey.P_SHA1;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.engine.WSSConfig;
import org.apache.wss4j.dom.message.WSSecDKEncrypt;
import org.apache.wss4j.dom.message.WSSecDKSign;
import org.apache.wss4j.dom.message.WSSecHeader;
import org.apache.wss4j.dom.message.WSSecSecurityContextToken;
import org.apache.wss4j.dom.message.token.SecurityContextToken;
import org.jobgate.identity.Identity;
import org.jobgate.soap.MessageGuard;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** The client's side of a conversation, by WSS4J's own builders: what it has been told of a context, and messages of it. */
final class TestConversation {

    private static final byte[] ENTROPY = "sixteen bytes, and a few more".getBytes(StandardCharsets.US_ASCII);

    final Dialect dialect;
    final MessageGuard guard;
    final String id;
    final String instance;
    byte[] secret;
    final Element response;

    /** How a client signs a message of it. */
    static final class Manner {
        String algorithm = WSConstants.HMAC_SHA256;
        int length = 32;
        boolean encrypted;
        Consumer<WSSecDKSign> change = sign -> {};
    }

    private TestConversation(Dialect dialect, MessageGuard guard, Element response, byte @Nullable [] entropy)
            throws Exception {
        this.dialect = dialect;
        this.guard = guard;
        this.response = response;
        this.id = text(response, dialect.conversation(), "Identifier");
        this.instance = text(response, dialect.conversation(), "Instance");
        byte[] told = Base64.getDecoder().decode(text(response, dialect.trust(), "BinarySecret"));
        this.secret = entropy == null ? told : new P_SHA1().createKey(entropy, told, 0, told.length);
    }

    static String text(Element root, String namespace, String name) {
        var found = root.getElementsByTagNameNS(namespace, name);
        return found.getLength() == 0 ? "" : found.item(0).getTextContent();
    }

    /** The body of a request for a context. */
    static String request(Dialect dialect, String type, String further) {
        return "<t:RequestSecurityToken xmlns:t='" + dialect.trust() + "' xmlns:u='" + Names.WSU + "'><t:TokenType>"
                + dialect.tokenType() + "</t:TokenType><t:RequestType>" + dialect.trust() + "/" + type
                + "</t:RequestType>" + further + "</t:RequestSecurityToken>";
    }

    /** The client's part of the key. */
    static String entropy(Dialect dialect, byte[] bytes) {
        return "<t:Entropy><t:BinarySecret Type='" + dialect.trust() + "/Nonce'>"
                + Base64.getEncoder().encodeToString(bytes) + "</t:BinarySecret></t:Entropy>";
    }

    static TestMessages.Options issue(Merlin crypto, Dialect dialect, String further) {
        TestMessages.Options options = new TestMessages.Options(crypto);
        options.body = request(dialect, "Issue", further);
        return options;
    }

    static MessageGuard.Opened open(MessageGuard guard, Envelope message) {
        return guard.open(new MessageGuard.Arrived(message.bytes(), null, true));
    }

    /** Opens a context with a signed message. */
    static TestConversation open(MessageGuard guard, Merlin crypto, Dialect dialect) {
        Envelope request = TestMessages.signed(issue(crypto, dialect, entropy(dialect, ENTROPY)));
        return of(dialect, guard, open(guard, request), ENTROPY);
    }

    static TestConversation of(
            Dialect dialect, MessageGuard guard, MessageGuard.Opened opened, byte @Nullable [] entropy) {
        try {
            return new TestConversation(dialect, guard, response(opened), entropy);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static Element response(MessageGuard.Opened opened) {
        return XmlWriter.toDom(
                new QName("body"), requireNonNull(opened.answer(), "no answer").body());
    }

    String renewal() {
        return request(dialect, "Renew", entropy(dialect, ENTROPY) + target("RenewTarget", id));
    }

    TestConversation renewed() {
        TestMessages.Options options = new TestMessages.Options(new Merlin(false, ""));
        options.body = renewal();
        return renewed(options);
    }

    /** Renewed by a message with the body of a renewal. */
    TestConversation renewed(TestMessages.Options options) {
        return of(dialect, guard, open(guard, signed(options)), ENTROPY);
    }

    TestMessages.Options cancel(String target) {
        TestMessages.Options options = new TestMessages.Options(new Merlin(false, ""));
        options.body = request(dialect, "Cancel", target("CancelTarget", target));
        return options;
    }

    private static String target(String name, String id) {
        return "<t:" + name + "><s:SecurityTokenReference xmlns:s='" + Names.WSSE + "'><s:Reference URI='" + id
                + "'/></s:SecurityTokenReference></t:" + name + ">";
    }

    Envelope signed() {
        return signed(new TestMessages.Options(new Merlin(false, "")));
    }

    Envelope signed(TestMessages.Options options) {
        return signed(options, new Manner());
    }

    Envelope signed(Manner manner) {
        return signed(new TestMessages.Options(new Merlin(false, "")), manner);
    }

    Envelope signed(TestMessages.Options options, Manner manner) {
        Envelope envelope = TestMessages.plain(options);
        try {
            WSSecHeader header = new WSSecHeader(envelope.document());
            header.insertSecurityHeader();
            if (!options.absent.contains("Timestamp")) {
                header.getSecurityHeaderElement().appendChild(TestMessages.timestamp(envelope.document(), options));
            }
            WSSecSecurityContextToken token = new WSSecSecurityContextToken(header, WSSConfig.getNewInstance());
            token.setSct(
                    instance.isEmpty()
                            ? new SecurityContextToken(dialect.version(), envelope.document(), id)
                            : new SecurityContextToken(dialect.version(), envelope.document(), id, instance));
            token.setSctId("the-context");
            token.prepare(new Merlin(false, ""));
            WSSecDKSign sign = new WSSecDKSign(header);
            sign.setWscVersion(dialect.version());
            sign.setTokenIdentifier("the-context");
            sign.setCustomValueType(dialect.tokenType());
            sign.setDerivedKeyLength(manner.length);
            sign.setSignatureAlgorithm(manner.algorithm);
            sign.setDigestAlgorithm(options.digest);
            sign.getParts().addAll(TestMessages.parts(options));
            manner.change.accept(sign);
            sign.build(secret);
            if (manner.encrypted) {
                encrypt(header);
            }
            token.prependSCTElementToHeader();
            return envelope;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void encrypt(WSSecHeader header) throws Exception {
        WSSecDKEncrypt encrypt = new WSSecDKEncrypt(header);
        encrypt.setWscVersion(dialect.version());
        encrypt.setTokenIdentifier("the-context");
        encrypt.setCustomValueType(dialect.tokenType());
        encrypt.setSymmetricEncAlgorithm(WSConstants.AES_128_GCM);
        encrypt.setDerivedKeyLength(16);
        encrypt.getParts().add(new WSEncryptionPart("Body", Names.SOAP, "Content"));
        encrypt.build(secret);
    }

    Identity caller(Envelope message) {
        return requireNonNull(open(guard, message).identity(), "nobody");
    }
}
