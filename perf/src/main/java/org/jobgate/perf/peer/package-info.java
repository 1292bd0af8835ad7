// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** What others use instead of us: each given the same jobs as the gateway that is measured. */
@NullMarked
package org.jobgate.perf.peer;

import org.jspecify.annotations.NullMarked;
