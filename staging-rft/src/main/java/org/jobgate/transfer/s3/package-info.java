// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Objects of a store that speaks the protocol of Amazon's S3. */
@NullMarked
package org.jobgate.transfer.s3;

import org.jspecify.annotations.NullMarked;
