// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** File servers that reach the files of this machine: which, by path, and by whose turn or load. */
@NullMarked
package org.jobgate.transfer.server;

import org.jspecify.annotations.NullMarked;
