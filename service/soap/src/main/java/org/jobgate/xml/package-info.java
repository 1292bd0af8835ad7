// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** XML in and out: a small bounded tree for what comes in, a streaming writer for what goes out. */
@NullMarked
package org.jobgate.xml;

import org.jspecify.annotations.NullMarked;
