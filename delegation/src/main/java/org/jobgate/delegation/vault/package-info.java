// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Delegated credentials: made, checked, kept encrypted, renewed, watched and forgotten. Knows no protocol. */
@NullMarked
package org.jobgate.delegation.vault;

import org.jspecify.annotations.NullMarked;
