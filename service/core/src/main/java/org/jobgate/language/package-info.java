// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The port for languages in which clients describe jobs: text to job descriptions and back, without any transport. A front door takes every
 * language that the container gives it, whichever module it comes from.
 */
@NullMarked
package org.jobgate.language;

import org.jspecify.annotations.NullMarked;
