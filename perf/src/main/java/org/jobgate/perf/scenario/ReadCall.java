// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

/** What clients ask for again and again: the state of a job, the files of its directory as JSON, or the same by srmLs. */
enum ReadCall {
    STATE,
    LIST,
    SRM
}
