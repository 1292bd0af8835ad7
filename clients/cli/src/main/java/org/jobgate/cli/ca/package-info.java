// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** A certificate authority for trials: hosts, users, proxies and the trust directory, as grid software expects them. */
@NullMarked
package org.jobgate.cli.ca;

import org.jspecify.annotations.NullMarked;
