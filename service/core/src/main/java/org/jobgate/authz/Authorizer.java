// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import org.jobgate.identity.Identity;

/** Decides whether somebody may submit jobs, and as which local accounts. */
@FunctionalInterface
public interface Authorizer {

    Decision decide(Identity identity);
}
