// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The gridsite delegation service (facts/cream.md section 5): the client signs a certificate request of the server. */
@NullMarked
package org.jobgate.delegation.gridsite;

import org.jspecify.annotations.NullMarked;
