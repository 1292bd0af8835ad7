// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The front door of RFT: requests to move files, as resources of a web service. */
@NullMarked
package org.jobgate.rft;

import org.jspecify.annotations.NullMarked;
