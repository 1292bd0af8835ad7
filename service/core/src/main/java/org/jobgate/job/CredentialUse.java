// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

/** What a delegated credential is for that a job's description names. */
public enum CredentialUse {
    /** The job itself uses it: it finds it as a file. */
    JOB,
    /** The job's files are moved with it, where the description names none for the particular files. */
    FILES,
    /** The files that the job needs before it starts are fetched with it. */
    STAGE_IN,
    /** The job's output is sent with it. */
    STAGE_OUT,
    /** Files are deleted with it after the job. */
    CLEAN_UP
}
