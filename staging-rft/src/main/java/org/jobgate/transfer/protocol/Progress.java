// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.protocol;

/** What a protocol tells of a transfer on its way. Calls return at once, but for {@link #mark}, which waits for the disk. */
public interface Progress {

    /** Bytes have arrived at the destination. A transfer that moves none for too long is interrupted. */
    void moved(long bytes);

    /** Whether the last marker is old enough for a new one. */
    boolean isMarkDue();

    /**
     * Keeps where to go on after a restart or a failure; what it stands for must be safe at the destination.
     *
     * @param marker the protocol's own text, at most 64 KiB
     */
    void mark(String marker);
}
