// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.apache.wss4j.common.derivedKey.P_SHA1;
import org.apache.wss4j.common.ext.WSSecurityException;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** Answers the requests of WS-Trust for security contexts: issue, renew, cancel. */
final class ContextRequests {

    private static final int DEFAULT_KEY_BITS = 256;
    private static final List<String> KEY_BITS = List.of("128", "192", "256");
    private static final int MIN_ENTROPY = 16;
    private static final int MAX_ENTROPY = 64;
    private static final int MAX_CONTEXT = 256;

    private final Conversations conversations;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    ContextRequests(Conversations conversations, Clock clock) {
        this.conversations = conversations;
        this.clock = clock;
    }

    /** The request in the body of a message; absent where it is for the service itself. */
    static Optional<Element> in(Envelope envelope) {
        List<Element> contents = Envelope.children(envelope.body());
        return contents.size() == 1
                        && Dialect.ofTrust(contents.getFirst()).isPresent()
                        && "RequestSecurityToken".equals(contents.getFirst().getLocalName())
                ? Optional.of(contents.getFirst())
                : Optional.empty();
    }

    /**
     * Answers one.
     *
     * @param bootstrap what the request proves of its sender, if that is enough to open a context
     * @param key the key of the context that the request is protected with, if any
     * @param isConfidential whether nobody else reads the answer, which may hold a key
     */
    Reply answer(
            Element request, @Nullable Bootstrap bootstrap, Conversations.@Nullable Key key, boolean isConfidential) {
        Dialect dialect = Dialect.ofTrust(request).orElseThrow();
        if (!isConfidential) {
            throw Refusals.trust(
                    dialect,
                    "RequestFailed",
                    "A security context was asked for over a connection that is not encrypted. Ask over https only.");
        }
        checkKinds(dialect, request);
        String type = text(dialect, request, "RequestType").orElse("");
        if (type.equals(dialect.trust() + "/Issue")) {
            return issue(dialect, request, bootstrap, key);
        }
        if (type.equals(dialect.trust() + "/Renew")) {
            return renew(dialect, request, own(dialect, request, "RenewTarget", key));
        }
        if (type.equals(dialect.trust() + "/Cancel")) {
            return cancel(dialect, request, own(dialect, request, "CancelTarget", key));
        }
        throw Refusals.trust(
                dialect,
                "InvalidRequest",
                "The RequestType '" + Refusals.shown(type) + "' is not served. Ask for Issue, Renew or Cancel.");
    }

    private static void checkKinds(Dialect dialect, Element request) {
        requireKind(dialect, request, "TokenType", dialect.tokenType());
        requireKind(dialect, request, "KeyType", dialect.trust() + "/SymmetricKey");
        requireKind(dialect, request, "ComputedKeyAlgorithm", dialect.trust() + "/CK/PSHA1");
        if (request.getAttribute("Context").length() > MAX_CONTEXT) {
            throw Refusals.trust(
                    dialect,
                    "InvalidRequest",
                    "The attribute Context of the request is longer than " + MAX_CONTEXT
                            + " characters. Send a shorter one.");
        }
    }

    private static void requireKind(Dialect dialect, Element request, String name, String served) {
        text(dialect, request, name).filter(kind -> !kind.equals(served)).ifPresent(kind -> {
            throw Refusals.trust(
                    dialect,
                    "InvalidRequest",
                    "The " + name + " '" + Refusals.shown(kind) + "' is not served. Ask for " + served + ".");
        });
    }

    private Reply issue(
            Dialect dialect, Element request, @Nullable Bootstrap bootstrap, Conversations.@Nullable Key key) {
        if (key != null) {
            throw Refusals.trust(
                    dialect,
                    "FailedAuthentication",
                    "A security context cannot be opened by a message of another one. Sign with your certificate.");
        }
        if (bootstrap == null) {
            throw Refusals.trust(
                    dialect,
                    "FailedAuthentication",
                    "A security context is opened by a signed message, a name and a password, or over a connection with a"
                            + " client certificate; this request proves its sender by none of them.");
        }
        Material material = material(dialect, request);
        Conversations.Key opened = conversations.opened(bootstrap, dialect, material.secret(), end(dialect, request));
        return reply(dialect, "", "Collection", out -> write(out, request, opened, material));
    }

    private Reply renew(Dialect dialect, Element request, Conversations.Key key) {
        Material material = material(dialect, request);
        Conversations.Key next = conversations.renew(key, material.secret(), end(dialect, request));
        return reply(dialect, "/Renew", "", out -> write(out, request, next, material));
    }

    private Reply cancel(Dialect dialect, Element request, Conversations.Key key) {
        conversations.cancel(key);
        return reply(dialect, "/Cancel", "", out -> {
            begin(out, dialect, request);
            out.empty(dialect.trust("RequestedTokenCancelled")).close();
        });
    }

    private static Reply reply(Dialect dialect, String what, String around, XmlContent response) {
        String action = dialect.trust() + "/RSTR/SCT" + what;
        if (around.isEmpty() || dialect == Dialect.SUBMITTED) {
            return new Reply(action, response);
        }
        return new Reply(action, out -> {
            out.open(dialect.trust("RequestSecurityTokenResponse" + around));
            response.write(out);
            out.close();
        });
    }

    /** The context that a request is about must be the one that protects it: who has its key may end or renew it, nobody else. */
    private static Conversations.Key own(
            Dialect dialect, Element request, String name, Conversations.@Nullable Key key) {
        if (key == null) {
            throw Refusals.trust(
                    dialect,
                    "FailedAuthentication",
                    "The request is not protected with a security context. Protect it with the one that it is about.");
        }
        Element target = one(dialect, request, name)
                .orElseThrow(() -> Refusals.trust(
                        dialect, "InvalidRequest", "The request has no " + name + ". Name the security context."));
        if (dialect != key.dialect() || !named(dialect, target).equals(key.id())) {
            throw Refusals.trust(
                    dialect,
                    "FailedAuthentication",
                    "The " + name + " is not the security context that the request is protected with.");
        }
        return key;
    }

    /** The identifier in a token, or in a reference to one. */
    private static String named(Dialect dialect, Element target) {
        List<Element> inside = Envelope.children(target);
        if (inside.size() != 1) {
            return "";
        }
        Element token = inside.getFirst();
        if (Envelope.is(token, dialect.conversation(), ContextShape.TOKEN)) {
            return ContextShape.identifier(token, "Identifier");
        }
        return Envelope.children(token, Names.WSSE, "Reference").stream()
                .findFirst()
                .map(reference -> reference.getAttribute("URI"))
                .orElse("");
    }

    /**
     * A key and how it came to be.
     *
     * @param entropy our part of it; null where all of it is ours
     */
    @SuppressWarnings("ArrayRecordComponent") // of one request, compared with nothing
    private record Material(byte[] secret, byte @Nullable [] entropy) {}

    private Material material(Dialect dialect, Element request) {
        int bytes = bits(dialect, request) / Byte.SIZE;
        byte[] ours = new byte[bytes];
        random.nextBytes(ours);
        Optional<byte[]> theirs = entropy(dialect, request);
        if (theirs.isEmpty()) {
            return new Material(ours, null);
        }
        try {
            return new Material(new P_SHA1().createKey(theirs.get(), ours, 0, bytes), ours);
        } catch (WSSecurityException e) {
            throw new IllegalStateException("every Java has HMAC with SHA-1", e);
        }
    }

    private static int bits(Dialect dialect, Element request) {
        String wanted = text(dialect, request, "KeySize").orElse(Integer.toString(DEFAULT_KEY_BITS));
        if (!KEY_BITS.contains(wanted)) {
            throw Refusals.trust(
                    dialect,
                    "InvalidRequest",
                    "The KeySize '" + Refusals.shown(wanted) + "' is not served. Ask for one of "
                            + String.join(", ", KEY_BITS) + " bits.");
        }
        return Integer.parseInt(wanted);
    }

    private static Optional<byte[]> entropy(Dialect dialect, Element request) {
        Optional<Element> entropy = one(dialect, request, "Entropy");
        if (entropy.isEmpty()) {
            return Optional.empty();
        }
        Element secret = one(dialect, entropy.get(), "BinarySecret")
                .orElseThrow(() -> Refusals.trust(
                        dialect,
                        "InvalidRequest",
                        "The Entropy of the request is no BinarySecret. Send one; the connection is encrypted."));
        byte[] bytes;
        try {
            bytes = ContextShape.decoded(secret.getTextContent(), MAX_ENTROPY);
        } catch (SoapFaultException e) {
            throw Refusals.trust(dialect, "InvalidRequest", "The Entropy of the request: " + e.getMessage());
        }
        if (bytes.length < MIN_ENTROPY || bytes.length > MAX_ENTROPY) {
            throw Refusals.trust(
                    dialect,
                    "InvalidRequest",
                    "The Entropy of the request has " + bytes.length + " bytes; " + MIN_ENTROPY + " to " + MAX_ENTROPY
                            + " are taken.");
        }
        return Optional.of(bytes);
    }

    /** When the client wants the context to end: as late as may be if it does not say. */
    private Instant end(Dialect dialect, Element request) {
        Optional<Element> expires = one(dialect, request, "Lifetime")
                .flatMap(lifetime -> Envelope.children(lifetime, Names.WSU, "Expires").stream()
                        .findFirst());
        if (expires.isEmpty()) {
            return Instant.MAX;
        }
        Instant end;
        try {
            end = Freshness.parse(expires.get().getTextContent());
        } catch (SoapFaultException e) {
            throw Refusals.trust(dialect, "InvalidRequest", "The Lifetime of the request: " + e.getMessage());
        }
        if (!end.isAfter(clock.instant())) {
            throw Refusals.trust(
                    dialect,
                    "InvalidRequest",
                    "The Lifetime of the request ended at " + end + ". Ask for a later end.");
        }
        return end;
    }

    private static Optional<Element> one(Dialect dialect, Element parent, String name) {
        List<Element> found = Envelope.children(parent, dialect.trust(), name);
        if (found.size() > 1) {
            throw Refusals.trust(
                    dialect,
                    "InvalidRequest",
                    "The request has " + found.size() + " elements " + name + ". Send at most one of them.");
        }
        return found.stream().findFirst();
    }

    private static Optional<String> text(Dialect dialect, Element parent, String name) {
        return one(dialect, parent, name)
                .map(element -> element.getTextContent().strip());
    }

    private static void begin(XmlWriter out, Dialect dialect, Element request) {
        out.open(dialect.trust("RequestSecurityTokenResponse"));
        if (request.hasAttribute("Context")) {
            out.attribute("Context", request.getAttribute("Context"));
        }
    }

    private static void write(XmlWriter out, Element request, Conversations.Key key, Material material) {
        Dialect dialect = key.dialect();
        begin(out, dialect, request);
        out.element(dialect.trust("TokenType"), dialect.tokenType());
        String id = "sct-" + key.id().substring(key.id().lastIndexOf(':') + 1);
        out.open(dialect.trust("RequestedSecurityToken")).open(dialect.conversation(ContextShape.TOKEN));
        out.attribute(new QName(Names.WSU, "Id", "wsu"), id);
        out.element(dialect.conversation("Identifier"), key.id());
        if (!key.instance().isEmpty()) {
            out.element(dialect.conversation("Instance"), key.instance());
        }
        out.close().close();
        reference(out, dialect.trust("RequestedAttachedReference"), "#" + id, key, "");
        reference(out, dialect.trust("RequestedUnattachedReference"), key.id(), key, key.instance());
        out.open(dialect.trust("Lifetime"));
        out.element(new QName(Names.WSU, "Created", "wsu"), key.created().toString());
        out.element(new QName(Names.WSU, "Expires", "wsu"), key.expires().toString());
        out.close();
        out.open(dialect.trust("RequestedProofToken"));
        byte[] ours = material.entropy();
        if (ours == null) {
            secret(out, dialect, "/SymmetricKey", material.secret());
            out.close();
        } else {
            out.element(dialect.trust("ComputedKey"), dialect.trust() + "/CK/PSHA1")
                    .close();
            out.open(dialect.trust("Entropy"));
            secret(out, dialect, "/Nonce", ours);
            out.close();
        }
        out.element(dialect.trust("KeySize"), Integer.toString(material.secret().length * Byte.SIZE));
        out.close();
    }

    private static void secret(XmlWriter out, Dialect dialect, String type, byte[] secret) {
        out.open(dialect.trust("BinarySecret")).attribute("Type", dialect.trust() + type);
        out.text(Base64.getEncoder().encodeToString(secret)).close();
    }

    private static void reference(XmlWriter out, QName around, String uri, Conversations.Key key, String instance) {
        out.open(around).open(new QName(Names.WSSE, "SecurityTokenReference", "wsse"));
        out.open(new QName(Names.WSSE, "Reference", "wsse")).attribute("URI", uri);
        out.attribute("ValueType", key.dialect().tokenType());
        if (!instance.isEmpty()) {
            out.attribute(key.dialect().conversation("Instance"), instance);
        }
        out.close().close().close();
    }
}
