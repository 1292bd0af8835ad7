// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The console: pages for a browser, which do everything by the REST API. */
@org.jspecify.annotations.NullMarked
package org.jobgate.rest.console;
