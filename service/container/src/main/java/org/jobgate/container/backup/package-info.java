// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Backups of what the gateway must not lose, made while it works, and how they come back. */
@NullMarked
package org.jobgate.container.backup;

import org.jspecify.annotations.NullMarked;
