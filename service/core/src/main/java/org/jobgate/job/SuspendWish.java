// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

/**
 * What the owner of a job has asked of its LRM and the LRM has not confirmed yet. It is stored, so that it is asked again after the
 * service was ended in between. Asking twice does no harm: a suspended job that is suspended again stays as it is.
 */
public enum SuspendWish {
    /** The job is to stop where it is, and to keep what it has done. */
    SUSPEND,
    /** The job waits in its LRM and is not to begin; where it has begun, it goes on. */
    HOLD,
    /** The job is to go on. */
    RESUME
}
