// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** How failures are worded for people. */
@NullMarked
package org.jobgate.cli.text;

import org.jspecify.annotations.NullMarked;
