// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.protocol;

/** What a protocol tells of a transfer on its way. Calls return at once, but for {@link #mark}, which waits for the disk. */
public interface Progress {

    /** Bytes have arrived at the destination; 0 for a step of work without bytes. A transfer that moves too little is interrupted. */
    void moved(long bytes);

    /**
     * Bytes of a source have been read, which may wait for others before they are written, or are only compared. Where this is told, it is
     * what counts as the pace of a transfer.
     */
    default void came(long bytes) {
        moved(0);
    }

    /** Whether the last marker is old enough for a new one. */
    boolean isMarkDue();

    /**
     * Keeps where to go on after a restart or a failure; what it stands for must be safe at the destination.
     *
     * @param marker the protocol's own text, at most 64 KiB
     */
    void mark(String marker);

    /**
     * Tells the transfer's owner how it was made, which is no failure; the last word counts.
     *
     * @param text a clause without a full stop, at most 1 KiB
     */
    default void note(String text) {}
}
