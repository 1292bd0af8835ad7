// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Bearer tokens: JSON Web Tokens of the WLCG and SciTokens profiles, from issuers that the site names. */
@NullMarked
package org.jobgate.delegation.token;

import org.jspecify.annotations.NullMarked;
