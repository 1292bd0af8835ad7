// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** What a protocol must offer so that files can be moved with it: one class for each, and another one is one more. */
@NullMarked
package org.jobgate.transfer.protocol;

import org.jspecify.annotations.NullMarked;
