// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.notify;

import java.util.Optional;

/** One thing to tell a consumer. Its methods are called by the threads that deliver. */
public interface Message {

    /**
     * The message as it is sent, written anew for each attempt; empty where there is nothing to tell any more.
     *
     * <p>A {@link RuntimeException} counts as a failed attempt.
     */
    Optional<byte[]> write();

    /** The consumer took it, or there was nothing to tell. The message is in its consumer's queue no longer. */
    default void delivered() {
        settled();
    }

    /** Nobody will send it any more: it was delivered, left out because too much waited, or given up. */
    void settled();
}
