// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import java.util.Optional;
import org.jobgate.identity.Identity;

/** Decides whether somebody may do something here, and as which local accounts. */
@FunctionalInterface
public interface Authorizer {

    /** Whether the caller may submit jobs. */
    Decision decide(Identity identity);

    /** Whether the caller may do this. */
    default Decision decide(Identity identity, Action action) {
        return decide(identity);
    }

    /**
     * The objection of the site's policy against a caller's doing this to one of the caller's own jobs.
     *
     * @param action one for which owning the job is enough
     * @return empty if nothing does; else the denial, whose reason is a sentence without its full stop
     */
    default Optional<Decision.Deny> objection(Identity identity, Action action) {
        return Optional.empty();
    }
}
