// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The commands of RFT: rft, rft-delete and globus-crft. */
@NullMarked
package org.jobgate.cli.rft;

import org.jspecify.annotations.NullMarked;
