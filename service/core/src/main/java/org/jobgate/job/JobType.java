// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

/** How the processes of one job are started. */
public enum JobType {
    /** One process, whatever {@code count} says. */
    SINGLE,
    /** {@code count} processes that know nothing of each other. */
    MULTIPLE,
    /** {@code count} processes started by the site's MPI launcher. */
    MPI,
    /** A job of HTCondor's own kind. */
    CONDOR
}
