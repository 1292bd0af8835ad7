// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Usage records of jobs in the forms of OGF, EMI and APEL. */
@NullMarked
package org.jobgate.audit.usage;

import org.jspecify.annotations.NullMarked;
