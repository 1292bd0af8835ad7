// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** How bytes are packed on their way between two gateways, or a client and a gateway, and unpacked within bounds. */
@NullMarked
package org.jobgate.packing;

import org.jspecify.annotations.NullMarked;
