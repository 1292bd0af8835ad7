// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.job;

/** Where an account's files of jobs lie. */
@FunctionalInterface
public interface AccountPlaces {

    /**
     * The directory below which each job has its scratch directory: absolute, without a slash at its end.
     *
     * @throws org.jobgate.job.FaultException if there is no such account
     */
    String scratchBase(String account);
}
