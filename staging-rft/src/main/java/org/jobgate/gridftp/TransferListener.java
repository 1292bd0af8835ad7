// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

/**
 * Is told how a transfer goes. Called by threads of the transfer, one call at a time; it must return soon and not throw: the transfer
 * waits.
 */
public interface TransferListener {

    /** For those who do not want to know. */
    TransferListener NONE = new TransferListener() {};

    /** So many bytes have been moved by this attempt; never less than before. */
    default void moved(long bytes) {}

    /**
     * These parts of the file have arrived at their destination and need not be sent again. For a restart, with
     * {@link TransferOptions#restartFrom}.
     */
    default void arrived(ByteRanges ranges) {}

    /** A server's own word, as it came. */
    default void marker(PerformanceMarker marker) {}
}
