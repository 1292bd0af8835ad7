// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Delegating credentials to a service (facts/gram4.md section 5), and the commands for it. */
@NullMarked
package org.jobgate.cli.delegation;

import org.jspecify.annotations.NullMarked;
