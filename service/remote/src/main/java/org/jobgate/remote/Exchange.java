// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import java.io.IOException;
import java.net.URI;

/** Sends one envelope and brings the answer. */
interface Exchange extends AutoCloseable {

    /**
     * Sends the envelope as this caller.
     *
     * @throws IOException if no whole answer came in time: whether the request was done is not known
     */
    Answer post(ClientCredential as, URI address, String action, byte[] envelope) throws IOException;

    @Override
    void close();

    /** An answer, whatever its status. */
    final class Answer {
        private final int status;
        private final byte[] body;

        Answer(int status, byte[] body) {
            this.status = status;
            this.body = body;
        }

        int status() {
            return status;
        }

        byte[] bytes() {
            return body.clone();
        }
    }
}
