// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Files by SSH's file transfer protocol. */
@NullMarked
package org.jobgate.transfer.sftp;

import org.jspecify.annotations.NullMarked;
