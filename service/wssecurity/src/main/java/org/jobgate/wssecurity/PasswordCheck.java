// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.wss4j.common.ext.WSSecurityException;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.handler.RequestData;
import org.apache.wss4j.dom.message.token.UsernameToken;
import org.apache.wss4j.dom.validate.Credential;
import org.apache.wss4j.dom.validate.UsernameTokenValidator;
import org.jobgate.soap.SoapFaultException;

/** Whether the name and the password of one message fit. An unknown name and a wrong password are answered alike. */
final class PasswordCheck extends UsernameTokenValidator {

    /** Where passwords of accounts are asked for, every refusal comes after this time. */
    static final Duration REFUSED_AFTER = Duration.ofSeconds(2);

    private static final String NO_FIT = "The name and the password do not fit, or the signer is not known.";

    private final Passwords passwords;
    private final PasswordPace pace;
    private final PasswordTurns turns;
    private final String address;

    PasswordCheck(Passwords passwords, PasswordPace pace, PasswordTurns turns, String address) {
        this.passwords = passwords;
        this.pace = pace;
        this.turns = turns;
        this.address = address;
    }

    @Override
    public Credential validate(Credential credential, RequestData data) throws WSSecurityException {
        UsernameToken token = credential.getUsernametoken();
        if (token == null) {
            throw new WSSecurityException(WSSecurityException.ErrorCode.FAILED_AUTHENTICATION);
        }
        boolean isDigest = token.isHashed();
        String type = token.getPasswordType();
        // without a type it is PasswordText (UsernameToken Profile 1.0, section 3)
        boolean isText = type == null || type.isEmpty() || WSConstants.PASSWORD_TEXT.equals(type);
        if (!isDigest && !isText) {
            throw Refusals.unsupportedToken("The type of the UsernameToken's password is not served."
                    + " Send PasswordText or PasswordDigest.");
        }
        String name = String.valueOf(token.getName());
        String password = token.getPassword();
        long begun = System.nanoTime();
        boolean fits = turns.check(address, () -> {
            pace.require(name, address);
            boolean hasFit =
                    password != null && (isDigest ? digestFits(credential, data) : passwords.fits(name, password));
            pace.note(name, address, hasFit);
            return hasFit;
        });
        if (!fits) {
            if (passwords.hasAccounts()) {
                awaitCommonTime(begun);
            }
            throw refusal(isDigest);
        }
        return credential;
    }

    /** The system needs longer for a wrong password than a look at the list does for a name that is not there. */
    private static void awaitCommonTime(long begun) {
        try {
            TimeUnit.NANOSECONDS.sleep(REFUSED_AFTER.toNanos() - (System.nanoTime() - begun));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the service stops
        }
    }

    private boolean digestFits(Credential credential, RequestData data) {
        try {
            super.validate(credential, data);
            return true;
        } catch (WSSecurityException e) {
            return false;
        }
    }

    /** No digest can be made from a hash or for an account; that is said of every digest that does not fit, so that it tells nothing of a name. */
    private SoapFaultException refusal(boolean isDigest) {
        return Refusals.failedAuthentication(
                isDigest && passwords.hasHidden()
                        ? NO_FIT
                                + " Of a password that this site keeps as a hash or as that of an account, no digest can be checked: send PasswordText."
                        : NO_FIT);
    }
}
