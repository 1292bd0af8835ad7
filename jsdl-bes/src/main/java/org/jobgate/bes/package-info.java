// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The front door of OGSA-BES 1.0 (GFD.108) with the HPC Basic Profile 1.0 (GFD.114): activities are jobs of the gateway, and a parameter
 * sweep is a group of jobs. The language of their documents is given to the door from outside.
 */
@NullMarked
package org.jobgate.bes;

import org.jspecify.annotations.NullMarked;
