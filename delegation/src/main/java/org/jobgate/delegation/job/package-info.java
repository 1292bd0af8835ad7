// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Delegated credentials in the hands of jobs: proxies of their own, kept fresh, and removed at the end. */
@NullMarked
package org.jobgate.delegation.job;

import org.jspecify.annotations.NullMarked;
