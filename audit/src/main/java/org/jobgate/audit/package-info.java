// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Records of what became of each job, made from the change stream. */
@NullMarked
package org.jobgate.audit;

import org.jspecify.annotations.NullMarked;
