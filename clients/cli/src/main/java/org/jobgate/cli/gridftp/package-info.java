// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Files at GridFTP servers, with the JDK alone, so that a command starts as fast with it as without. */
@NullMarked
package org.jobgate.cli.gridftp;

import org.jspecify.annotations.NullMarked;
