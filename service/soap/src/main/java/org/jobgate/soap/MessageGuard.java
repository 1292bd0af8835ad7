// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import static java.util.Objects.requireNonNull;

import java.security.cert.X509Certificate;
import java.util.function.UnaryOperator;
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

    /**
     * A request as it came.
     *
     * @param envelope its bytes
     * @param transport who has sent it by its transport; absent for a client without a certificate
     * @param chain the certificates by which the transport says so; absent where it says so by something else
     * @param isConfidential whether the transport was encrypted
     * @param address from which it came; empty where that is not known
     */
    @SuppressWarnings("ArrayRecordComponent") // of one request, compared with nothing
    record Arrived(
            byte[] envelope,
            @Nullable Identity transport,
            X509Certificate @Nullable [] chain,
            boolean isConfidential,
            String address) {

        public Arrived {
            requireNonNull(envelope, "envelope is null");
            requireNonNull(address, "address is null");
        }

        /** One of which it is not known from where it came. */
        public Arrived(
                byte[] envelope,
                @Nullable Identity transport,
                X509Certificate @Nullable [] chain,
                boolean isConfidential) {
            this(envelope, transport, chain, isConfidential, "");
        }

        /** One whose sender, if known by the transport, is not known by certificates. */
        public Arrived(byte[] envelope, @Nullable Identity transport, boolean isConfidential) {
            this(envelope, transport, null, isConfidential);
        }
    }

    /**
     * A request that may go on.
     *
     * @param envelope as it came if nothing of it was protected; else what is protected of it, written anew in UTF-8
     * @param identity who has sent it; absent for an anonymous caller
     * @param signing signs the reply, or fault, given as it would go out; absent where it goes out unsigned
     * @param answer what is answered in the place of the service, where the request was for the guard itself; else absent
     */
    @SuppressWarnings("ArrayRecordComponent") // of one request, compared with nothing
    record Opened(
            byte[] envelope,
            @Nullable Identity identity,
            @Nullable UnaryOperator<byte[]> signing,
            @Nullable Reply answer) {

        public Opened {
            requireNonNull(envelope, "envelope is null");
        }
    }
}
