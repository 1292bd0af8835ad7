// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The command {@code bes}: activities of OGSA-BES. */
@NullMarked
package org.jobgate.cli.bes;

import org.jspecify.annotations.NullMarked;
