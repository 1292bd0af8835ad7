// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.net.URI;
import org.jobgate.transfer.protocol.ChecksumAlgorithm;
import org.jobgate.transfer.protocol.End;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The check that a copy is like its source, by the option {@code checksum}: an algorithm, or an algorithm, a colon and the checksum that
 * the file must have.
 *
 * @param expected absent where the source's own is to be asked
 */
public record Checksum(
        ChecksumAlgorithm algorithm, @Nullable String expected) {

    /** The option's name. */
    public static final String OPTION = "checksum";

    /**
     * Reads the option.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    public static Checksum parse(String text) {
        int colon = text.indexOf(':');
        ChecksumAlgorithm algorithm = ChecksumAlgorithm.of(colon < 0 ? text : text.substring(0, colon));
        return new Checksum(algorithm, colon < 0 ? null : algorithm.normalized(text.substring(colon + 1)));
    }

    /**
     * Compares, and removes a copy that is not as it should be.
     *
     * @return what is to be remembered of it
     * @throws TransferException for another attempt where the copy differs, for none where the source is not what is expected
     */
    String check(Protocols protocols, URI source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        Protocol to = protocols.of(destination);
        TransferContext there = context.at(End.DESTINATION);
        String copied = to.checksum(destination, algorithm, there);
        String wanted = expected;
        if (wanted == null || !wanted.equals(copied)) {
            String original = protocols.of(source).checksum(source, algorithm, context.at(End.SOURCE));
            if (wanted == null && original.equals(copied)) {
                wanted = original;
            } else {
                boolean unused = to.delete(destination, there);
                throw differs(original, copied);
            }
        }
        return algorithm.word() + " " + wanted;
    }

    private TransferException differs(String there, String copied) {
        if (expected != null && !expected.equals(there)) {
            return new TransferException(
                    Kind.PERMANENT,
                    "the source's " + algorithm.word() + " is " + there + ", and " + expected + " was expected",
                    "See whether the source is the right file, and correct the checksum.");
        }
        return new TransferException(
                Kind.TRANSIENT,
                "the copy is not like the source: its " + algorithm.word() + " is " + copied + ", the source's "
                        + there,
                "Try again; if that happens often, tell the administrators of both servers.");
    }
}
