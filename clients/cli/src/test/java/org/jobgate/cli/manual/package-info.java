// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Makes manual pages and completion from the option tables, and finds out where the committed ones are stale. */
@NullMarked
package org.jobgate.cli.manual;

import org.jspecify.annotations.NullMarked;
