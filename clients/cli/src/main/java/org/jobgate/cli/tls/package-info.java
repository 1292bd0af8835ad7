// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Credentials, trust and HTTP over TLS, with the JDK only. */
@NullMarked
package org.jobgate.cli.tls;

import org.jspecify.annotations.NullMarked;
