// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.time.Instant;
import org.jobgate.identity.Identity;

/**
 * What a security context is opened with.
 *
 * @param identity who has proven to be its owner
 * @param until when that proof ends: the end of the certificates; never for a password that the site's list has; some time for that of an account
 * @param proof looks at it again
 */
record Bootstrap(Identity identity, Instant until, Proof proof) {

    /** A credential that was good once, and may have been revoked since. */
    @FunctionalInterface
    interface Proof {

        /**
         * Whose it is now.
         *
         * @throws org.jobgate.soap.SoapFaultException with the reason why it is good no more
         */
        Identity again();
    }
}
