// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The entry of every quick command beside globusrun-ws. */
@NullMarked
package org.jobgate.cli.companion;

import org.jspecify.annotations.NullMarked;
