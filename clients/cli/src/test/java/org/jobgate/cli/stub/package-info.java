// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** A service for tests that answers with what real GRAM4 services answered (src/test/resources/replies, from the captures). */
@org.jspecify.annotations.NullMarked
package org.jobgate.cli.stub;
