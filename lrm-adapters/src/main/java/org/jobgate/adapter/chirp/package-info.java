// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** Tickets of jobs to the site's Chirp servers: made before a job is given to its LRM, renewed, withdrawn at its end. */
@NullMarked
package org.jobgate.adapter.chirp;

import org.jspecify.annotations.NullMarked;
