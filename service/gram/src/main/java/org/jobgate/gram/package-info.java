// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The GRAM4 front door: what a container wires. */
@NullMarked
package org.jobgate.gram;

import org.jspecify.annotations.NullMarked;
