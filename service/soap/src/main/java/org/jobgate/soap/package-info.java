// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** SOAP 1.1 over CXF: one call in, one reply or fault out, the wire fully ours. */
@NullMarked
package org.jobgate.soap;

import org.jspecify.annotations.NullMarked;
