// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Traces of requests and jobs, for a collector of OpenTelemetry. */
@org.jspecify.annotations.NullMarked
package org.jobgate.container.trace;
