// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** A stand-in for the server, for tests of the launcher. */
@org.jspecify.annotations.NullMarked
package org.jobgate.container;
