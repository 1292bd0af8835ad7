// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jspecify.annotations.Nullable;

/**
 * Whether the next piece of a file goes packed ({@link Coding}). Where it is to find that out by itself, it looks at how
 * fast the network has been and at how much packing has saved of the last pieces.
 */
final class Packing {

    /** The header by which packed pieces are asked for and told. */
    static final String HEADER = "Jobgate-Encoding";

    /** What is not made smaller than this share of itself is sent as it is. */
    private static final double WORTH = 0.9;

    /** After one that was not worth it, so many are sent as they are before it is tried again. */
    private static final int UNTRIED = 15;

    /** Fewer bytes do not tell how fast the network is. */
    private static final int TELLING = 64 * 1024;

    /** What the user wants. */
    enum Mode {
        NEVER,
        AUTO,
        ALWAYS;

        /** The mode that an option's value names; NEVER if there is no value. */
        static Mode of(@Nullable String text) throws CommandException {
            for (Mode mode : values()) {
                if (mode.name().equalsIgnoreCase(text == null ? NEVER.name() : text)) {
                    return mode;
                }
            }
            throw new CommandException(
                    ExitStatus.USAGE, "Option -compress is " + text + "; it must be never, auto or always.");
        }
    }

    private final Mode mode;
    private @Nullable Coding sending;
    private double bytesPerSecond;
    private int untried;

    Packing(Mode mode) {
        this.mode = requireNonNull(mode, "mode is null");
    }

    /** What the service takes packed pieces in, as its header has it. */
    void offered(String header) {
        sending = mode == Mode.NEVER ? null : Coding.best(header);
    }

    /** What the service is to pack the next piece with, as a header has it; empty for nothing. */
    String wanted() {
        return isDue() ? Coding.words() : "";
    }

    /** Whether the next piece is to be packed. */
    boolean isDue() {
        if (mode != Mode.AUTO) {
            return mode == Mode.ALWAYS;
        }
        if (untried > 0) {
            untried--;
            return false;
        }
        return bytesPerSecond > 0 && bytesPerSecond < Coding.here().fast();
    }

    /**
     * A piece came through.
     *
     * @param bytes of the file
     * @param sent bytes that went over the network for them; the same where it was not packed
     */
    void went(int bytes, int sent, long nanos) {
        if (sent >= TELLING && nanos > 0) {
            double now = sent * 1e9 / nanos;
            bytesPerSecond = bytesPerSecond == 0 ? now : (bytesPerSecond + now) / 2;
        }
        if (sent != bytes && sent > WORTH * bytes) {
            untried = UNTRIED;
        }
    }

    /**
     * A piece on its way.
     *
     * @param coding null where it is as it was
     */
    @SuppressWarnings("ArrayRecordComponent") // made once, sent once, never compared
    record Sent(byte[] bytes, @Nullable Coding coding) {}

    /** The piece as it is to be sent: packed if that is due, the service takes it so, and it becomes smaller. */
    Sent toSend(byte[] piece) throws IOException {
        Coding coding = sending;
        if (piece.length == 0 || coding == null || !isDue()) {
            return new Sent(piece, null);
        }
        byte[] packed = coding.pack(piece);
        if (packed.length > WORTH * piece.length) {
            untried = UNTRIED;
            return new Sent(piece, null);
        }
        return new Sent(packed, coding);
    }
}
