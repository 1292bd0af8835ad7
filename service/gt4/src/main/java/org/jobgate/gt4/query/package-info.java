// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Queries of resource properties by XPath 1.0, whose cost is bounded. */
@NullMarked
package org.jobgate.gt4.query;

import org.jspecify.annotations.NullMarked;
