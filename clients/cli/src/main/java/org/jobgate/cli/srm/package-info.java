// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The commands {@code srm-*}: files in storage of SRM v2.2. */
@NullMarked
package org.jobgate.cli.srm;

import org.jspecify.annotations.NullMarked;
