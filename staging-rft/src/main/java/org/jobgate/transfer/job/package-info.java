// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The files of jobs: what their descriptions ask to have fetched, sent and deleted, as requests to the transfer engine. */
@NullMarked
package org.jobgate.transfer.job;

import org.jspecify.annotations.NullMarked;
