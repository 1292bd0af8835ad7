// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** {@code jobgate proxy}: makes proxies of users' certificates, shows them, removes them, gets them from a MyProxy server. */
@NullMarked
package org.jobgate.cli.proxy;

import org.jspecify.annotations.NullMarked;
