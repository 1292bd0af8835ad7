// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Where the processes of a job, or the sub-jobs of a multi-job, leave bytes for each other and learn when all have come. */
@NullMarked
package org.jobgate.gram.rendezvous;

import org.jspecify.annotations.NullMarked;
