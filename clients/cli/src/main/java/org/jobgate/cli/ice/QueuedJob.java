// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import org.jspecify.annotations.Nullable;

/**
 * A job that a thread has taken to bring it further.
 *
 * @param proxy the file of its proxy
 * @param place the queue, as HOST:PORT/cream-LRMS-QUEUE
 * @param endpoint the computing element, HOST:PORT
 * @param key of this attempt: a computing element that knows repeated registrations knows them by it
 * @param wasSent whether a registration with this key may have been sent before
 * @param remote its id at the computing element; null before the registration
 * @param sandbox where its files are to be brought; null before the registration
 * @param attempt 1 for the first
 */
record QueuedJob(
        String id,
        String owner,
        String proxy,
        String place,
        String endpoint,
        String key,
        boolean wasSent,
        @Nullable String remote,
        @Nullable String sandbox,
        String jdl,
        int attempt) {}
