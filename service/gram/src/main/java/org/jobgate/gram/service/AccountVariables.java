// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import org.jobgate.gram.jdd.Variables;

/** The variables of job descriptions, as they are for a local account. */
@FunctionalInterface
public interface AccountVariables {

    Variables of(String account);

    /** The same for a job in this LRM, for which the site may define more. */
    default Variables of(String account, String lrm) {
        return of(account);
    }
}
