// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.signin;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import org.jobgate.identity.Identity;
import org.jspecify.annotations.Nullable;

/** Who is signed in at one browser. */
public final class Session {

    private final Identity identity;
    private final String csrf;
    private final Instant began;
    private final Instant until;
    private volatile Instant used;

    Session(Identity identity, String csrf, Instant began, Instant until) {
        this.identity = requireNonNull(identity, "identity is null");
        this.csrf = requireNonNull(csrf, "csrf is null");
        this.began = requireNonNull(began, "began is null");
        this.until = requireNonNull(until, "until is null");
        this.used = began;
    }

    /** Who signed in. */
    public Identity identity() {
        return identity;
    }

    /** What a page must send with each request that changes something; only pages of this gateway can read it. */
    public String csrf() {
        return csrf;
    }

    /** When it ends, however much it is used. */
    public Instant until() {
        return until;
    }

    /** Whether this is what the page was told; absent where it said nothing. */
    public boolean isCsrf(@Nullable String said) {
        return said != null
                && MessageDigest.isEqual(csrf.getBytes(StandardCharsets.UTF_8), said.getBytes(StandardCharsets.UTF_8));
    }

    Instant began() {
        return began;
    }

    Instant used() {
        return used;
    }

    void use(Instant now) {
        used = now;
    }
}
