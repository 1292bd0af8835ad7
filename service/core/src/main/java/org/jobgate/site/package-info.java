// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Files in which the administrators of a site write what holds there, and which may change, break or vanish at any time. */
@NullMarked
package org.jobgate.site;

import org.jspecify.annotations.NullMarked;
