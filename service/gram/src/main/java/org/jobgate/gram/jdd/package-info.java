// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** GRAM4's job description language, both ways. */
@NullMarked
package org.jobgate.gram.jdd;

import org.jspecify.annotations.NullMarked;
