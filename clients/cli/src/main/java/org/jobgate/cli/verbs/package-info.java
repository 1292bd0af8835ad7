// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The commands of {@code jobgate} for users: jobs, arrays and files over the REST API, started as quickly as {@code globusrun-ws}. */
@NullMarked
package org.jobgate.cli.verbs;

import org.jspecify.annotations.NullMarked;
