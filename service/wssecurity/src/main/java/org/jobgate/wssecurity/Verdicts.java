// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static java.util.Objects.requireNonNull;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.wss4j.dom.WSDataRef;
import org.apache.wss4j.dom.engine.WSSecurityEngineResult;
import org.apache.wss4j.dom.message.token.UsernameToken;
import org.jobgate.identity.Identity;
import org.jobgate.soap.MessageGuard;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** Says whom a protected message is from, or why it is from nobody. */
final class Verdicts {

    private final Opener opener;
    private final ChainTrust trust;
    private final Passwords passwords;
    private final Freshness freshness;
    private final Conversations conversations;
    private final Unaddressed unaddressed;
    private final Addressing addressing;

    Verdicts(
            Opener opener,
            ChainTrust trust,
            Passwords passwords,
            Freshness freshness,
            Conversations conversations,
            Unaddressed unaddressed,
            KnownNames names) {
        this.unaddressed = unaddressed;
        this.addressing = new Addressing(names);
        this.opener = opener;
        this.trust = trust;
        this.passwords = passwords;
        this.freshness = freshness;
        this.conversations = conversations;
    }

    /**
     * What is known of a message.
     *
     * @param identity absent if the message does not name its sender
     * @param bootstrap what it proves of its sender if a context can be opened with that
     * @param key of the context that protects it, if one does
     */
    record Verdict(
            @Nullable Identity identity,
            boolean isSigned,
            @Nullable Bootstrap bootstrap,
            Conversations.@Nullable Key key) {}

    Verdict of(Envelope envelope, Element security, String service, MessageGuard.Arrived request) {
        boolean hasUser =
                !Envelope.children(security, Names.WSSE, "UsernameToken").isEmpty();
        if (hasUser && !request.isConfidential()) {
            throw Refusals.failedAuthentication(
                    "A UsernameToken came over a connection that is not encrypted. Send it over https only.");
        }
        Conversations.Key key = ContextShape.token(security).map(this::key).orElse(null);
        Opener.Found found = opener.open(envelope, security, key, request.address());
        if (key != null) {
            WSSecurityEngineResult signature = found.signature()
                    .orElseThrow(
                            () -> Refusals.invalid(
                                    "The message names a security context and is not signed. Sign it with a key that is derived from the context."));
            return new Verdict(
                    partner(envelope, security, service, request.address(), signature, key), true, null, key);
        }
        if (found.signature().isPresent() && found.user().isPresent()) {
            throw Refusals.invalid("The message is signed and names a user as well. Send one of the two.");
        }
        if (found.signature().isPresent()) {
            Bootstrap bootstrap = signer(
                    envelope, security, service, request, found.signature().get());
            return new Verdict(bootstrap.identity(), true, bootstrap, null);
        }
        if (found.user().isPresent()) {
            Bootstrap bootstrap = user(found.user().get());
            return new Verdict(bootstrap.identity(), false, bootstrap, null);
        }
        return new Verdict(null, false, null, null);
    }

    private Conversations.Key key(Element token) {
        return conversations.find(
                Dialect.ofConversation(token).orElseThrow(),
                ContextShape.identifier(token, "Identifier"),
                ContextShape.identifier(token, "Instance"));
    }

    /** The other side of a conversation: who has opened it. That the signature's key is the context's is said by the header's shape. */
    private Identity partner(
            Envelope envelope,
            Element security,
            String service,
            String client,
            WSSecurityEngineResult result,
            Conversations.Key key) {
        Element timestamp = timestamp(security);
        new Coverage(references(result)).require(envelope, timestamp);
        String message = addressing.check(envelope, service, client);
        Identity owner = conversations.owner(key);
        freshness.check(timestamp, key.id() + "\n" + message);
        return owner;
    }

    private static Element timestamp(Element security) {
        return Envelope.children(security, Names.WSU, "Timestamp").stream()
                .findFirst()
                .orElseThrow(() -> Refusals.invalid(
                        "The signed message has no Timestamp. Send one with Created and Expires, signed."));
    }

    private Bootstrap signer(
            Envelope envelope,
            Element security,
            String service,
            MessageGuard.Arrived request,
            WSSecurityEngineResult result) {
        Element timestamp = timestamp(security);
        new Coverage(references(result)).require(envelope, timestamp);
        X509Certificate[] chain = chain(result);
        boolean needsAddressing = !unaddressed.services().contains(service);
        String message = needsAddressing ? addressing.check(envelope, service, request.address()) : "";
        Identity signer = signer(chain);
        if (!needsAddressing) {
            Identity transport = request.transport();
            boolean isOwnConnection = transport != null
                    && (signer.limited() || !transport.limited())
                    && transport.subject().equals(signer.subject());
            message = mark(envelope, service, request.address(), isOwnConnection, references(result));
        }
        freshness.check(timestamp, signer.subject() + "\n" + message);
        return new Bootstrap(signer, end(chain), () -> signer(chain));
    }

    /**
     * What tells the message from all others of its signer: its MessageID, or the digests of what it has signed, the Timestamp among them.
     *
     * @param isOwnConnection whether it came over a connection of its signer, so that nobody else has sent it on to here; who has only a
     *     limited proxy of the signer, such as a job, may be somebody else, and must not start jobs with what was signed for another service
     */
    private String mark(
            Envelope envelope, String service, String client, boolean isOwnConnection, List<WSDataRef> references) {
        Addressing.Said said = addressing.checkWhatIsThere(envelope, service, client);
        if (!said.hasTo()
                && !isOwnConnection
                && !unaddressed.overAnyConnection().contains(service)) {
            throw Refusals.invalid(
                    "The signed message does not say for whom it is. Send the WS-Addressing header To, signed, or connect with the"
                            + " signer's certificate; or the site allows it (messageSecurity.unaddressed).");
        }
        return said.messageId()
                .orElseGet(() -> "digests "
                        + references.stream()
                                .map(reference -> reference.getDigestAlgorithm() + " "
                                        + HexFormat.of().formatHex(reference.getDigestValue()))
                                .collect(Collectors.joining(" ")));
    }

    private Identity signer(X509Certificate[] chain) {
        Identity signer = checked(chain);
        return new Identity(signer.subject(), "signature", signer.limited(), signer.fqans(), List.of());
    }

    private static Instant end(X509Certificate[] chain) {
        return Arrays.stream(chain)
                .map(certificate -> certificate.getNotAfter().toInstant())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /**
     * A caller who is known by the certificates of the connection.
     *
     * @param chain those certificates
     */
    Bootstrap ofTransport(Identity caller, X509Certificate[] chain) {
        return new Bootstrap(caller, end(chain), () -> {
            Identity now = checked(chain);
            return new Identity(caller.subject(), caller.method(), caller.limited(), now.fqans(), List.of());
        });
    }

    @SuppressWarnings("unchecked") // as the engine documents it
    static List<WSDataRef> references(WSSecurityEngineResult result) {
        List<WSDataRef> references = (List<WSDataRef>) result.get(WSSecurityEngineResult.TAG_DATA_REF_URIS);
        return references == null ? List.of() : references;
    }

    private static X509Certificate[] chain(WSSecurityEngineResult result) {
        X509Certificate[] chain = (X509Certificate[]) result.get(WSSecurityEngineResult.TAG_X509_CERTIFICATES);
        X509Certificate one = (X509Certificate) result.get(WSSecurityEngineResult.TAG_X509_CERTIFICATE);
        if (chain != null && chain.length > 0) {
            return chain;
        }
        if (one == null) {
            throw Refusals.failedAuthentication("The message is signed with a key of which no certificate speaks.");
        }
        return new X509Certificate[] {one};
    }

    private Identity checked(X509Certificate[] chain) {
        try {
            return trust.check(chain);
        } catch (CertificateException e) {
            throw Refusals.failedAuthentication("The signer's certificates are not good here: "
                    + Refusals.shown(String.valueOf(e.getMessage())) + ".");
        }
    }

    private Bootstrap user(WSSecurityEngineResult result) {
        UsernameToken token =
                requireNonNull((UsernameToken) result.get(WSSecurityEngineResult.TAG_USERNAME_TOKEN), "no token");
        if (token.isHashed()) {
            requireOnce(token);
        }
        String name = token.getName();
        // a password is not kept, so the system cannot be asked again whether the account is still let in
        Instant end = known(name).account() == null ? Instant.MAX : conversations.longestEnd();
        return new Bootstrap(user(name), end, () -> user(name));
    }

    private Identity user(String name) {
        return new Identity(known(name).subject(), "password", false);
    }

    private Passwords.User known(String name) {
        return passwords
                .of(name)
                .orElseThrow(() -> Refusals.failedAuthentication("The name and the password do not fit."));
    }

    private void requireOnce(UsernameToken token) {
        String nonce = token.getNonce();
        String created = token.getCreated();
        if (nonce == null || created == null) {
            throw Refusals.invalidToken(
                    "A UsernameToken with a digest must have a Nonce and the time Created, so that it can be used once only.");
        }
        freshness.checkNonce(Freshness.parse(created), nonce);
    }
}
