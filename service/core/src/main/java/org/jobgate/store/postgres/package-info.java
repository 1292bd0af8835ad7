// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** How a PostgreSQL server is reached: by the store of jobs, and by other records that are kept on one. */
@NullMarked
package org.jobgate.store.postgres;

import org.jspecify.annotations.NullMarked;
