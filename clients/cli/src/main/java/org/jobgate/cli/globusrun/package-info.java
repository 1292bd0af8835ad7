// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The command globusrun-ws: GT4's options, lines and files, on the JDK alone. */
@NullMarked
package org.jobgate.cli.globusrun;

import org.jspecify.annotations.NullMarked;
