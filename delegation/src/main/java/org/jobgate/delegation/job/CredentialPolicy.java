// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.job;

/**
 * What the site wants with the credentials of jobs.
 *
 * @param shorter what to do with a job whose credential ends before its wall time limit
 * @param waitsForRenewal whether a job whose credential has expired waits; otherwise it fails
 * @param keysInAccount whether the keys of the jobs' proxies are made by the accounts and never leave them; otherwise the service makes them
 */
public record CredentialPolicy(Shorter shorter, boolean waitsForRenewal, boolean keysInAccount) {

    /** With keys that the service makes. */
    public CredentialPolicy(Shorter shorter, boolean waitsForRenewal) {
        this(shorter, waitsForRenewal, false);
    }

    /** What to do with a job whose credential is shorter than itself. */
    public enum Shorter {
        REFUSE,
        WARN,
        ACCEPT
    }
}
