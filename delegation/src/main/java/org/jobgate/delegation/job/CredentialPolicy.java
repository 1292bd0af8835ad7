// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.job;

/**
 * What the site wants with credentials that do not last.
 *
 * @param shorter what to do with a job whose credential ends before its wall time limit
 * @param waitsForRenewal whether a job whose credential has expired waits; otherwise it fails
 */
public record CredentialPolicy(Shorter shorter, boolean waitsForRenewal) {

    /** What to do with a job whose credential is shorter than itself. */
    public enum Shorter {
        REFUSE,
        WARN,
        ACCEPT
    }
}
