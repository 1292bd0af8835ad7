// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.protocol;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * A bearer token, which every request carries (RFC 6750 section 2.1).
 *
 * @param id changes when it is renewed
 * @param token as its issuer wrote it: letters, digits and {@code -._~+/=} only
 * @param until when it expires
 */
public record TransferToken(String id, String token, Instant until) implements TransferCredential {

    public TransferToken {
        requireNonNull(id, "id is null");
        requireNonNull(until, "until is null");
        if (!token.matches("[A-Za-z0-9._~+/=-]+")) {
            throw new IllegalArgumentException("it holds characters that no token has");
        }
    }

    /** Without anything secret. */
    @Override
    public String toString() {
        return "token " + id + " until " + until;
    }
}
