// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Files of this machine, as the local accounts that they belong to. */
@NullMarked
package org.jobgate.transfer.file;

import org.jspecify.annotations.NullMarked;
