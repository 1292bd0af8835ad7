// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The {@link org.jobgate.store.JobStore} on SQLite and on PostgreSQL. How it works: docs/internals/store.md. */
@NullMarked
package org.jobgate.store.sql;

import org.jspecify.annotations.NullMarked;
