// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The door for clients of ARC's REST interface, versions 1.0 and 1.1: ARC's own commands, pyarcrest, and HTCondor's grid type {@code arc}. */
@NullMarked
package org.jobgate.rest.arc;

import org.jspecify.annotations.NullMarked;
