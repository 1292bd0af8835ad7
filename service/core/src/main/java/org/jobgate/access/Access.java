// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.access;

import static java.util.Objects.requireNonNull;

import org.jobgate.authz.Authorizer;
import org.jobgate.identity.Identity;
import org.jspecify.annotations.Nullable;

/** Makes the callers that front doors work for. The only way from a request's identity to the site's policy. */
public final class Access {

    private final Authorizer authorizer;

    public Access(Authorizer authorizer) {
        this.authorizer = requireNonNull(authorizer, "authorizer is null");
    }

    /**
     * The sender of a request.
     *
     * @param identity as the transport or the message proved it; null for an anonymous sender, who may do nothing that needs a name
     */
    public Caller caller(@Nullable Identity identity) {
        return new Caller(identity, authorizer);
    }
}
