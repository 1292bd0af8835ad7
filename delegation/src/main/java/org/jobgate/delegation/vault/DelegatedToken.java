// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jobgate.job.Text;

/**
 * A bearer token that a user delegated to this service for use by the user's jobs.
 *
 * @param owner the subject who delegated it, and who alone may use, renew and destroy it
 * @param key the name that the owner gave it; unique among the credentials of one owner
 * @param token as its issuer wrote it
 * @param expires when the token says that it ends
 * @param terminates when it is forgotten: at the expiry, or before if its owner says so
 */
public record DelegatedToken(String owner, String key, String token, Instant expires, Instant terminates)
        implements DelegatedCredential {

    public DelegatedToken {
        Text.requireText(owner, "owner", 1024);
        Text.requireText(key, "key", 128);
        requireNonNull(token, "token is null");
        DelegatedCredential.checkEnd(expires, terminates);
    }

    @Override
    public DelegatedToken terminatingAt(Instant time) {
        return new DelegatedToken(owner, key, token, expires, time);
    }

    /** Without anything secret. */
    @Override
    public String toString() {
        return "token " + key + " of " + owner + " until " + terminates;
    }
}
