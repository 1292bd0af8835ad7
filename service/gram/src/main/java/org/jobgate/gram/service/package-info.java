// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** GRAM4's services: the job factory, the jobs, the subscriptions. */
@NullMarked
package org.jobgate.gram.service;

import org.jspecify.annotations.NullMarked;
