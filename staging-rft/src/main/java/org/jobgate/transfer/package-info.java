// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The transfer engine: requests of many transfers and deletions, kept on disk, retried, throttled, resumed. */
@NullMarked
package org.jobgate.transfer;

import org.jspecify.annotations.NullMarked;
