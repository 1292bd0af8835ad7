// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import javax.xml.namespace.QName;
import org.jobgate.job.ShortText;
import org.jobgate.soap.SoapFaultException;

/** The faults of WS-Security 1.1, section 12. Each says what is wrong and what to do. */
final class Refusals {

    private static final int SHOWN = 120;

    private Refusals() {}

    private static SoapFaultException refused(String code, String sentence) {
        return new SoapFaultException(new QName(Names.WSSE, code, "wsse"), sentence);
    }

    /** The header is not as it must be, or does not protect what must be protected. */
    static SoapFaultException invalid(String sentence) {
        return refused("InvalidSecurity", sentence);
    }

    static SoapFaultException invalidToken(String sentence) {
        return refused("InvalidSecurityToken", sentence);
    }

    static SoapFaultException unsupportedToken(String sentence) {
        return refused("UnsupportedSecurityToken", sentence);
    }

    static SoapFaultException unsupportedAlgorithm(String sentence) {
        return refused("UnsupportedAlgorithm", sentence);
    }

    /** The signature or the decryption does not come out. */
    static SoapFaultException failedCheck(String sentence) {
        return refused("FailedCheck", sentence);
    }

    static SoapFaultException failedAuthentication(String sentence) {
        return refused("FailedAuthentication", sentence);
    }

    static SoapFaultException unavailableToken(String sentence) {
        return refused("SecurityTokenUnavailable", sentence);
    }

    static SoapFaultException expired(String sentence) {
        return new SoapFaultException(new QName(Names.WSU, "MessageExpired", "wsu"), sentence);
    }

    /** A fault of WS-SecureConversation, section 9. */
    static SoapFaultException conversation(Dialect dialect, String code, String sentence) {
        return new SoapFaultException(dialect.conversation(code), sentence);
    }

    /** A fault of WS-Trust, section 11. */
    static SoapFaultException trust(Dialect dialect, String code, String sentence) {
        return new SoapFaultException(dialect.trust(code), sentence);
    }

    static String shown(String text) {
        return ShortText.of(text, SHOWN);
    }
}
