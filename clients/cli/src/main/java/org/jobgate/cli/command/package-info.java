// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** What all quick commands have in common: words, statuses, sessions, endpoint files, and the pages that describe them. */
@NullMarked
package org.jobgate.cli.command;

import org.jspecify.annotations.NullMarked;
