// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Who calls, as which local account, and whether the site's policy lets the caller do it: asked here for every front door. */
@NullMarked
package org.jobgate.access;

import org.jspecify.annotations.NullMarked;
