// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** NorduGrid's extended resource specification language (xRSL): text to a job's description, without HTTP. */
@NullMarked
package org.jobgate.xrsl;

import org.jspecify.annotations.NullMarked;
