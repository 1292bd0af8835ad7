// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.w3c.dom.Element;
import org.w3c.dom.Text;

/**
 * What a security header says of a context: one token of it and few keys that are derived from it, within bounds, before any of them is
 * computed.
 */
final class ContextShape {

    private static final int MAX_DERIVED_KEYS = 4;
    private static final int MAX_URI = 256;
    private static final int MIN_NONCE = 16;
    private static final int MAX_NONCE = 64;
    private static final int MIN_LENGTH = 16;
    private static final int MAX_LENGTH = 64;
    private static final int MAX_OFFSET = 1024;
    private static final int DIGITS = 6;
    private static final int DEFAULT_LENGTH = 32;

    static final String TOKEN = "SecurityContextToken";
    static final String DERIVED = "DerivedKeyToken";
    private static final Set<String> OF_DERIVED =
            Set.of("SecurityTokenReference", "Offset", "Length", "Label", "Nonce");
    private static final Set<String> ALONE = Set.of("BinarySecurityToken", "UsernameToken", "EncryptedKey");

    private ContextShape() {}

    /** Whether this is a part of a security header that speaks of contexts of a generation that is served. */
    static boolean isPart(Element part) {
        return Dialect.ofConversation(part).isPresent()
                && (TOKEN.equals(part.getLocalName()) || DERIVED.equals(part.getLocalName()));
    }

    /** The context's token; absent where a message names none. */
    static Optional<Element> token(Element security) {
        return parts(security, TOKEN).findFirst();
    }

    private static Stream<Element> parts(Element security, String name) {
        return Envelope.children(security).stream()
                .filter(ContextShape::isPart)
                .filter(part -> name.equals(part.getLocalName()));
    }

    /** The derived key of this reference to it. */
    static Optional<Element> derivedKey(Element security, String uri) {
        return parts(security, DERIVED).filter(key -> uri.equals("#" + id(key))).findFirst();
    }

    /** The length of a derived key, in bytes. */
    static int length(Element derived) {
        return number(derived, "Length", DEFAULT_LENGTH);
    }

    /** The context's URI, and which of its keys; that is empty for the first. */
    static String identifier(Element token, String name) {
        return Dialect.ofConversation(token)
                .flatMap(dialect -> Envelope.children(token, dialect.conversation(), name).stream()
                        .findFirst())
                .map(Element::getTextContent)
                .orElse("");
    }

    static void check(Element security) {
        List<Element> tokens = parts(security, TOKEN).toList();
        List<Element> keys = parts(security, DERIVED).toList();
        if (tokens.isEmpty()) {
            keys.stream().findFirst().ifPresent(key -> {
                throw unknownSource(
                        key, "A derived key comes without the SecurityContextToken that it is derived from.");
            });
            return;
        }
        Element token = tokens.getFirst();
        if (tokens.size() > 1) {
            throw bad(token, "The Security header holds " + tokens.size() + " SecurityContextTokens. Send one.");
        }
        Envelope.children(security).stream()
                .map(Element::getLocalName)
                .filter(ALONE::contains)
                .findFirst()
                .ifPresent(other -> {
                    throw Refusals.invalid(
                            "The message names a security context and holds a token of another kind as well: " + other
                                    + ". Send one of the two.");
                });
        checkToken(token);
        if (keys.size() > MAX_DERIVED_KEYS) {
            throw Refusals.invalid("The Security header holds " + keys.size() + " derived keys; at most "
                    + MAX_DERIVED_KEYS + " are taken. Derive fewer.");
        }
        keys.forEach(key -> checkKey(token, key));
    }

    private static void checkToken(Element token) {
        Dialect dialect = Dialect.ofConversation(token).orElseThrow();
        List<Element> children = Envelope.children(token);
        boolean isWhole = !id(token).isEmpty()
                && Envelope.children(token, dialect.conversation(), "Identifier")
                                .size()
                        == 1
                && Envelope.children(token, dialect.conversation(), "Instance").size() == children.size() - 1
                && children.size() <= 2
                && children.stream()
                        .allMatch(
                                child -> isText(child) && child.getTextContent().length() <= MAX_URI);
        if (!isWhole) {
            throw bad(
                    token,
                    "The SecurityContextToken must have a wsu:Id, one Identifier and at most one Instance, each of at most "
                            + MAX_URI + " characters. Send it as it was issued.");
        }
    }

    private static void checkKey(Element token, Element key) {
        if (id(key).isEmpty()) {
            throw Refusals.invalid("A derived key has no wsu:Id. Give it one.");
        }
        Dialect dialect = Dialect.ofConversation(token).orElseThrow();
        String algorithm = key.getAttribute("Algorithm");
        if (!algorithm.isEmpty() && !algorithm.equals(dialect.conversation() + "/dk/p_sha1")) {
            throw Refusals.unsupportedAlgorithm(
                    "The derivation '" + Refusals.shown(algorithm) + "' of a key is not served. Use P_SHA-1.");
        }
        List<Element> children = Envelope.children(key);
        for (Element child : children) {
            boolean isOurs = OF_DERIVED.contains(child.getLocalName())
                    && (child.getLocalName().equals("SecurityTokenReference")
                            ? Names.WSSE.equals(child.getNamespaceURI())
                            : dialect.conversation().equals(child.getNamespaceURI()) && isText(child));
            if (!isOurs) {
                throw Refusals.unsupportedToken(
                        "A derived key holds " + Refusals.shown(child.getNodeName())
                                + ", which is not served there. It may hold: SecurityTokenReference, Offset, Length, Label, Nonce.");
            }
        }
        if (children.stream().map(Element::getLocalName).distinct().count() != children.size()) {
            throw Refusals.invalid("A derived key says something twice. Say it once.");
        }
        checkSource(token, key);
        checkNumbers(key);
        checkNonce(dialect, key);
    }

    /** Checks that a key is derived of this message's context: not of a certificate, and not of a key that is looked up. */
    private static void checkSource(Element token, Element key) {
        List<Element> references = Envelope.children(key, Names.WSSE, "SecurityTokenReference").stream()
                .flatMap(reference -> Envelope.children(reference).stream())
                .toList();
        boolean isOfToken = references.size() == 1
                && Envelope.is(references.getFirst(), Names.WSSE, "Reference")
                && references.getFirst().getAttribute("URI").equals("#" + id(token));
        if (!isOfToken) {
            throw unknownSource(
                    key,
                    "A derived key is not derived from the SecurityContextToken of its message. Refer to that by its wsu:Id.");
        }
    }

    private static void checkNumbers(Element key) {
        int length = number(key, "Length", DEFAULT_LENGTH);
        if (length < MIN_LENGTH || length > MAX_LENGTH) {
            throw Refusals.invalidToken("The Length of a derived key is " + length + "; " + MIN_LENGTH + " to "
                    + MAX_LENGTH + " bytes are taken.");
        }
        int offset = number(key, "Offset", 0);
        if (offset > MAX_OFFSET) {
            throw Refusals.invalidToken(
                    "The Offset of a derived key is " + offset + "; at most " + MAX_OFFSET + " bytes are taken.");
        }
    }

    private static int number(Element key, String name, int absent) {
        List<Element> found = Envelope.children(key, String.valueOf(key.getNamespaceURI()), name);
        if (found.isEmpty()) {
            return absent;
        }
        String text = found.getFirst().getTextContent();
        if (text.isEmpty() || text.length() > DIGITS || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw Refusals.invalidToken("The " + name + " of a derived key is '" + Refusals.shown(text)
                    + "', which is no number of bytes that is taken.");
        }
        return Integer.parseInt(text);
    }

    private static void checkNonce(Dialect dialect, Element key) {
        List<Element> labels = Envelope.children(key, dialect.conversation(), "Label");
        if (!labels.isEmpty() && labels.getFirst().getTextContent().length() > MAX_URI) {
            throw Refusals.invalidToken(
                    "The Label of a derived key is longer than " + MAX_URI + " characters. Send a shorter one.");
        }
        List<Element> nonces = Envelope.children(key, dialect.conversation(), "Nonce");
        if (nonces.isEmpty()) {
            throw Refusals.invalidToken("A derived key has no Nonce. Send one of " + MIN_NONCE + " to " + MAX_NONCE
                    + " random bytes, a new one for each message.");
        }
        int bytes = decoded(nonces.getFirst().getTextContent(), MAX_NONCE).length;
        if (bytes < MIN_NONCE || bytes > MAX_NONCE) {
            throw Refusals.invalidToken("The Nonce of a derived key has " + bytes + " bytes; " + MIN_NONCE + " to "
                    + MAX_NONCE + " are taken.");
        }
    }

    /** The bytes of a text in base64; longer ones are not read to their end. */
    static byte[] decoded(String text, int most) {
        String base64 = text.strip();
        if (base64.length() > 2 * (most + 3)) {
            throw Refusals.invalidToken("A text in base64 has " + base64.length() + " characters, which is more than "
                    + most + " bytes need. Send fewer.");
        }
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw Refusals.invalidToken("A text that must be base64 is none. Correct it.");
        }
    }

    /** One run of text: where comments cut it, readers differ in what they take for it. */
    private static boolean isText(Element element) {
        return element.getChildNodes().getLength() == 1 && element.getFirstChild() instanceof Text;
    }

    private static String id(Element element) {
        return element.getAttributeNS(Names.WSU, "Id");
    }

    private static RuntimeException bad(Element part, String sentence) {
        return Refusals.conversation(Dialect.ofConversation(part).orElseThrow(), "BadContextToken", sentence);
    }

    private static RuntimeException unknownSource(Element part, String sentence) {
        return Refusals.conversation(Dialect.ofConversation(part).orElseThrow(), "UnknownDerivationSource", sentence);
    }
}
