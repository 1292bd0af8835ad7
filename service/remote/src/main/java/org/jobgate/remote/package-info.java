// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Jobs for other gateways: an LRM that is the job factory of another GRAM4 service. */
@NullMarked
package org.jobgate.remote;

import org.jspecify.annotations.NullMarked;
