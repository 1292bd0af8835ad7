// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Where network addresses lie. */
@NullMarked
package org.jobgate.address;

import org.jspecify.annotations.NullMarked;
