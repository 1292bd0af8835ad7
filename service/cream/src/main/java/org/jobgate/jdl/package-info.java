// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** JDL, the job description language of CREAM and of the gLite workload management: text to values, without HTTP. */
@org.jspecify.annotations.NullMarked
package org.jobgate.jdl;
