// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The REST API: jobs, and what belongs to them, as JSON over HTTP. Its contract is the resource {@code openapi.json}. */
@NullMarked
package org.jobgate.rest.api;

import org.jspecify.annotations.NullMarked;
