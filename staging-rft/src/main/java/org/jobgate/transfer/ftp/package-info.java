// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Files by plain FTP, as anonymous. */
@NullMarked
package org.jobgate.transfer.ftp;

import org.jspecify.annotations.NullMarked;
