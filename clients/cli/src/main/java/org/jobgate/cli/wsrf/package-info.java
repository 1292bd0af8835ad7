// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** The commands wsrf-* and wsn-subscribe: any resource of any WSRF service, by its endpoint reference. */
@NullMarked
package org.jobgate.cli.wsrf;

import org.jspecify.annotations.NullMarked;
