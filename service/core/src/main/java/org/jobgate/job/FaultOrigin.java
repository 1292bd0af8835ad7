// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

/** Whose fault a failure is: who can mend it. */
public enum FaultOrigin {
    /** The person who described the job. */
    USER,
    /** The people who run this gateway or its LRM. */
    SITE,
    /** The service that issues or renews the credential. */
    CREDENTIAL,
    /** A limit, of the site's or of the job's own asking. */
    LIMIT,
    /** Nobody: trying again may help. */
    TRANSIENT
}
