// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.token;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jobgate.identity.Identity;

/**
 * Who stands behind a token that was found good.
 *
 * @param until when it expires
 */
public record VerifiedToken(Identity identity, Instant until) {
    public VerifiedToken {
        requireNonNull(identity, "identity is null");
        requireNonNull(until, "until is null");
    }
}
