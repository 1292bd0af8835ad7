// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** GRAM4's multi-jobs: how they are asked for. What becomes of them is the lifecycle's. */
@NullMarked
package org.jobgate.gram.multi;

import org.jspecify.annotations.NullMarked;
