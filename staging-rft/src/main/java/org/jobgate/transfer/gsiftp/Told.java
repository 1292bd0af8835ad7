// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import org.jobgate.gridftp.ByteRanges;
import org.jobgate.gridftp.TransferListener;
import org.jobgate.transfer.protocol.Progress;

/** Hands what GridFTP tells to the engine: differences, and markers when one is due. */
final class Told implements TransferListener {

    private final Progress progress;
    private final String version;
    private long before;

    /** Markers are kept only where there is a version to compare later. */
    Told(Progress progress, String version) {
        this.progress = progress;
        this.version = version;
    }

    @Override
    public void moved(long bytes) {
        if (bytes > before) {
            progress.moved(bytes - before);
            before = bytes;
        }
    }

    @Override
    public void arrived(ByteRanges ranges) {
        if (!version.isEmpty() && progress.isMarkDue()) {
            progress.mark(new Marker(version, ranges).text());
        }
    }
}
