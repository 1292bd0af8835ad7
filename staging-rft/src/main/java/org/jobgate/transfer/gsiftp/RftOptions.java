// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import java.util.Set;
import org.jobgate.gridftp.DataAuthentication;
import org.jobgate.gridftp.Protection;
import org.jobgate.gridftp.TransferOptions;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;

/** RFT's options of a transfer ({@code RFTOptionsType}) in GridFTP's terms. */
final class RftOptions {

    private static final int MAX_STREAMS = 32;
    private static final long MEDIUM = 10_000_000;
    private static final long LARGE = 100_000_000;
    private static final int MAX_BUFFER = 256 * 1024 * 1024;

    private RftOptions() {}

    /**
     * Between two servers: extended block mode, for its restart markers and parallel streams. Where nobody says how many streams, it goes by
     * the size: a small file is over before a second stream helps, and the connections of one stream stay open for the next file.
     *
     * @param size in bytes; below 0 where it is not known
     */
    static TransferOptions thirdParty(TransferContext context, long size) throws TransferException {
        known(context);
        int streams = bounded(context, "parallelStreams", streamsFor(size), 1, MAX_STREAMS);
        return common(TransferOptions.EXTENDED.withStreams(streams), context);
    }

    private static int streamsFor(long size) {
        return size < MEDIUM ? 1 : size < LARGE ? 2 : 4;
    }

    /** Between a server and the gateway: stream mode, in which no server needs to reach the gateway. */
    static TransferOptions relayed(TransferContext context) throws TransferException {
        known(context);
        return common(TransferOptions.STREAM, context);
    }

    /** From the gateway to a server: extended block mode, in which the data connection stays open for the next file. */
    static TransferOptions sent(TransferContext context) throws TransferException {
        known(context);
        return common(TransferOptions.EXTENDED, context);
    }

    /** From a server that may connect to the gateway: as {@link #sent}. */
    static TransferOptions fetched(TransferContext context) throws TransferException {
        return sent(context);
    }

    static boolean isRelayAsked(TransferContext context) {
        return context.option("notpt").map(Boolean::parseBoolean).orElse(false);
    }

    private static TransferOptions common(TransferOptions options, TransferContext context) throws TransferException {
        int block = bounded(context, "blockSize", options.blockSize(), 1, TransferOptions.MAX_BLOCK);
        int tcp = bounded(context, "tcpBufferSize", 0, 0, MAX_BUFFER);
        boolean authenticated =
                context.option("dcau").map(Boolean::parseBoolean).orElse(true);
        return options.withBuffers(tcp, block)
                .withSecurity(authenticated ? DataAuthentication.SELF : DataAuthentication.NONE, Protection.CLEAR);
    }

    private static int bounded(TransferContext context, String name, int byDefault, int least, int most)
            throws TransferException {
        int value = context.number(name, byDefault);
        if (value < least || value > most) {
            throw new TransferException(
                    Kind.PERMANENT,
                    name + " is " + value + "; possible are " + least + " to " + most,
                    "Correct it in the job's staging directives.");
        }
        return value;
    }

    /** Names that would have to be compared are not passed over in silence. */
    private static void known(TransferContext context) throws TransferException {
        for (String name : Set.of("subjectName", "sourceSubjectName", "destinationSubjectName", "userName")) {
            if (context.option(name).isPresent()) {
                throw new TransferException(
                        Kind.PERMANENT,
                        "the option " + name
                                + " is not supported: a server is known by its host's certificate, the account by its grid-mapfile",
                        "Leave it out of the job's staging directives.");
            }
        }
    }
}
