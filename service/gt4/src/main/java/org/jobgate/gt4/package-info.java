// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The WS-Addressing, WS-ResourceFramework and WS-BaseFaults shapes that GRAM4 is made of. */
@NullMarked
package org.jobgate.gt4;

import org.jspecify.annotations.NullMarked;
