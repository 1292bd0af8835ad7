// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.net.URI;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;

/** Sends the end of a file that has no room as a whole, under its name with the ending {@code .tail}. */
final class Tails {

    private static final String ENDING = ".tail";

    private Tails() {}

    /**
     * Sends the last bytes of a file.
     *
     * @param tail how many; 0 for none
     * @return what its owner should know of it, in the words of CREAM's wrapper
     */
    static String send(URI source, URI destination, long tail, Protocols protocols, TransferContext context)
            throws TransferException, InterruptedException {
        String quota = "OSB quota exceeded for " + source.getPath() + ", truncating needed. ";
        String name = Urls.name(source);
        if (tail == 0) {
            return quota + "Not enough room for a significant truncation on file " + name + ", not sending";
        }
        long size = WrittenFiles.look(source, protocols, context)
                .map(WrittenFiles.Known::size)
                .orElse(0L);
        long length = Math.min(tail, size);
        URI to = Urls.named(destination, ENDING);
        WrittenFiles.send(source, size - length, length, to, protocols, context, context);
        return quota + "Truncated last " + length + " bytes for file " + name;
    }
}
