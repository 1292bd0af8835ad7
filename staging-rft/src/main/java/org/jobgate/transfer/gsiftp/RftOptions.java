// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jobgate.gridftp.DataAuthentication;
import org.jobgate.gridftp.Protection;
import org.jobgate.gridftp.SubjectName;
import org.jobgate.gridftp.TransferOptions;
import org.jobgate.transfer.protocol.End;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jspecify.annotations.Nullable;

/** RFT's options of a transfer ({@code RFTOptionsType}) in GridFTP's terms. */
final class RftOptions {

    private static final String STREAMS = "parallelStreams";
    private static final String BLOCK = "blockSize";
    private static final String BUFFER = "tcpBufferSize";
    private static final String USER = "userName";
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
        int streams = bounded(context, STREAMS, streamsFor(size), 1, MAX_STREAMS);
        return common(TransferOptions.EXTENDED.withStreams(streams), context);
    }

    private static int streamsFor(long size) {
        return size < MEDIUM ? 1 : size < LARGE ? 2 : 4;
    }

    /** Between a server and the gateway: stream mode, in which no server needs to reach the gateway. */
    static TransferOptions relayed(TransferContext context) throws TransferException {
        return common(TransferOptions.STREAM, context);
    }

    /** From the gateway to a server: extended block mode, in which the data connection stays open for the next file. */
    static TransferOptions sent(TransferContext context) throws TransferException {
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
        int block = bounded(context, BLOCK, options.blockSize(), 1, TransferOptions.MAX_BLOCK);
        int tcp = bounded(context, BUFFER, 0, 0, MAX_BUFFER);
        boolean authenticated =
                context.option("dcau").map(Boolean::parseBoolean).orElse(true);
        return options.withBuffers(tcp, block)
                .withSecurity(authenticated ? DataAuthentication.SELF : DataAuthentication.NONE, Protection.CLEAR);
    }

    private static int bounded(TransferContext context, String name, int byDefault, int least, int most)
            throws TransferException {
        int value = context.number(name, byDefault);
        Optional<String> wrong = wrong(name, value, least, most);
        if (wrong.isPresent()) {
            throw new TransferException(Kind.PERMANENT, wrong.get(), "Correct it in the job's staging directives.");
        }
        return value;
    }

    private static Optional<String> wrong(String name, int value, int least, int most) {
        return value >= least && value <= most
                ? Optional.empty()
                : Optional.of(name + " is " + value + "; possible are " + least + " to " + most);
    }

    /** What of all this cannot be done, for a server that is this end. */
    static Optional<String> refusal(Map<String, String> options, End end) {
        if (options.containsKey(USER)) {
            return Optional.of("the option " + USER
                    + " is not supported: a GridFTP server maps the delegated credential to an account by itself");
        }
        for (String option : end.options()) {
            String subject = options.get(option);
            if (subject != null) {
                try {
                    var unused = SubjectName.parse(subject);
                } catch (IllegalArgumentException e) {
                    return Optional.of("the option " + option + ": " + e.getMessage());
                }
            }
        }
        return Stream.of(
                        wrong(options, STREAMS, 1, MAX_STREAMS),
                        wrong(options, BLOCK, 1, TransferOptions.MAX_BLOCK),
                        wrong(options, BUFFER, 0, MAX_BUFFER))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> wrong(Map<String, String> options, String name, int least, int most) {
        String given = options.get(name);
        return given == null ? Optional.empty() : wrong(name, Integer.parseInt(given), least, most);
    }

    /** The subject that the server of this end must have; null where its host's name is enough. */
    static @Nullable SubjectName server(TransferContext context) throws TransferException {
        String name = context.option(End.SUBJECT).orElse(null);
        try {
            return name == null ? null : SubjectName.parse(name);
        } catch (IllegalArgumentException e) {
            throw new TransferException(
                    Kind.PERMANENT,
                    "the server's subject: " + e.getMessage(),
                    "Correct it in the job's staging directives.",
                    e);
        }
    }
}
