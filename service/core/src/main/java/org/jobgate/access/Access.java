// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.access;

import static java.util.Objects.requireNonNull;

import java.util.Set;
import org.jobgate.authz.Authorizer;
import org.jobgate.identity.Identity;
import org.jspecify.annotations.Nullable;

/** Makes the callers that front doors work for. The only way from a request's identity to the site's policy. */
public final class Access {

    private final Authorizer authorizer;
    private final Set<String> administrators;
    private final AdministratorActs acts;

    /** Without administrators. */
    public Access(Authorizer authorizer) {
        this(authorizer, Set.of(), AdministratorActs.NONE);
    }

    /**
     * With administrators.
     *
     * @param administrators the subjects of those who may look at what is others', and change it
     * @param acts keeps on record what they change
     */
    public Access(Authorizer authorizer, Set<String> administrators, AdministratorActs acts) {
        this.authorizer = requireNonNull(authorizer, "authorizer is null");
        this.administrators = Set.copyOf(administrators);
        this.acts = requireNonNull(acts, "acts is null");
    }

    /**
     * The sender of a request.
     *
     * @param identity as the transport or the message proved it; null for an anonymous sender, who may do nothing that needs a name
     */
    public Caller caller(@Nullable Identity identity) {
        return new Caller(identity, authorizer, administrators, acts);
    }
}
