// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** WS-Notification of job states: subscriptions, and the notifier that delivers them. */
@NullMarked
package org.jobgate.gram.notification;

import org.jspecify.annotations.NullMarked;
