// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Files at GridFTP servers: third party between two of them, through the gateway where the other end is something else. */
@NullMarked
package org.jobgate.transfer.gsiftp;

import org.jspecify.annotations.NullMarked;
