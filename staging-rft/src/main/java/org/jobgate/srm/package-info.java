// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The front door of storage resource managers (SRM v2.2): files in the trees that the site exports, and URLs to move them by. */
@NullMarked
package org.jobgate.srm;

import org.jspecify.annotations.NullMarked;
