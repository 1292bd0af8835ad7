// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The administrator's command jobgate: talks to the container over its local socket, starts and stops it. */
@NullMarked
package org.jobgate.cli.admin;

import org.jspecify.annotations.NullMarked;
