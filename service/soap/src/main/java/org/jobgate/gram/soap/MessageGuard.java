// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.soap;

import static java.util.Objects.requireNonNull;

import org.jobgate.identity.Identity;
import org.jspecify.annotations.Nullable;

/** What stands between the wire and one service where messages are protected themselves, not only their transport. */
public interface MessageGuard {

    /**
     * Opens a request: checks its protection and takes it off.
     *
     * @throws SoapFaultException that says what is wrong with its protection
     */
    Opened open(Arrived request);

    /** The reply, or fault, to a signed request with a signature of the service. */
    byte[] signed(byte[] reply);

    /**
     * A request as it came.
     *
     * @param envelope its bytes
     * @param transport who has sent it by its transport; absent for a client without a certificate
     * @param isConfidential whether the transport was encrypted
     */
    @SuppressWarnings("ArrayRecordComponent") // of one request, compared with nothing
    record Arrived(byte[] envelope, @Nullable Identity transport, boolean isConfidential) {

        public Arrived {
            requireNonNull(envelope, "envelope is null");
        }
    }

    /**
     * A request that may go on.
     *
     * @param envelope as it came if nothing of it was protected; else what is protected of it, written anew in UTF-8
     * @param identity who has sent it; absent for an anonymous caller
     * @param wasSigned whether the reply is to be signed
     */
    @SuppressWarnings("ArrayRecordComponent") // of one request, compared with nothing
    record Opened(byte[] envelope, @Nullable Identity identity, boolean wasSigned) {

        public Opened {
            requireNonNull(envelope, "envelope is null");
        }
    }
}
