// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Signing in by an OpenID Connect issuer: the code flow with PKCE, and the sessions that come of it. */
@NullMarked
package org.jobgate.container.signin;

import org.jspecify.annotations.NullMarked;
