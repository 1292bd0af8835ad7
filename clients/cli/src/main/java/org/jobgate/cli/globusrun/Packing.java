// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jspecify.annotations.Nullable;

/**
 * Whether the next piece of a file goes packed (gzip, RFC 1952, its quickest level). Where it is to find that out by itself, it looks at how
 * fast the network has been and at how much packing has saved of the last pieces.
 */
final class Packing {

    /** The header by which packed pieces are asked for and told. */
    static final String HEADER = "Jobgate-Encoding";

    static final String GZIP = "gzip";

    /** Bytes per second on the wire from which on packing takes longer than sending: 150 Mbit/s. */
    private static final double FAST = 150e6 / 8;

    /** What is not made smaller than this share of itself is sent as it is. */
    private static final double WORTH = 0.9;

    /** After one that was not worth it, so many are sent as they are before it is tried again. */
    private static final int UNTRIED = 15;

    /** Less says nothing about the network. */
    private static final int TELLING = 64 * 1024;

    /** What the user wants. */
    enum Mode {
        NEVER,
        AUTO,
        ALWAYS;

        /** Of an option's value, NEVER where there is none. */
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
    private double bytesPerSecond;
    private int untried;

    Packing(Mode mode) {
        this.mode = requireNonNull(mode, "mode is null");
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
        return bytesPerSecond > 0 && bytesPerSecond < FAST;
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

    /** The piece as it is to be sent: packed if that is due and makes it smaller, else the same array. */
    byte[] toSend(byte[] piece) throws IOException {
        if (piece.length == 0 || !isDue()) {
            return piece;
        }
        byte[] packed = pack(piece);
        if (packed.length > WORTH * piece.length) {
            untried = UNTRIED;
            return piece;
        }
        return packed;
    }

    static byte[] pack(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 2 + 64);
        try (GZIPOutputStream packed = new GZIPOutputStream(out, 64 * 1024) {
            {
                def.setLevel(Deflater.BEST_SPEED);
            }
        }) {
            packed.write(bytes);
        }
        return out.toByteArray();
    }

    /**
     * What is in packed bytes.
     *
     * @throws IOException if they are damaged, or more than was asked for
     */
    static byte[] unpack(byte[] packed, int most) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            byte[] bytes = in.readNBytes(most);
            if (in.read() >= 0) {
                throw new IOException("the service sent more than was asked for");
            }
            return bytes;
        }
    }
}
