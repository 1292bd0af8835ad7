// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The GRAM4 wire as a client needs it: envelopes, endpoint references, faults. Uses the JDK only, so that it starts fast. */
@NullMarked
package org.jobgate.cli.wire;

import org.jspecify.annotations.NullMarked;
