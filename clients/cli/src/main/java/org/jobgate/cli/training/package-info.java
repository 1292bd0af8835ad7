// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Makes the JVM's start-up cache (AOT or AppCDS) for globusrun-ws by running it once against a rehearsal service. */
@NullMarked
package org.jobgate.cli.training;

import org.jspecify.annotations.NullMarked;
