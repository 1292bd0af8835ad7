// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The commands glite-ce-*: a client of CREAM2 (facts/cream.md, sections 2, 9 and 13). */
@NullMarked
package org.jobgate.cli.cream;

import org.jspecify.annotations.NullMarked;
