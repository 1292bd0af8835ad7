// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Tells the programs of clients what happens: one reader of the change stream, and deliveries that are repeated, bounded and fair between
 * owners. Front doors write the messages.
 */
@NullMarked
package org.jobgate.notify;

import org.jspecify.annotations.NullMarked;
