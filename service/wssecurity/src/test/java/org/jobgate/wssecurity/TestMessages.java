// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.engine.WSSConfig;
import org.apache.wss4j.dom.message.WSSecEncrypt;
import org.apache.wss4j.dom.message.WSSecHeader;
import org.apache.wss4j.dom.message.WSSecSignature;
import org.apache.wss4j.dom.message.WSSecUsernameToken;
import org.apache.xml.security.Init;
import org.jobgate.limits.Limit;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Messages as a client of another make protects them: by WSS4J's own builders, not by ours. */
final class TestMessages {

    static final Limit DEPTH = new Limit("test.depth", 64);
    static final String SERVICE = "ManagedJobFactoryService";
    static final String WSA = "http://www.w3.org/2005/08/addressing";

    /** As a gateway is known that answers at gate:8443. */
    static final KnownNames NAMES = new KnownNames(
            "gate", new TestSigner().serviceCertificate, List.of(), port -> port == 8443, address -> false);

    /** What a client may do otherwise than it should. */
    static final class Options {
        Merlin crypto;
        String to = "https://gate:8443/wsrf/services/" + SERVICE;
        Instant created = Instant.now();
        Instant expires = created.plus(Duration.ofMinutes(4));
        String signature = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
        String digest = "http://www.w3.org/2001/04/xmlenc#sha256";
        String canonicalization = Names.EXCLUSIVE;
        int key = WSConstants.BST_DIRECT_REFERENCE;
        boolean chain;
        String messageId = "uuid:" + UUID.randomUUID();
        String body = "<o:create xmlns:o='http://example.org/o'><o:program>/bin/date</o:program></o:create>";
        final List<String> unsigned = new ArrayList<>();
        final List<String> absent = new ArrayList<>();

        Options(Merlin crypto) {
            this.crypto = crypto;
        }
    }

    static {
        WSSConfig.setAddJceProviders(false);
        WSSConfig.init();
        Init.init();
    }

    private TestMessages() {}

    static Envelope plain(Options options) {
        StringBuilder headers = new StringBuilder();
        header(headers, options, "MessageID", options.messageId);
        header(headers, options, "To", options.to);
        header(headers, options, "Action", "http://example.org/do");
        String text = "<s:Envelope xmlns:s='" + Names.SOAP + "' xmlns:a='" + WSA + "'><s:Header>" + headers
                + "<r:ResourceID xmlns:r='http://example.org/r'>Fork</r:ResourceID></s:Header>"
                + "<s:Body>" + options.body + "</s:Body></s:Envelope>";
        return Envelope.parse(text.getBytes(StandardCharsets.UTF_8), DEPTH);
    }

    private static void header(StringBuilder headers, Options options, String name, String text) {
        if (!options.absent.contains(name)) {
            headers.append("<a:")
                    .append(name)
                    .append('>')
                    .append(text)
                    .append("</a:")
                    .append(name)
                    .append('>');
        }
    }

    /** A message signed as the options say. */
    static Envelope signed(Options options) {
        Envelope envelope = plain(options);
        try {
            Document document = envelope.document();
            WSSecHeader header = new WSSecHeader(document);
            header.insertSecurityHeader();
            if (!options.absent.contains("Timestamp")) {
                header.getSecurityHeaderElement().appendChild(timestamp(document, options));
            }
            WSSecSignature signature = new WSSecSignature(header);
            signature.setUserInfo("me", "password");
            signature.setKeyIdentifierType(options.key);
            signature.setUseSingleCertificate(!options.chain);
            signature.setSignatureAlgorithm(options.signature);
            signature.setDigestAlgo(options.digest);
            signature.setSigCanonicalization(options.canonicalization);
            signature.getParts().addAll(parts(options));
            signature.build(options.crypto);
            return envelope;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** What is signed of a message as the options say. */
    static List<WSEncryptionPart> parts(Options options) {
        List<WSEncryptionPart> parts = new ArrayList<>();
        part(parts, options, Names.SOAP, "Body");
        part(parts, options, Names.WSU, "Timestamp");
        part(parts, options, WSA, "MessageID");
        part(parts, options, WSA, "To");
        part(parts, options, WSA, "Action");
        part(parts, options, "http://example.org/r", "ResourceID");
        return parts;
    }

    private static void part(List<WSEncryptionPart> parts, Options options, String namespace, String name) {
        if (!options.unsigned.contains(name) && !options.absent.contains(name)) {
            parts.add(new WSEncryptionPart(name, namespace, "Element"));
        }
    }

    static Element timestamp(Document document, Options options) {
        Element timestamp = document.createElementNS(Names.WSU, "wsu:Timestamp");
        Element created = document.createElementNS(Names.WSU, "wsu:Created");
        created.setTextContent(options.created.toString());
        Element expires = document.createElementNS(Names.WSU, "wsu:Expires");
        expires.setTextContent(options.expires.toString());
        timestamp.appendChild(created);
        timestamp.appendChild(expires);
        return timestamp;
    }

    /** The body encrypted for the service, after it was signed or not. */
    static Envelope encrypted(Envelope envelope, TestSigner grid, Consumer<WSSecEncrypt> change) {
        try {
            WSSecHeader header = new WSSecHeader(envelope.document());
            header.insertSecurityHeader();
            WSSecEncrypt encrypt = new WSSecEncrypt(header);
            encrypt.setUseThisCert(grid.serviceCertificate);
            encrypt.setKeyIdentifierType(WSConstants.ISSUER_SERIAL);
            encrypt.setSymmetricEncAlgorithm("http://www.w3.org/2009/xmlenc11#aes128-gcm");
            encrypt.setKeyEncAlgo(Names.XENC + "rsa-oaep-mgf1p");
            encrypt.getParts().add(new WSEncryptionPart("Body", Names.SOAP, "Content"));
            change.accept(encrypt);
            KeyGenerator generator = KeyGenerator.getInstance("AES");
            generator.init(128);
            SecretKey key = generator.generateKey();
            encrypt.build(new Merlin(false, ""), key);
            return envelope;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** A message with a name and a password. */
    static Envelope named(String name, String password, String type) {
        return named(name, password, type, new Options(new Merlin(false, "")).body);
    }

    static Envelope named(String name, String password, String type, String body) {
        Options options = new Options(new Merlin(false, ""));
        options.body = body;
        Envelope envelope = plain(options);
        try {
            WSSecHeader header = new WSSecHeader(envelope.document());
            header.insertSecurityHeader();
            WSSecUsernameToken token = new WSSecUsernameToken(header);
            token.setUserInfo(name, password);
            token.setPasswordType(type);
            token.addNonce();
            token.addCreated();
            token.build();
            return envelope;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static SecuritySettings settings(Protection protection, boolean sha1) {
        return new SecuritySettings(
                protection,
                Map.of(),
                sha1,
                Duration.ofMinutes(5),
                Duration.ofMinutes(1),
                new Limit("messageSecurity.maxTokenBytes", 16_384),
                DEPTH,
                new Limit("messageSecurity.maxRemembered", 100),
                Unaddressed.NONE,
                NAMES,
                new ConversationSettings(
                        Set.of(ConversationSettings.ALL),
                        Duration.ofHours(1),
                        new Limit("messageSecurity.maxContexts", 6),
                        new Limit("messageSecurity.maxContextsOfOne", 4)));
    }

    static MessageSecurity security(TestSigner grid, SecuritySettings settings, Passwords passwords) {
        return security(grid, settings, passwords, grid.trust(), Clock.systemUTC());
    }

    static MessageSecurity security(
            TestSigner grid, SecuritySettings settings, Passwords passwords, ChainTrust trust, Clock clock) {
        return new MessageSecurity(
                settings,
                grid.service.getPrivate(),
                new X509Certificate[] {grid.serviceCertificate},
                trust,
                passwords,
                clock);
    }
}
