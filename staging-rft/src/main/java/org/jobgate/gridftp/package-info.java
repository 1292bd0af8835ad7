// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** A GridFTP client library that stands alone: control channels with GSI, transfers of files between servers and to this machine. */
@NullMarked
package org.jobgate.gridftp;

import org.jspecify.annotations.NullMarked;
