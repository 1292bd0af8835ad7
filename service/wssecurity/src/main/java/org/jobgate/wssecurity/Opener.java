// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.security.cert.CertificateException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import org.apache.wss4j.common.derivedKey.ConversationConstants;
import org.apache.wss4j.common.ext.WSPasswordCallback;
import org.apache.wss4j.common.ext.WSSecurityException;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.engine.WSSConfig;
import org.apache.wss4j.dom.engine.WSSecurityEngine;
import org.apache.wss4j.dom.engine.WSSecurityEngineResult;
import org.apache.wss4j.dom.handler.RequestData;
import org.apache.wss4j.dom.validate.Validator;
import org.jobgate.soap.SoapFaultException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.w3c.dom.Element;

/** Has WSS4J compute what a security header says: decrypt, verify signatures and passwords. What that means is judged elsewhere. */
final class Opener {

    private static final Logger LOG = LoggerFactory.getLogger(Opener.class);
    private static final int MAX_CAUSES = 16;

    private final ServiceCrypto crypto;
    private final Passwords passwords;
    private final PasswordPace pace;
    private final PasswordTurns turns = new PasswordTurns(PasswordTurns.PATIENCE);

    Opener(ServiceCrypto crypto, Passwords passwords, PasswordPace pace) {
        this.crypto = crypto;
        this.passwords = passwords;
        this.pace = pace;
    }

    /**
     * What came out.
     *
     * @param signature absent where nothing is signed
     * @param user absent where no user is named
     */
    record Found(Optional<WSSecurityEngineResult> signature, Optional<WSSecurityEngineResult> user) {}

    /**
     * Computes it; encrypted parts of the envelope stand there in the clear afterwards.
     *
     * @param key of the context that the header names; absent where it names none
     * @param address from which the message came
     */
    Found open(Envelope envelope, Element security, Conversations.@Nullable Key key, String address) {
        boolean isEncrypted = envelope.document()
                        .getElementsByTagNameNS(Names.XENC, "EncryptedData")
                        .getLength()
                > 0;
        try {
            Map<Integer, List<WSSecurityEngineResult>> results = new WSSecurityEngine()
                    .processSecurityHeader(security, request(key, address))
                    .getActionResults();
            return new Found(first(results, WSConstants.SIGN), first(results, WSConstants.UT));
        } catch (SoapFaultException e) {
            throw e; // it says already what is wrong
        } catch (WSSecurityException e) {
            LOG.debug("A protected message is refused", e);
            throw refusal(e, isEncrypted);
        } catch (RuntimeException e) {
            LOG.warn("A security header could not be looked at", e);
            throw Refusals.invalid("The Security header cannot be read. Send one as WS-Security 1.0 has it.");
        }
    }

    private static Optional<WSSecurityEngineResult> first(
            Map<Integer, List<WSSecurityEngineResult>> results, int action) {
        return results.getOrDefault(action, List.of()).stream().findFirst();
    }

    private RequestData request(Conversations.@Nullable Key key, String address) {
        WSSConfig config = WSSConfig.getNewInstance();
        // times are looked at by Freshness, which knows the site's settings and says what is wrong
        config.setValidator(WSConstants.TIMESTAMP, (credential, data) -> credential);
        Validator context = (credential, any) -> {
            if (key == null) {
                throw new WSSecurityException(WSSecurityException.ErrorCode.SECURITY_TOKEN_UNAVAILABLE);
            }
            credential.setSecretKey(key.secret());
            return credential;
        };
        config.setValidator(ConversationConstants.SECURITY_CTX_TOKEN_QNAME_05_02, context);
        config.setValidator(ConversationConstants.SECURITY_CTX_TOKEN_QNAME_05_12, context);
        config.setValidator(WSConstants.USERNAME_TOKEN, new PasswordCheck(passwords, pace, turns, address));
        RequestData data = new RequestData();
        data.setWssConfig(config);
        data.setSigVerCrypto(crypto);
        data.setDecCrypto(crypto);
        data.setCallbackHandler(new Answers(passwords));
        data.setUtTTL(Integer.MAX_VALUE);
        data.setUtFutureTTL(Integer.MAX_VALUE);
        data.setAllowUsernameTokenNoPassword(false);
        // GT4 is older than the Basic Security Profile; Structure is stricter where it matters
        data.setDisableBSPEnforcement(true);
        return data;
    }

    private static SoapFaultException refusal(WSSecurityException e, boolean isEncrypted) {
        ServiceCrypto.UntrustedException untrusted = cause(e, ServiceCrypto.UntrustedException.class);
        if (untrusted != null) {
            return Refusals.failedAuthentication("The signer's certificates are not good here: "
                    + Refusals.shown(String.valueOf(untrusted.getMessage())) + ".");
        }
        if (isEncrypted) {
            // one sentence for whatever is wrong: an attacker must not learn from it
            return Refusals.failedCheck(
                    "The message cannot be decrypted and verified. Encrypt it for this service's certificate.");
        }
        if (cause(e, CertificateException.class) != null) {
            return unreadable();
        }
        return switch (e.getErrorCode()) {
            case FAILED_CHECK, FAILED_SIGNATURE ->
                Refusals.failedCheck(
                        "The signature does not match the message: it was changed on its way, or signed with another key.");
            case FAILED_AUTHENTICATION ->
                Refusals.failedAuthentication("The name and the password do not fit, or the signer is not known.");
            case INVALID_SECURITY_TOKEN -> unreadable();
            case SECURITY_TOKEN_UNAVAILABLE ->
                Refusals.unavailableToken("A token that the message refers to is not in it.");
            default ->
                Refusals.invalid("The Security header cannot be processed: "
                        + Refusals.shown(String.valueOf(e.getMessage())) + ".");
        };
    }

    private static SoapFaultException unreadable() {
        return Refusals.invalidToken("A token of the message cannot be read as a chain of certificates.");
    }

    private static <T extends Throwable> @Nullable T cause(Throwable exception, Class<T> type) {
        Throwable at = exception;
        for (int depth = 0; at != null && depth < MAX_CAUSES; depth++) {
            if (type.isInstance(at)) {
                return type.cast(at);
            }
            at = at.getCause();
        }
        return null;
    }

    /** Hands out the password of the service's own key, and those of users. */
    private record Answers(Passwords passwords) implements CallbackHandler {
        @Override
        public void handle(Callback[] callbacks) {
            for (Callback callback : callbacks) {
                if (callback instanceof WSPasswordCallback wanted) {
                    switch (wanted.getUsage()) {
                        case WSPasswordCallback.DECRYPT -> wanted.setPassword(ServiceCrypto.PASSWORD);
                        case WSPasswordCallback.USERNAME_TOKEN ->
                            passwords
                                    .of(wanted.getIdentifier())
                                    .filter(Passwords.User::isInClear)
                                    .ifPresent(user -> wanted.setPassword(user.password()));
                        default -> LOG.debug("nobody's password is asked for: {}", wanted.getUsage());
                    }
                }
            }
        }
    }
}
