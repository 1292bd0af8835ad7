// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** WS-Notification of job states: the topics, the messages, and the notifier that decides which subscriber gets which message. */
@NullMarked
package org.jobgate.gram.notification;

import org.jspecify.annotations.NullMarked;
