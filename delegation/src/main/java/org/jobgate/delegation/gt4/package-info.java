// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** GT4's DelegationFactoryService and DelegationService, of GT 4.0 and GT 4.2 at the same addresses (facts/gram4.md section 5). */
@NullMarked
package org.jobgate.delegation.gt4;

import org.jspecify.annotations.NullMarked;
