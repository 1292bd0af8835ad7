// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** What every front door does with jobs, and the ports through which files, credentials and environment come to a job. */
@NullMarked
package org.jobgate.jobs;

import org.jspecify.annotations.NullMarked;
