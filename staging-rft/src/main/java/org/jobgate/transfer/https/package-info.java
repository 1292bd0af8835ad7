// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Files of web servers. */
@NullMarked
package org.jobgate.transfer.https;

import org.jspecify.annotations.NullMarked;
