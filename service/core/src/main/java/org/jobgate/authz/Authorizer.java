// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import java.util.Optional;
import org.jobgate.identity.Identity;

/** Decides whether somebody may do something here, and as which local accounts. */
@FunctionalInterface
public interface Authorizer {

    /** Whether he may submit jobs. */
    Decision decide(Identity identity);

    /** Whether he may do it. */
    default Decision decide(Identity identity, Action action) {
        return decide(identity);
    }

    /**
     * What stands against it that somebody does it to a job of his own.
     *
     * @param action one for which owning the job is enough
     * @return empty if nothing does; else the denial, whose reason is a sentence without its full stop
     */
    default Optional<Decision.Deny> objection(Identity identity, Action action) {
        return Optional.empty();
    }
}
