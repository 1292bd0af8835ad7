// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Subscriptions to resources of GT4's services (jobs, requests to move files): their wire form, their storage and what can be done with them. */
@NullMarked
package org.jobgate.gt4.subscription;

import org.jspecify.annotations.NullMarked;
