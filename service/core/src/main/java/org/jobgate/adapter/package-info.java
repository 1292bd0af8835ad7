// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The ports to the LRMs: what the engine asks an LRM, and what an LRM tells it. */
@NullMarked
package org.jobgate.lrm;

import org.jspecify.annotations.NullMarked;
