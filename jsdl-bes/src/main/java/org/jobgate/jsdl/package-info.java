// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The Job Submission Description Language 1.0 (GFD.56, GFD.136) with the applications of POSIX, of the HPC Profile (GFD.111) and SPMD
 * (GFD.115): text to job descriptions and back, without any transport. Facts: facts/bes-jsdl.md section 7.
 */
@NullMarked
package org.jobgate.jsdl;

import org.jspecify.annotations.NullMarked;
