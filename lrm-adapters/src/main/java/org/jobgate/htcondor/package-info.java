// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/**
 * HTCondor for Java: ClassAds, the job event log, submit descriptions, and the commands of the queue and the history. Written for
 * HTCondor 23.x and its documented text formats; needs no library of HTCondor's. Described in docs/internals/htcondor.md.
 */
@NullMarked
package org.jobgate.htcondor;

import org.jspecify.annotations.NullMarked;
