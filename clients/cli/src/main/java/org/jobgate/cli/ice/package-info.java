// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The command ice: a submission manager that takes jobs from a durable queue and brings them to computing elements of CREAM, each once.
 */
@NullMarked
package org.jobgate.cli.ice;

import org.jspecify.annotations.NullMarked;
