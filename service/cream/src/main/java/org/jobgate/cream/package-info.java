// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The front door of a CREAM computing element: the operations of CREAM2 over SOAP, leases, and events that clients fetch. */
@NullMarked
package org.jobgate.cream;

import org.jspecify.annotations.NullMarked;
