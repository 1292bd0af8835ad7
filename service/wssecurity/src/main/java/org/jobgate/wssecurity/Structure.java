// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/**
 * What a security header may look like, before any of it is computed: few tokens of known types, known algorithms and transforms only,
 * references to what is in the message and to nothing else.
 */
final class Structure {

    private static final int MAX_REFERENCES = 64;
    private static final Set<String> KNOWN =
            Set.of("BinarySecurityToken", "Signature", "Timestamp", "UsernameToken", "EncryptedKey", "ReferenceList");

    private final SecuritySettings settings;
    private final boolean conversations;

    /** @param conversations whether security contexts are served here */
    Structure(SecuritySettings settings, boolean conversations) {
        this.settings = settings;
        this.conversations = conversations;
    }

    void check(Envelope envelope, Element security) {
        requireUniqueIds(envelope.document().getDocumentElement(), new HashSet<>());
        for (Element part : Envelope.children(security)) {
            if (!KNOWN.contains(part.getLocalName()) && !(conversations && ContextShape.isPart(part))) {
                throw Refusals.unsupportedToken("The Security header holds " + Refusals.shown(part.getNodeName())
                        + ", which is not served. It may hold: BinarySecurityToken, Signature, Timestamp, UsernameToken,"
                        + " EncryptedKey.");
            }
        }
        requireOne(security, Names.DS, "Signature");
        requireOne(security, Names.WSU, "Timestamp");
        requireOne(security, Names.WSSE, "UsernameToken");
        Envelope.children(security, Names.WSSE, "BinarySecurityToken").forEach(this::checkToken);
        Envelope.children(security, Names.DS, "Signature").forEach(signature -> checkSignature(security, signature));
        if (conversations) {
            ContextShape.check(security);
        }
        checkEncryption(envelope.document().getDocumentElement());
    }

    private static void requireOne(Element security, String namespace, String name) {
        int count = Envelope.children(security, namespace, name).size();
        if (count > 1) {
            throw Refusals.invalid(
                    "The Security header holds " + count + " elements " + name + ". Send at most one of them.");
        }
    }

    /** One name for two elements lets a signature speak of one and the service read the other. */
    private static void requireUniqueIds(Element element, Set<String> seen) {
        NamedNodeMap attributes = element.getAttributes();
        for (int i = 0; i < attributes.getLength(); i++) {
            Attr attribute = (Attr) attributes.item(i);
            if (isId(attribute) && !seen.add(attribute.getValue())) {
                throw Refusals.invalid("The id " + Refusals.shown(attribute.getValue())
                        + " stands on two elements. Give each its own.");
            }
        }
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element inner) {
                requireUniqueIds(inner, seen);
            }
        }
    }

    /** What any of the specifications takes for an id; elements of a body may have a plain {@code id} that is none. */
    private static boolean isId(Attr attribute) {
        String namespace = attribute.getNamespaceURI();
        String name = attribute.getLocalName();
        return (Names.WSU.equals(namespace) && name.equals("Id"))
                || ("http://www.w3.org/XML/1998/namespace".equals(namespace) && name.equals("id"))
                || (namespace == null && name.toLowerCase(Locale.ROOT).equals("id"));
    }

    private void checkToken(Element token) {
        String text = token.getTextContent();
        if (text.length() > settings.tokenCharacters().value()) {
            throw Refusals.invalidToken("A token of the message has " + text.length() + " characters, more than "
                    + settings.tokenCharacters().name() + " = "
                    + settings.tokenCharacters().value() + ". Send a shorter chain of certificates.");
        }
        String type = token.getAttribute("ValueType");
        if (!Names.TOKEN_TYPES.contains(type)) {
            throw Refusals.unsupportedToken("The ValueType " + Refusals.shown(type)
                    + " of a BinarySecurityToken is not served. Send X509v3 or X509PKIPathv1.");
        }
        String encoding = token.getAttribute("EncodingType");
        if (!encoding.isEmpty() && !encoding.equals(Names.BASE64)) {
            throw Refusals.invalidToken("The EncodingType " + Refusals.shown(encoding)
                    + " of a BinarySecurityToken is not known. Send " + Names.BASE64 + ".");
        }
    }

    private void checkSignature(Element security, Element signature) {
        Element info = one(signature, "SignedInfo");
        requireAlgorithm(one(info, "CanonicalizationMethod"), Set.of(Names.EXCLUSIVE));
        Element method = one(info, "SignatureMethod");
        if (!Envelope.children(method).isEmpty()) {
            throw Refusals.unsupportedAlgorithm(
                    "The SignatureMethod has parameters, such as a length to which the value is cut. Leave them out.");
        }
        String key = checkKey(security, signature);
        boolean isDerived =
                conversations && ContextShape.derivedKey(security, key).isPresent();
        requireAlgorithm(method, isDerived ? Names.SYMMETRIC_SIGNATURES : Names.SIGNATURES);
        List<Element> references = Envelope.children(info, Names.DS, "Reference");
        if (references.isEmpty() || references.size() > MAX_REFERENCES) {
            throw Refusals.invalid("The signature has " + references.size() + " references; 1 to " + MAX_REFERENCES
                    + " are looked at.");
        }
        references.forEach(this::checkReference);
    }

    private void checkReference(Element reference) {
        String uri = reference.getAttribute("URI");
        if (!uri.startsWith("#") || uri.length() < 2 || uri.contains("(")) {
            throw Refusals.invalid("The signature refers to '" + Refusals.shown(uri)
                    + "'. Refer to elements of the message by their ids: #id.");
        }
        requireAlgorithm(one(reference, "DigestMethod"), Names.DIGESTS);
        for (Element transforms : Envelope.children(reference, Names.DS, "Transforms")) {
            Envelope.children(transforms).forEach(transform -> requireAlgorithm(transform, Set.of(Names.EXCLUSIVE)));
        }
    }

    private void requireAlgorithm(Element method, Set<String> known) {
        String algorithm = method.getAttribute("Algorithm");
        if (known.contains(algorithm)) {
            return;
        }
        if (Names.SHA1.contains(algorithm)) {
            if (!settings.sha1()) {
                throw Refusals.unsupportedAlgorithm("The message uses SHA-1 (" + algorithm
                        + "), which this site does not take. Sign with rsa-sha256, digests with sha256.");
            }
            return;
        }
        throw Refusals.unsupportedAlgorithm("The " + method.getLocalName() + " '" + Refusals.shown(algorithm)
                + "' is not served. Use exclusive canonicalization, rsa-sha256 and sha256.");
    }

    /**
     * The key must come with the message: no key is looked up by a name in the message. A context's is derived in it.
     *
     * @return the reference to it
     */
    private String checkKey(Element security, Element signature) {
        List<Element> infos = Envelope.children(signature, Names.DS, "KeyInfo");
        List<Element> references = infos.stream()
                .flatMap(info -> Envelope.children(info).stream())
                .flatMap(reference -> Envelope.is(reference, Names.WSSE, "SecurityTokenReference")
                        ? Envelope.children(reference).stream()
                        : List.of(reference).stream())
                .toList();
        if (references.size() != 1 || !Envelope.is(references.getFirst(), Names.WSSE, "Reference")) {
            throw Refusals.unavailableToken(
                    "The signature's key is not named by a Reference to a BinarySecurityToken of the message"
                            + references.stream()
                                    .findFirst()
                                    .map(found -> ", but by " + Refusals.shown(found.getNodeName()))
                                    .orElse("")
                            + ". Send the certificates with the message and refer to them.");
        }
        String uri = references.getFirst().getAttribute("URI");
        boolean isThere =
                (conversations && ContextShape.derivedKey(security, uri).isPresent())
                        || Envelope.children(security, Names.WSSE, "BinarySecurityToken").stream()
                                .anyMatch(token -> uri.equals("#" + token.getAttributeNS(Names.WSU, "Id")));
        if (!isThere) {
            throw Refusals.unavailableToken("The signature's key is said to be in '" + Refusals.shown(uri)
                    + "', which is no BinarySecurityToken of the Security header. Send the token in it.");
        }
        return uri;
    }

    private static Element one(Element parent, String name) {
        List<Element> found = Envelope.children(parent, Names.DS, name);
        if (found.size() != 1) {
            throw Refusals.invalid("A " + parent.getLocalName() + " of the signature has " + found.size() + " elements "
                    + name + ". It must have one.");
        }
        return found.getFirst();
    }

    private static void checkEncryption(Element root) {
        var methods = root.getElementsByTagNameNS(Names.XENC, "EncryptionMethod");
        for (int i = 0; i < methods.getLength(); i++) {
            String algorithm = ((Element) methods.item(i)).getAttribute("Algorithm");
            if (!Names.ENCRYPTIONS.contains(algorithm)) {
                throw Refusals.unsupportedAlgorithm("The encryption '" + Refusals.shown(algorithm)
                        + "' is not served. Use AES in the mode GCM with a key under RSA-OAEP.");
            }
        }
    }
}
