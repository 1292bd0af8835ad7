// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The activity description language (ADL) of EMI-ES with NorduGrid's additions: text to a job's description and back, without HTTP. What ADL
 * and xRSL have in common is here too ({@link org.jobgate.adl.Activity}).
 */
@NullMarked
package org.jobgate.adl;

import org.jspecify.annotations.NullMarked;
