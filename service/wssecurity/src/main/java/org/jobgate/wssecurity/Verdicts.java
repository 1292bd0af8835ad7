// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static java.util.Objects.requireNonNull;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.WSDataRef;
import org.apache.wss4j.dom.engine.WSSecurityEngineResult;
import org.apache.wss4j.dom.message.token.UsernameToken;
import org.jobgate.identity.Identity;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** Says whom a protected message is from, or why it is from nobody. */
final class Verdicts {

    private final Opener opener;
    private final ChainTrust trust;
    private final Passwords passwords;
    private final Freshness freshness;

    Verdicts(Opener opener, ChainTrust trust, Passwords passwords, Freshness freshness) {
        this.opener = opener;
        this.trust = trust;
        this.passwords = passwords;
        this.freshness = freshness;
    }

    /**
     * What is known of a message.
     *
     * @param identity absent where it says nothing of its sender
     */
    record Verdict(@Nullable Identity identity, boolean isSigned) {}

    Verdict of(Envelope envelope, Element security, String service, boolean isConfidential) {
        boolean hasUser =
                !Envelope.children(security, Names.WSSE, "UsernameToken").isEmpty();
        if (hasUser && !isConfidential) {
            throw Refusals.failedAuthentication(
                    "A UsernameToken came over a connection that is not encrypted. Send it over https only.");
        }
        Opener.Found found = opener.open(envelope, security);
        if (found.signature().isPresent() && found.user().isPresent()) {
            throw Refusals.invalid("The message is signed and names a user as well. Send one of the two.");
        }
        if (found.signature().isPresent()) {
            return new Verdict(
                    signer(envelope, security, service, found.signature().get()), true);
        }
        if (found.user().isPresent()) {
            return new Verdict(user(found.user().get()), false);
        }
        return new Verdict(null, false);
    }

    private Identity signer(Envelope envelope, Element security, String service, WSSecurityEngineResult result) {
        Element timestamp = Envelope.children(security, Names.WSU, "Timestamp").stream()
                .findFirst()
                .orElseThrow(() -> Refusals.invalid(
                        "The signed message has no Timestamp. Send one with Created and Expires, signed."));
        new Coverage(references(result)).require(envelope, timestamp);
        String message = Addressing.check(envelope, service);
        Identity signer = checked(chain(result));
        freshness.check(timestamp, signer.subject() + "\n" + message);
        return new Identity(signer.subject(), "signature", signer.limited(), signer.fqans(), List.of());
    }

    @SuppressWarnings("unchecked") // as the engine documents it
    private static List<WSDataRef> references(WSSecurityEngineResult result) {
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

    private Identity user(WSSecurityEngineResult result) {
        UsernameToken token =
                requireNonNull((UsernameToken) result.get(WSSecurityEngineResult.TAG_USERNAME_TOKEN), "no token");
        if (token.isHashed()) {
            requireOnce(token);
        } else if (!WSConstants.PASSWORD_TEXT.equals(token.getPasswordType())) {
            throw Refusals.unsupportedToken("The type of the UsernameToken's password is not served."
                    + " Send PasswordText or PasswordDigest.");
        }
        Passwords.User user = passwords
                .of(token.getName())
                .orElseThrow(() -> Refusals.failedAuthentication("The name and the password do not fit."));
        return new Identity(user.subject(), "password", false);
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
