// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Every failure, as GT4 clients know it: typed faults on the wire. */
@NullMarked
package org.jobgate.gram.fault;

import org.jspecify.annotations.NullMarked;
