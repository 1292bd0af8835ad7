// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/**
 * WS-Security 1.0/1.1 before the SOAP services: X.509 signatures with proxies, encrypted requests, user names with passwords, and the
 * security contexts of WS-SecureConversation. Opens a request as a whole before anything else reads it, and hands on nothing of it that
 * is not protected.
 */
@NullMarked
package org.jobgate.wssecurity;

import org.jspecify.annotations.NullMarked;
