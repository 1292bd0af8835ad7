// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Delegation: the door that publishes its services. */
@NullMarked
package org.jobgate.delegation;

import org.jspecify.annotations.NullMarked;
